/**
 * A lane for mails that a user waits for at the screen: a password link overtakes the waiting mails. A mail rejected permanently
 * by the recipient's server is recorded in `emails`; its job is done, so that failed jobs are those that need attention.
 */
export const mailLanes = `
ALTER TABLE jobs ADD COLUMN is_urgent {flag} NOT NULL DEFAULT {no};
DROP INDEX jobs_due_mails;
CREATE INDEX jobs_due_mails ON jobs (run_at, id) WHERE state = 'waiting' AND name = 'send-mail' AND is_urgent = {no};
CREATE INDEX jobs_due_urgent ON jobs (run_at, id) WHERE state = 'waiting' AND name = 'send-mail' AND is_urgent = {yes};
UPDATE jobs SET state = 'done' WHERE state = 'failed' AND name = 'send-mail' AND problem LIKE 'declined:%';
`
