/**
 * The result of the last reading of a bounce mailbox that found anything: the next one, five minutes later, mostly finds nothing. And an
 * index to count recent reports about a publisher's mails without reading all earlier ones.
 */
export const bounceReadings = `
ALTER TABLE bounce_mailboxes ADD COLUMN found_at {moment};
ALTER TABLE bounce_mailboxes ADD COLUMN found_messages {int} NOT NULL DEFAULT 0;
ALTER TABLE bounce_mailboxes ADD COLUMN found_reports {int} NOT NULL DEFAULT 0;
CREATE INDEX delivery_events_recent ON delivery_events (publisher_id, created_at);
`
