/**
 * Publishers' own texts in the mails to their readers: for every mail, and for each language that differs. The language '' applies to every
 * one without its own text. The texts of the receipt and of the renewal mail were columns of the publication.
 */
export const mailTexts = `
CREATE TABLE mail_texts (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications(id) ON DELETE CASCADE,
  mail TEXT NOT NULL,
  language TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  updated_by {ref} REFERENCES users(id) ON DELETE SET NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE UNIQUE INDEX mail_texts_one ON mail_texts (publication_id, mail, language);
INSERT INTO mail_texts (publication_id, mail, language, subject, body, created_at, updated_at)
  SELECT id, 'order-receipt', '', '', receipt_text, updated_at, updated_at FROM publications WHERE receipt_text <> '';
INSERT INTO mail_texts (publication_id, mail, language, subject, body, created_at, updated_at)
  SELECT id, 'renewal-reminder', '', '', renew_text, updated_at, updated_at FROM publications WHERE renew_text <> '';
ALTER TABLE publications DROP COLUMN receipt_text;
ALTER TABLE publications DROP COLUMN renew_text;
`
