/** A publisher's plan: its state, its invoices, its changes, and which titles are paused. */
export const planLife = `
/* What the provider calls it, and how it last said that it stands: active, past-due or ended; null where nothing is charged here. */
ALTER TABLE accounts ADD COLUMN plan_subscription_reference VARCHAR(100);
ALTER TABLE accounts ADD COLUMN plan_state VARCHAR(20);
/* VAT or TAXFREE. */
ALTER TABLE accounts ADD COLUMN plan_price_type VARCHAR(10);
ALTER TABLE accounts ADD COLUMN plan_coupon VARCHAR(100);
/* Pence of the next charge. */
ALTER TABLE accounts ADD COLUMN plan_next_amount {money};
ALTER TABLE accounts ADD COLUMN plan_period_ends_at {moment};
ALTER TABLE accounts ADD COLUMN plan_cancels_at_end {flag} NOT NULL DEFAULT {no};
ALTER TABLE accounts ADD COLUMN plan_unpaid_since {moment};
/* How many mails were left about what is unpaid now. */
ALTER TABLE accounts ADD COLUMN plan_unpaid_notices {int} NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN plan_card_last_four VARCHAR(4);
/* When the provider was asked, of the answer that stands here. */
ALTER TABLE accounts ADD COLUMN plan_asked_at {moment};
CREATE UNIQUE INDEX accounts_plan_subscription ON accounts (plan_subscription_reference) WHERE plan_subscription_reference IS NOT NULL;
UPDATE accounts SET
  plan_subscription_reference = (SELECT MAX(s.answers ->> 'subscriptionReference') FROM signups s WHERE s.user_id = accounts.user_id AND s.state = 'registered'),
  plan_price_type = (SELECT MAX(s.answers ->> 'priceType') FROM signups s WHERE s.user_id = accounts.user_id AND s.state = 'registered'),
  plan_coupon = (SELECT MAX(s.answers ->> 'couponId') FROM signups s WHERE s.user_id = accounts.user_id AND s.state = 'registered')
WHERE user_id IN (SELECT user_id FROM signups WHERE state = 'registered');
/* The stand-in kept no book of them: whoever signed up with it chooses a plan anew. */
UPDATE accounts SET plan_subscription_reference = NULL WHERE plan_subscription_reference LIKE 'demo%';
UPDATE accounts SET plan_state = 'active' WHERE plan_subscription_reference IS NOT NULL;
/* A title that its plan has no room for: hidden from sale, and otherwise as it was. */
ALTER TABLE publications ADD COLUMN rested_at {moment};
/* Changes that are asked of the provider: written before, so that a lost answer can be asked for. */
CREATE TABLE plan_changes (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  change_key VARCHAR(100) NOT NULL UNIQUE,
  /* change or start. */
  kind VARCHAR(10) NOT NULL,
  /* open, done, declined or given-up. */
  state VARCHAR(10) NOT NULL,
  from_plan VARCHAR(60),
  to_plan VARCHAR(60) NOT NULL,
  price_type VARCHAR(10) NOT NULL,
  /* Pence that were shown to be charged at once. */
  amount {money} NOT NULL,
  /* The titles that rest from then on. */
  resting {json} NOT NULL,
  /* The provider's page on which it is paid. */
  session VARCHAR(200),
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE UNIQUE INDEX plan_changes_open ON plan_changes (publisher_id) WHERE state = 'open';
CREATE INDEX plan_changes_waiting ON plan_changes (updated_at) WHERE state = 'open';
/* What publishers were billed for their plans, in the installation's own numbers. */
CREATE TABLE platform_invoices (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  reference VARCHAR(100) NOT NULL UNIQUE,
  number {int} NOT NULL UNIQUE,
  state VARCHAR(20) NOT NULL,
  issued_at {moment} NOT NULL,
  paid_at {moment},
  total {money} NOT NULL,
  /* Of the total; null where none is charged. */
  vat_percent {int},
  vat {money} NOT NULL,
  lines {json} NOT NULL,
  /* Name and address of both as they were. */
  seller {json} NOT NULL,
  customer {json} NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE INDEX platform_invoices_publisher ON platform_invoices (publisher_id, issued_at);
/* One row: the last number that was given. */
CREATE TABLE platform_invoice_series (
  id {id},
  name VARCHAR(20) NOT NULL UNIQUE,
  last_number {int} NOT NULL DEFAULT 0
);
/* The book of the stand-in for the plans' provider. */
CREATE TABLE demo_plans (
  id {id},
  subscription_reference VARCHAR(100) NOT NULL UNIQUE,
  customer_reference VARCHAR(100) NOT NULL,
  book {json} NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
`
