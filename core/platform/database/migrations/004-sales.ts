/** Buyers, orders and their items, payments and agreements, the ledger, sent mails, the job outbox. */
export const sales = `
CREATE TABLE buyers (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  email VARCHAR(254) NOT NULL,
  email_key VARCHAR(254) NOT NULL,
  password_hash VARCHAR(200),
  token_version {int} NOT NULL DEFAULT 0,
  title VARCHAR(30) NOT NULL DEFAULT '',
  first_name VARCHAR(100) NOT NULL DEFAULT '',
  last_name VARCHAR(100) NOT NULL DEFAULT '',
  mobile VARCHAR(40) NOT NULL DEFAULT '',
  reader_id {ref},
  first_sub_start_on {day},
  /* The delivery address as last saved, for the next order. */
  shipping {json},
  last_login_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  UNIQUE (publication_id, email_key)
);
CREATE INDEX buyers_reader ON buyers (reader_id);
CREATE TABLE orders (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  publication_id {ref} NOT NULL REFERENCES publications (id),
  order_number VARCHAR(20) NOT NULL UNIQUE,
  /* pending, paid, declined, cancelled or refunded. */
  state VARCHAR(20) NOT NULL,
  kind VARCHAR(20) NOT NULL,
  idempotency_key VARCHAR(80) NOT NULL UNIQUE,
  placed_at {moment} NOT NULL,
  ordered_on {day} NOT NULL,
  paid_at {moment},
  product VARCHAR(10),
  product_name VARCHAR(200) NOT NULL,
  term_months {int},
  is_recurring {flag} NOT NULL DEFAULT {no},
  is_gift {flag} NOT NULL DEFAULT {no},
  band CHAR(2) NOT NULL,
  country CHAR(2) NOT NULL,
  currency CHAR(3) NOT NULL,
  product_price {money} NOT NULL,
  discount {money} NOT NULL DEFAULT 0,
  amount {money} NOT NULL,
  promo_code_id {ref} REFERENCES promo_codes (id),
  promo_code VARCHAR(60) NOT NULL DEFAULT '',
  payment_type VARCHAR(30) NOT NULL,
  sub_start_on {day},
  sub_end_on {day},
  buyer_id {ref} REFERENCES buyers (id),
  reader_id {ref},
  /* The buyer as entered, until payment makes the buyer: names, opt-outs, answers and a password hash, never a password. */
  buyer_draft {json},
  title VARCHAR(30) NOT NULL DEFAULT '',
  first_name VARCHAR(100) NOT NULL DEFAULT '',
  last_name VARCHAR(100) NOT NULL DEFAULT '',
  email VARCHAR(254) NOT NULL DEFAULT '',
  mobile VARCHAR(40) NOT NULL DEFAULT '',
  billing {json} NOT NULL,
  shipping {json},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE INDEX orders_publisher ON orders (publisher_id, ordered_on, id);
CREATE INDEX orders_publication ON orders (publication_id, ordered_on, id);
CREATE INDEX orders_reader ON orders (reader_id);
CREATE INDEX orders_buyer ON orders (buyer_id);
CREATE INDEX orders_pending ON orders (placed_at) WHERE state = 'pending';
CREATE TABLE order_items (
  id {id},
  order_id {ref} NOT NULL REFERENCES orders (id),
  kind VARCHAR(20) NOT NULL,
  back_issue_id {ref} REFERENCES back_issues (id),
  description VARCHAR(300) NOT NULL,
  quantity {int} NOT NULL DEFAULT 1,
  unit_price {money} NOT NULL,
  postage {money} NOT NULL DEFAULT 0,
  discount {money} NOT NULL DEFAULT 0,
  amount {money} NOT NULL
);
CREATE INDEX order_items_order ON order_items (order_id);
CREATE TABLE promo_redemptions (
  id {id},
  promo_code_id {ref} NOT NULL REFERENCES promo_codes (id),
  order_id {ref} NOT NULL UNIQUE REFERENCES orders (id),
  taken_at {moment} NOT NULL,
  given_back_at {moment}
);
CREATE TABLE payments (
  id {id},
  order_id {ref} NOT NULL REFERENCES orders (id),
  provider VARCHAR(30) NOT NULL,
  state VARCHAR(20) NOT NULL,
  amount {money} NOT NULL,
  currency CHAR(3) NOT NULL,
  idempotency_key VARCHAR(100) NOT NULL UNIQUE,
  provider_reference VARCHAR(200),
  decline_reason VARCHAR(300),
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE INDEX payments_order ON payments (order_id);
CREATE UNIQUE INDEX payments_reference ON payments (provider, provider_reference) WHERE provider_reference IS NOT NULL;
CREATE TABLE payment_events (
  id {id},
  provider VARCHAR(30) NOT NULL,
  event_id VARCHAR(200) NOT NULL,
  publisher_id {ref} NOT NULL,
  event_type VARCHAR(100) NOT NULL,
  received_at {moment} NOT NULL,
  handled_at {moment},
  UNIQUE (provider, event_id)
);
CREATE TABLE payment_agreements (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  buyer_id {ref} NOT NULL REFERENCES buyers (id),
  reader_id {ref},
  order_id {ref} NOT NULL REFERENCES orders (id),
  provider VARCHAR(30) NOT NULL,
  customer_reference VARCHAR(200),
  method_reference VARCHAR(200),
  mandate_reference VARCHAR(200),
  state VARCHAR(20) NOT NULL,
  product VARCHAR(10) NOT NULL,
  term_months {int} NOT NULL,
  band CHAR(2) NOT NULL,
  renews_on {day} NOT NULL,
  ended_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE INDEX payment_agreements_due ON payment_agreements (renews_on) WHERE state = 'active';
CREATE INDEX payment_agreements_buyer ON payment_agreements (buyer_id);
CREATE TABLE ledger_entries (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  publication_id {ref} NOT NULL REFERENCES publications (id),
  order_id {ref} NOT NULL REFERENCES orders (id),
  /* sale or refund; a refund's amount is negative. */
  kind VARCHAR(10) NOT NULL,
  entered_on {day} NOT NULL,
  currency CHAR(3) NOT NULL,
  amount {money} NOT NULL,
  product VARCHAR(10),
  /* The service period the amount is earned over; null for what is earned at once. */
  service_start_on {day},
  service_end_on {day},
  term_months {int},
  created_at {moment} NOT NULL,
  UNIQUE (order_id, kind)
);
CREATE INDEX ledger_entries_publisher ON ledger_entries (publisher_id, entered_on, currency, amount);
CREATE INDEX ledger_entries_publication ON ledger_entries (publication_id, entered_on, currency, amount);
CREATE TABLE demo_charges (
  id {id},
  idempotency_key VARCHAR(100) NOT NULL UNIQUE,
  state VARCHAR(20) NOT NULL,
  amount {money} NOT NULL,
  currency CHAR(3) NOT NULL,
  reason VARCHAR(300),
  created_at {moment} NOT NULL
);
CREATE TABLE emails (
  id {id},
  /* One mail of a kind for one thing: the guard against sending twice. */
  email_key VARCHAR(200) NOT NULL UNIQUE,
  template VARCHAR(60) NOT NULL,
  publication_id {ref},
  order_id {ref},
  to_address VARCHAR(254) NOT NULL,
  subject VARCHAR(300) NOT NULL,
  message_id VARCHAR(200) NOT NULL,
  state VARCHAR(20) NOT NULL,
  sent_at {moment},
  created_at {moment} NOT NULL
);
CREATE INDEX emails_order ON emails (order_id);
CREATE TABLE jobs (
  id {id},
  name VARCHAR(60) NOT NULL,
  payload {json} NOT NULL,
  publisher_id {ref},
  /* waiting, active, done or failed. */
  state VARCHAR(10) NOT NULL,
  run_at {moment} NOT NULL,
  attempts {int} NOT NULL DEFAULT 0,
  locked_until {moment},
  /* When the relay last handed it to Bull. */
  relayed_at {moment},
  dedupe_key VARCHAR(200) UNIQUE,
  problem VARCHAR(1000),
  created_at {moment} NOT NULL,
  finished_at {moment}
);
CREATE INDEX jobs_due ON jobs (run_at, id) WHERE state = 'waiting';
CREATE INDEX jobs_active ON jobs (locked_until) WHERE state = 'active';
CREATE INDEX jobs_state ON jobs (state, finished_at);
`
