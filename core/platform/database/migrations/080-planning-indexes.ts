/**
 * What planning looks at every hour, each in an index alone: which agreements may come near, and which notices were held. The agreement of a
 * renewal holds its title and publisher; PostgreSQL had looked for both again, and locked them, for each renewal that is planned.
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
