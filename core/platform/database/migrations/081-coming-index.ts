/** What renews until a day of each title and what that comes to, in an index alone: the sums above the list of what comes. */
export const comingIndex = `
DROP INDEX payment_agreements_publication;
CREATE INDEX payment_agreements_publication ON payment_agreements (publication_id, renews_on, id, currency, price) WHERE state = 'active';
`
