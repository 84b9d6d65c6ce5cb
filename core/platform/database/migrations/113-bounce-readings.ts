/** What the last reading of a bounce mailbox that found anything came to. The next one, five minutes later, mostly finds nothing. */
export const bounceReadings = `
ALTER TABLE bounce_mailboxes ADD COLUMN found_at {moment};
ALTER TABLE bounce_mailboxes ADD COLUMN found_messages {int} NOT NULL DEFAULT 0;
ALTER TABLE bounce_mailboxes ADD COLUMN found_reports {int} NOT NULL DEFAULT 0;
`
