/**
 * Refunds and disputes as separate rows. A fully refunded order gets its row, so that a later report of the provider is not taken for
 * another refund.
 */
export const refunds = `
CREATE TABLE refunds (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  order_id {ref} NOT NULL REFERENCES orders (id),
  /* planned, pending, succeeded, failed or cancelled. */
  state VARCHAR(20) NOT NULL,
  /* whole, months or amount. */
  scope VARCHAR(10) NOT NULL,
  amount {money} NOT NULL,
  currency CHAR(3) NOT NULL,
  /* Null: not known. */
  vat {money},
  /* The months it takes, counted from nought from the term's first; null where it is no refund of months. */
  first_month {int},
  month_count {int},
  from_on {day},
  until_on {day},
  reason VARCHAR(300) NOT NULL DEFAULT '',
  /* provider: by way of it; hand: staff have sent the money; told: made at the provider, which told us. */
  way VARCHAR(10) NOT NULL,
  idempotency_key VARCHAR(120) NOT NULL UNIQUE,
  provider_reference VARCHAR(200),
  problem VARCHAR(300),
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  planned_at {moment} NOT NULL,
  asked_at {moment},
  accepted_at {moment},
  ended_at {moment},
  updated_at {moment} NOT NULL
);
CREATE INDEX refunds_order ON refunds (order_id);
CREATE INDEX refunds_open ON refunds (updated_at) WHERE state IN ('planned', 'pending');
CREATE UNIQUE INDEX refunds_reference ON refunds (order_id, provider_reference) WHERE provider_reference IS NOT NULL;
CREATE TABLE disputes (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  order_id {ref} NOT NULL REFERENCES orders (id),
  provider_reference VARCHAR(200) NOT NULL,
  /* open, won or lost. */
  state VARCHAR(10) NOT NULL,
  amount {money} NOT NULL,
  currency CHAR(3) NOT NULL,
  /* What the provider charges for it, in its own currency. */
  fee {money} NOT NULL DEFAULT 0,
  fee_currency CHAR(3),
  reason VARCHAR(300) NOT NULL DEFAULT '',
  opened_at {moment} NOT NULL,
  ended_at {moment},
  updated_at {moment} NOT NULL,
  UNIQUE (order_id, provider_reference)
);
ALTER TABLE payments ADD COLUMN charge_reference VARCHAR(200);
INSERT INTO refunds (publisher_id, order_id, state, scope, amount, currency, reason, way, idempotency_key, actor_kind,
  planned_at, accepted_at, ended_at, updated_at)
SELECT o.publisher_id, o.id, 'succeeded', 'whole', o.amount, o.currency, '', 'told', 'order:' || o.id, 'system',
  y.updated_at, y.updated_at, y.updated_at, y.updated_at
FROM orders o JOIN payments y ON y.order_id = o.id WHERE o.state = 'refunded';
UPDATE ledger_entries SET cause = (SELECT 'refund:' || r.id FROM refunds r WHERE r.order_id = ledger_entries.order_id)
WHERE kind = 'refund' AND EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = ledger_entries.order_id);
`
