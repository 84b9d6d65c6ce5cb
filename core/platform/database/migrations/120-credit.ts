/** Credit: money kept for a later order instead of a refund. A credit is a refund of the way `credit`; this table has the payments from it. */
export const credit = `
CREATE TABLE credit_uses (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  /* The credit that paid. */
  refund_id {ref} NOT NULL REFERENCES refunds (id),
  /* The order that was paid by it. */
  order_id {ref} NOT NULL REFERENCES orders (id),
  /* The payment of that order's invoice; null: the order itself was paid by credit. */
  invoice_payment_id {ref} REFERENCES invoice_payments (id),
  amount {money} NOT NULL,
  /* The day it counts for in the journals: in an open month. */
  entered_on {day} NOT NULL,
  idempotency_key VARCHAR(120) NOT NULL UNIQUE,
  actor_kind VARCHAR(20) NOT NULL,
  actor_id {ref},
  used_at {moment} NOT NULL
);
CREATE INDEX credit_uses_refund ON credit_uses (refund_id);
CREATE INDEX credit_uses_order ON credit_uses (order_id);
CREATE INDEX credit_uses_publisher ON credit_uses (publisher_id, entered_on);
CREATE INDEX refunds_credit ON refunds (publisher_id, id) WHERE way = 'credit';
`
