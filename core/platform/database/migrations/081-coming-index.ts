/** A covering index for each title's renewals until a day and their amounts: the totals above the list of coming renewals. */
export const comingIndex = `
DROP INDEX payment_agreements_publication;
CREATE INDEX payment_agreements_publication ON payment_agreements (publication_id, renews_on, id, currency, price) WHERE state = 'active';
`
