/**
 * A lane for the mails that somebody waits for in front of a screen: a link to a new password passes by the others that wait. A mail whose
 * recipient's server refused it for good is written on its row in `emails`; its job is done, so that the failed ones are those to look at.
 */
export const mailLanes = `
ALTER TABLE jobs ADD COLUMN is_urgent {flag} NOT NULL DEFAULT {no};
DROP INDEX jobs_due_mails;
CREATE INDEX jobs_due_mails ON jobs (run_at, id) WHERE state = 'waiting' AND name = 'send-mail' AND is_urgent = {no};
CREATE INDEX jobs_due_urgent ON jobs (run_at, id) WHERE state = 'waiting' AND name = 'send-mail' AND is_urgent = {yes};
UPDATE jobs SET state = 'done' WHERE state = 'failed' AND name = 'send-mail' AND problem LIKE 'declined:%';
`
