/**
 * The index of jobs by state contains only finished ones: with all states in it SQLite chose it to find the first due mails, and sorted
 * every waiting one.
 */
export const finishedJobs = `
DROP INDEX jobs_state;
CREATE INDEX jobs_finished ON jobs (state, finished_at) WHERE finished_at IS NOT NULL;
`
