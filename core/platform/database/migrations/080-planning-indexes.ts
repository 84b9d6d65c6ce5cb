/**
 * Covering indexes for the hourly planning: which agreements may be due, and which notices were held back. The agreement's title and
 * publisher are stored with it; PostgreSQL had looked up both again, and locked them, for each planned renewal.
 */
export const planningIndexes = `
DROP INDEX payment_agreements_due;
CREATE INDEX payment_agreements_due ON payment_agreements (renews_on, id, term_months, provider, contract_on) WHERE state = 'active';
/* Not by their states: with statistics from before a big day PostgreSQL takes every index of what is open for empty, and one for the other. */
DROP INDEX renewals_grace;
CREATE INDEX renewals_grace ON renewals (grace_until) WHERE settled_at IS NULL;
CREATE INDEX renewals_held ON renewals (id) WHERE state = 'planned' AND reason <> '';
{postgres} ALTER TABLE renewals DROP CONSTRAINT renewals_publisher_id_fkey;
{postgres} ALTER TABLE renewals DROP CONSTRAINT renewals_publication_id_fkey;
`
