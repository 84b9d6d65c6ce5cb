/** Reports of payment providers, and every line of them once: matched to orders, refunds and disputes, and grouped by payout. */
export const reconciliation = `
CREATE TABLE provider_reports (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  /* stripe or paypal. */
  provider VARCHAR(20) NOT NULL,
  file_name VARCHAR(255) NOT NULL,
  stored_file VARCHAR(500),
  bytes {ref} NOT NULL,
  /* Lines that no report had before, that one had, that have no effect on the balance, and that are rejected. */
  added {int} NOT NULL DEFAULT 0,
  known {int} NOT NULL DEFAULT 0,
  left_out {int} NOT NULL DEFAULT 0,
  failed {int} NOT NULL DEFAULT 0,
  /* The first rejected lines. */
  rejects {json} NOT NULL,
  first_on {day},
  last_on {day},
  created_at {moment} NOT NULL
);
CREATE INDEX provider_reports_publisher ON provider_reports (publisher_id, id);
CREATE TABLE provider_lines (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  /* The first report that had it. */
  report_id {ref} NOT NULL REFERENCES provider_reports (id),
  provider VARCHAR(20) NOT NULL,
  /* The provider's own id of the line. */
  line_key VARCHAR(100) NOT NULL,
  /* charge, charge-failed, refund, refund-failed, dispute, dispute-won, fee, payout, payout-returned, moved or other. */
  kind VARCHAR(20) NOT NULL,
  /* What the provider calls it. */
  category VARCHAR(80) NOT NULL,
  description VARCHAR(200) NOT NULL DEFAULT '',
  occurred_on {day} NOT NULL,
  occurred_at {moment} NOT NULL,
  currency CHAR(3) NOT NULL,
  /* Minor units; net = gross - fee. */
  gross {money} NOT NULL,
  fee {money} NOT NULL,
  net {money} NOT NULL,
  /* The balance at the provider after this line; null where the report does not say. */
  balance {money},
  /* What the buyer paid or got back, where that is another currency. */
  customer_amount {money},
  customer_currency CHAR(3),
  payout_reference VARCHAR(100),
  payout_on {day},
  payment_reference VARCHAR(100),
  charge_reference VARCHAR(100),
  source_reference VARCHAR(100),
  order_number VARCHAR(40),
  /* The day a journal posts it under: its own, or the first of an open month. */
  posted_on {day} NOT NULL,
  /* open, matched, amount, currency, twice, not-entered, unknown or none. */
  state VARCHAR(20) NOT NULL,
  order_id {ref} REFERENCES orders (id),
  /* sale, debit-failed, refund:<id>, dispute:<id> ...; null where nothing is. */
  matched_to VARCHAR(40),
  is_by_hand {flag} NOT NULL DEFAULT {no},
  /* Grows with each match by hand: a fee whose match was undone can be entered again. */
  match_number {int} NOT NULL DEFAULT 0,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  UNIQUE (publisher_id, provider, line_key)
);
CREATE INDEX provider_lines_state ON provider_lines (publisher_id, state, id);
CREATE INDEX provider_lines_payout ON provider_lines (publisher_id, provider, payout_reference);
CREATE INDEX provider_lines_kind ON provider_lines (publisher_id, provider, kind, currency, occurred_at);
CREATE INDEX provider_lines_order ON provider_lines (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX payments_charge ON payments (charge_reference) WHERE charge_reference IS NOT NULL;
CREATE INDEX refunds_provider_reference ON refunds (provider_reference) WHERE provider_reference IS NOT NULL;
CREATE INDEX disputes_provider_reference ON disputes (provider_reference);
`
