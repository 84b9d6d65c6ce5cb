/**
 * Automatic renewals. The agreement has the price and the consent, a reader has at most one active agreement, and each cycle is a row that
 * is announced, charged and settled once. An attempt to charge a cycle is an order.
 */
export const agreementRenewals = `
ALTER TABLE payment_agreements ADD COLUMN price {money} NOT NULL DEFAULT 0;
ALTER TABLE payment_agreements ADD COLUMN currency CHAR(3) NOT NULL DEFAULT 'GBP';
/* The words that were agreed to, when, and which edition of the terms. */
ALTER TABLE payment_agreements ADD COLUMN consent_text VARCHAR(500) NOT NULL DEFAULT '';
ALTER TABLE payment_agreements ADD COLUMN consented_at {moment};
ALTER TABLE payment_agreements ADD COLUMN terms_version VARCHAR(40) NOT NULL DEFAULT '';
ALTER TABLE payment_agreements ADD COLUMN contract_on {day};
ALTER TABLE payment_agreements ADD COLUMN last_four VARCHAR(4);
/* The last day of the month that stands on the card. */
ALTER TABLE payment_agreements ADD COLUMN expires_on {day};
ALTER TABLE payment_agreements ADD COLUMN end_reason VARCHAR(30);
UPDATE payment_agreements SET
  price = (SELECT o.product_price FROM orders o WHERE o.id = payment_agreements.order_id),
  currency = (SELECT o.currency FROM orders o WHERE o.id = payment_agreements.order_id),
  consented_at = (SELECT o.placed_at FROM orders o WHERE o.id = payment_agreements.order_id),
  contract_on = (SELECT o.ordered_on FROM orders o WHERE o.id = payment_agreements.order_id),
  last_four = (SELECT y.account_last_four FROM payments y WHERE y.order_id = payment_agreements.order_id);
UPDATE payment_agreements SET end_reason = 'reader' WHERE state = 'ended';
/* Of several that were on for one reader the last stays: its day follows all that was paid. */
UPDATE payment_agreements SET state = 'ended', ended_at = updated_at, end_reason = 'replaced'
WHERE state = 'active' AND reader_id IS NOT NULL AND EXISTS (
  SELECT 1 FROM payment_agreements later
  WHERE later.reader_id = payment_agreements.reader_id AND later.state = 'active' AND later.id > payment_agreements.id);
CREATE UNIQUE INDEX payment_agreements_reader ON payment_agreements (reader_id) WHERE state = 'active' AND reader_id IS NOT NULL;
CREATE INDEX payment_agreements_publication ON payment_agreements (publication_id, renews_on) WHERE state = 'active';
CREATE TABLE renewals (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  publication_id {ref} NOT NULL REFERENCES publications (id),
  agreement_id {ref} NOT NULL REFERENCES payment_agreements (id),
  /* The last day of the term that it follows. */
  cycle_on {day} NOT NULL,
  /* The first day it may be charged, and the last on which a payment goes on from the old end. */
  charge_on {day} NOT NULL,
  grace_until {day} NOT NULL,
  amount {money} NOT NULL,
  currency CHAR(3) NOT NULL,
  /* planned, charging, retrying, waiting, paid, lapsed or cancelled. */
  state VARCHAR(20) NOT NULL,
  attempts {int} NOT NULL DEFAULT 0,
  /* When it is charged next; null while it is not. */
  next_try_on {day},
  /* The attempt under way, or the last one. */
  order_id {ref} REFERENCES orders (id),
  decline_code VARCHAR(60),
  reason VARCHAR(300) NOT NULL DEFAULT '',
  noticed_on {day},
  settled_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  UNIQUE (agreement_id, cycle_on)
);
CREATE UNIQUE INDEX renewals_open ON renewals (agreement_id) WHERE state IN ('planned', 'charging', 'retrying', 'waiting');
CREATE INDEX renewals_due ON renewals (next_try_on, id) WHERE state IN ('planned', 'retrying');
CREATE INDEX renewals_publisher ON renewals (publisher_id, cycle_on, id);
CREATE INDEX renewals_grace ON renewals (grace_until) WHERE state IN ('planned', 'charging', 'retrying', 'waiting');
CREATE TABLE renewal_settings (
  id {id},
  publication_id {ref} NOT NULL UNIQUE REFERENCES publications (id),
  grace_days {int} NOT NULL,
  /* Days after the first failure on which a card is tried again, as a list. */
  retry_days {json} NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
ALTER TABLE orders ADD COLUMN renewal_id {ref};
CREATE INDEX orders_renewal ON orders (renewal_id) WHERE renewal_id IS NOT NULL;
ALTER TABLE payments ADD COLUMN decline_code VARCHAR(60);
ALTER TABLE demo_charges ADD COLUMN card VARCHAR(30);
`
