/**
 * The first steps of a new publisher, test orders, and example titles: at most one per publisher. Test orders have their own table, so that
 * nothing that counts orders can count them.
 */
export const firstRun = `
ALTER TABLE publications ADD COLUMN is_example {flag} NOT NULL DEFAULT {no};
CREATE UNIQUE INDEX publications_example ON publications (publisher_id) WHERE is_example;
CREATE TABLE first_runs (
  publisher_id {ref} PRIMARY KEY NOT NULL REFERENCES users (id),
  previewed_at {moment},
  test_ordered_at {moment},
  shared_at {moment},
  hidden_at {moment},
  finished_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE TABLE test_orders (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  idempotency_key VARCHAR(100) NOT NULL UNIQUE,
  product_name VARCHAR(200) NOT NULL,
  country CHAR(2) NOT NULL,
  currency CHAR(3) NOT NULL,
  price {money} NOT NULL,
  discount {money} NOT NULL,
  amount {money} NOT NULL,
  promo_code VARCHAR(60) NOT NULL,
  made_by {ref},
  created_at {moment} NOT NULL
);
CREATE INDEX test_orders_publication ON test_orders (publication_id, id);
`
