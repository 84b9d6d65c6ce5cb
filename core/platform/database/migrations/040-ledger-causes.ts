/**
 * Several entries of a kind for an order: partial refunds, disputes, fees. Each has its own cause, amount and service period. The cause of
 * existing entries is the order itself. SQLite cannot drop a UNIQUE constraint of a table, so the table is copied.
 */
export const ledgerCauses = `
CREATE TABLE ledger_entries_next (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  publication_id {ref} NOT NULL REFERENCES publications (id),
  order_id {ref} NOT NULL REFERENCES orders (id),
  kind VARCHAR(20) NOT NULL,
  /* What made it, such as refund:12; empty for the sale. */
  cause VARCHAR(120) NOT NULL DEFAULT '',
  entered_on {day} NOT NULL,
  currency CHAR(3) NOT NULL,
  amount {money} NOT NULL,
  product VARCHAR(10),
  /* The service period the amount is earned over; null for what is earned at once. */
  service_start_on {day},
  service_end_on {day},
  term_months {int},
  /* What each month earns, the last one takes the rest; null: the amount by its months. */
  monthly_amount {money},
  /* The day of the month on which its months turn; null: that of its start. */
  anchor_day {int},
  created_at {moment} NOT NULL,
  UNIQUE (order_id, kind, cause)
);
INSERT INTO ledger_entries_next (id, publisher_id, publication_id, order_id, kind, entered_on, currency, amount, product,
  service_start_on, service_end_on, term_months, created_at)
SELECT id, publisher_id, publication_id, order_id, kind, entered_on, currency, amount, product,
  service_start_on, service_end_on, term_months, created_at FROM ledger_entries ORDER BY id;
DROP TABLE ledger_entries;
ALTER TABLE ledger_entries_next RENAME TO ledger_entries;
{postgres} SELECT setval(pg_get_serial_sequence('ledger_entries', 'id'), (SELECT COALESCE(MAX(id), 0) + 1 FROM ledger_entries), false);
CREATE INDEX ledger_entries_publisher ON ledger_entries (publisher_id, entered_on, currency, amount);
CREATE INDEX ledger_entries_publication ON ledger_entries (publication_id, entered_on, currency, amount);
`
