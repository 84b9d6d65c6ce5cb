/**
 * Opening balances: what a publisher owes readers for money that another system took. One row per take-over of a title, and its terms, with
 * equal ones in one row. No row names a reader: the figures remain when readers are changed, replaced or removed.
 */
export const openingBalances = `
CREATE TABLE opening_balances (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  publication_id {ref} NOT NULL REFERENCES publications (id),
  /* What is not served at the end of this day is owed. */
  taken_on {day} NOT NULL,
  readers {int} NOT NULL,
  taken_at {moment} NOT NULL,
  /* The users; null: the machine itself. */
  taken_by {ref},
  undone_at {moment},
  undone_by {ref}
);
CREATE UNIQUE INDEX opening_balances_standing ON opening_balances (publication_id) WHERE undone_at IS NULL;
CREATE INDEX opening_balances_publisher ON opening_balances (publisher_id);
CREATE TABLE opening_balance_terms (
  opening_id {ref} NOT NULL REFERENCES opening_balances (id),
  currency CHAR(3) NOT NULL,
  product VARCHAR(10) NOT NULL,
  service_start_on {day} NOT NULL,
  service_end_on {day} NOT NULL,
  readers {int} NOT NULL,
  term_months {int} NOT NULL,
  anchor_day {int} NOT NULL,
  /* Minor units: what was paid, what each month but the last earns of it, and what was owed on the day. */
  amount {money} NOT NULL,
  monthly_amount {money} NOT NULL,
  taken_over {money} NOT NULL,
  PRIMARY KEY (opening_id, currency, product, service_start_on, service_end_on)
) {clustered};
ALTER TABLE ledger_close_rows ADD COLUMN taken_over {money} NOT NULL DEFAULT 0;
`
