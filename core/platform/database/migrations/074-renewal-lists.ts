/** Covering indexes for the counts of the renewal lists: declined, lapsed, and the results of each day. */
export const renewalLists = `
CREATE INDEX renewals_failed ON renewals (publisher_id, grace_until, id, publication_id) WHERE state IN ('retrying', 'waiting');
CREATE INDEX renewals_lapsed ON renewals (publisher_id, cycle_on, grace_until, id, publication_id) WHERE state = 'lapsed';
DROP INDEX renewals_publisher;
CREATE INDEX renewals_publisher ON renewals (publisher_id, cycle_on, currency, state, publication_id, amount);
`
