/** The sort orders that planning uses: agreements by renewal day, and cards by expiry day. */
export const planRenewals = `
DROP INDEX payment_agreements_due;
CREATE INDEX payment_agreements_due ON payment_agreements (renews_on, id) WHERE state = 'active';
CREATE INDEX payment_agreements_expiring ON payment_agreements (expires_on) WHERE state = 'active' AND expires_on IS NOT NULL;
`
