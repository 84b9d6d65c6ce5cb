/** Bounces of email addresses, and the reports of them. */
export const bounces = `
CREATE TABLE address_marks (
  id {id},
  /* Whose mails came back: a publisher; 0 is the installation itself, which writes to staff. */
  publisher_id {ref} NOT NULL,
  /* As readers.key_email. */
  address_key VARCHAR(254) {exact} NOT NULL,
  /* Nothing is sent there from then on. */
  bounced_at {moment},
  /* Reported as spam: notices alone are sent from then on. */
  complained_at {moment},
  /* RFC 3463, such as 5.1.1; empty where the server named none. */
  status VARCHAR(20) NOT NULL DEFAULT '',
  answer VARCHAR(500) NOT NULL DEFAULT '',
  /* What is reported of mails sent until then says nothing any more: one was delivered later, or staff had it tried again. */
  reset_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  UNIQUE (publisher_id, address_key)
);
CREATE INDEX address_marks_bounced ON address_marks (publisher_id, address_key) WHERE bounced_at IS NOT NULL;
CREATE TABLE delivery_events (
  id {id},
  /* The report's own id, so that the same one twice is one. */
  event_key VARCHAR(120) NOT NULL UNIQUE,
  publisher_id {ref} NOT NULL,
  address_key VARCHAR(254) {exact} NOT NULL,
  /* hard, soft, blocked, complaint or delivered. */
  kind VARCHAR(20) NOT NULL,
  email_id {ref} NOT NULL,
  mail_sent_at {moment} NOT NULL,
  status VARCHAR(20) NOT NULL DEFAULT '',
  answer VARCHAR(500) NOT NULL DEFAULT '',
  happened_at {moment} NOT NULL,
  created_at {moment} NOT NULL
);
CREATE INDEX delivery_events_address ON delivery_events (publisher_id, address_key, id);
CREATE INDEX delivery_events_email ON delivery_events (email_id);
CREATE INDEX emails_message ON emails (message_id);
CREATE INDEX emails_address ON emails (to_address, id);
CREATE INDEX emails_bounced ON emails (template, id) WHERE state = 'bounced';
CREATE TABLE spent_webhook_tokens (
  id {id},
  token VARCHAR(100) NOT NULL UNIQUE,
  event_key VARCHAR(120) NOT NULL,
  spent_at {moment} NOT NULL
);
CREATE TABLE bounce_mailboxes (
  id {id},
  /* user@host/folder, without the password. */
  name VARCHAR(300) NOT NULL UNIQUE,
  uid_validity VARCHAR(30) NOT NULL,
  last_uid {ref} NOT NULL DEFAULT 0,
  read_at {moment},
  problem VARCHAR(500)
);
`
