/**
 * The mail server's reply for each mail, the rate limits of mails, and the due jobs of each lane in queue order: with one index for all
 * lanes, a claim of another job read past every waiting mail.
 */
export const mailPort = `
ALTER TABLE emails ADD COLUMN attempts {int} NOT NULL DEFAULT 0;
/* The last thing that the mail server said of it, or why it said nothing. */
ALTER TABLE emails ADD COLUMN last_answer VARCHAR(1000);
/* Why it has not gone: recipient, later, connection or installation. */
ALTER TABLE emails ADD COLUMN fault VARCHAR(20);
/* The answers of addresses that took or refused it, where there are several. */
ALTER TABLE emails ADD COLUMN settled {json};
/* When its turn among the mails to its domain is, where their pace is limited. */
ALTER TABLE emails ADD COLUMN slot_at {moment};
CREATE INDEX emails_unsent ON emails (state, id) WHERE state IN ('waiting', 'refused', 'failed');
CREATE TABLE mail_pace (
  /* A recipient domain, or * for all mails. */
  scope VARCHAR(254) PRIMARY KEY,
  /* When the next mail may go. */
  next_at {moment} NOT NULL
);
DROP INDEX jobs_due;
CREATE INDEX jobs_due_mails ON jobs (run_at, id) WHERE state = 'waiting' AND name = 'send-mail';
CREATE INDEX jobs_due_others ON jobs (run_at, id) WHERE state = 'waiting' AND name <> 'send-mail';
`
