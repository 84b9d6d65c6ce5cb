/**
 * The mail log: the recipient and subject records of each mail, by which it is found, resent and deleted with its reader, and the body as
 * it was sent. Keys are in lower case and compared by their bytes, so that a prefix search can use an index.
 */
export const mailLog = `
ALTER TABLE emails ADD COLUMN reader_id {ref};
/* Mails about a reader's account, which may have several records. */
ALTER TABLE emails ADD COLUMN buyer_id {ref};
/* Ids: what it was written from, and is written from again. */
ALTER TABLE emails ADD COLUMN about {json};
ALTER TABLE emails ADD COLUMN key_address VARCHAR(254) {exact} NOT NULL DEFAULT '';
ALTER TABLE emails ADD COLUMN key_subject VARCHAR(300) {exact} NOT NULL DEFAULT '';
UPDATE emails SET key_address = LOWER(to_address), key_subject = LOWER(subject);
UPDATE emails SET reader_id = (SELECT o.reader_id FROM orders o WHERE o.id = emails.order_id)
  WHERE template IN ('order-receipt', 'gift-notice', 'direct-debit-notice', 'invoice-notice', 'card-link')
    OR email_key LIKE 'refund:buyer:%' OR email_key LIKE 'payment-failed:buyer:%';
CREATE INDEX emails_publication ON emails (publication_id, created_at, id);
CREATE INDEX emails_publication_mail ON emails (publication_id, template, created_at, id);
CREATE INDEX emails_publication_unsent ON emails (publication_id, created_at, id) WHERE state <> 'sent';
CREATE INDEX emails_log_address ON emails (publication_id, key_address);
CREATE INDEX emails_log_subject ON emails (publication_id, key_subject);
CREATE INDEX emails_reader ON emails (reader_id, created_at, id) WHERE reader_id IS NOT NULL;
CREATE INDEX emails_buyer ON emails (buyer_id, created_at, id) WHERE buyer_id IS NOT NULL;
CREATE TABLE email_bodies (
  email_id {ref} PRIMARY KEY REFERENCES emails(id) ON DELETE CASCADE,
  /* HTML and text as JSON, compressed by Brotli, in base64. No link in it opens anything. */
  body TEXT NOT NULL,
  kept_at {moment} NOT NULL
);
CREATE INDEX email_bodies_kept ON email_bodies (kept_at);
`
