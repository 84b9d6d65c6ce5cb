/** Invoices for orders on account, their payments, credit notes, and the numbers of both. */
export const invoices = `
CREATE TABLE invoice_settings (
  id {id},
  publisher_id {ref} NOT NULL UNIQUE REFERENCES users (id),
  /* Days from the invoice to the day it is due. */
  due_days {int} NOT NULL DEFAULT 30,
  /* The numbers that were given last: the next one is taken in the transaction that issues. */
  last_invoice {int} NOT NULL DEFAULT 0,
  last_credit_note {int} NOT NULL DEFAULT 0,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE TABLE invoices (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  publication_id {ref} NOT NULL REFERENCES publications (id),
  order_id {ref} NOT NULL UNIQUE REFERENCES orders (id),
  number {int} NOT NULL,
  issued_on {day} NOT NULL,
  due_on {day} NOT NULL,
  currency CHAR(3) NOT NULL,
  amount {money} NOT NULL,
  paid {money} NOT NULL DEFAULT 0,
  /* What credit notes took of what was due. */
  credited {money} NOT NULL DEFAULT 0,
  written_off {money} NOT NULL DEFAULT 0,
  /* How many reminders were left to be sent. */
  reminders {int} NOT NULL DEFAULT 0,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  UNIQUE (publisher_id, number)
);
CREATE INDEX invoices_open ON invoices (publisher_id, due_on) WHERE amount > paid + credited + written_off;
CREATE TABLE invoice_payments (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  invoice_id {ref} NOT NULL REFERENCES invoices (id),
  paid_on {day} NOT NULL,
  amount {money} NOT NULL,
  /* cheque, bank-transfer or cash. */
  way VARCHAR(30) NOT NULL,
  reference VARCHAR(300) NOT NULL DEFAULT '',
  idempotency_key VARCHAR(120) NOT NULL UNIQUE,
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  created_at {moment} NOT NULL
);
CREATE INDEX invoice_payments_invoice ON invoice_payments (invoice_id);
CREATE TABLE credit_notes (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  invoice_id {ref} NOT NULL REFERENCES invoices (id),
  refund_id {ref} NOT NULL UNIQUE REFERENCES refunds (id),
  number {int} NOT NULL,
  issued_on {day} NOT NULL,
  currency CHAR(3) NOT NULL,
  amount {money} NOT NULL,
  /* What of it was still due, and is not any more; the rest is money to give back. */
  applied {money} NOT NULL,
  reason VARCHAR(300) NOT NULL DEFAULT '',
  created_at {moment} NOT NULL,
  UNIQUE (publisher_id, number)
);
CREATE INDEX credit_notes_invoice ON credit_notes (invoice_id);
`
