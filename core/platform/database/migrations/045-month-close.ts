/**
 * Month closes, with their frozen figures. Every publisher has a row with the day until which its months are closed: every entry locks it,
 * so that none enters a month while it is being closed.
 */
export const monthClose = `
CREATE TABLE ledger_close_states (
  id {id},
  publisher_id {ref} NOT NULL UNIQUE REFERENCES users (id),
  /* The last day of the last closed month; null: none is closed. */
  closed_until {day},
  /* Who is mailed the monthly pack. */
  pack_emails {json} NOT NULL DEFAULT '[]'
);
INSERT INTO ledger_close_states (publisher_id) SELECT id FROM users WHERE user_type = 'publisher';
CREATE TABLE ledger_closes (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  month VARCHAR(7) NOT NULL,
  closed_at {moment} NOT NULL,
  /* The users; null: the machine itself. */
  closed_by {ref},
  pack_emails {json} NOT NULL DEFAULT '[]',
  reopened_at {moment},
  reopened_by {ref},
  reopen_reason VARCHAR(300) NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX ledger_closes_standing ON ledger_closes (publisher_id, month) WHERE reopened_at IS NULL;
CREATE TABLE ledger_close_rows (
  id {id},
  close_id {ref} NOT NULL REFERENCES ledger_closes (id),
  publication_id {ref} NOT NULL REFERENCES publications (id),
  currency CHAR(3) NOT NULL,
  /* Null: back issues. */
  product VARCHAR(10),
  opening {money} NOT NULL,
  sold {money} NOT NULL,
  refunded {money} NOT NULL,
  earned {money} NOT NULL,
  closing {money} NOT NULL
);
CREATE INDEX ledger_close_rows_close ON ledger_close_rows (close_id);
/* The day on which it happened, of an entry that was entered later because its month was closed. */
ALTER TABLE ledger_entries ADD COLUMN occurred_on {day};
`
