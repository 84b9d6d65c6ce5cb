/**
 * VAT by line of an order and of its refunds, and a publisher's VAT settings. Older entries have no lines yet: they are computed on demand,
 * or with the next entry of their order.
 */
export const vat = `
CREATE TABLE vat_settings (
  id {id},
  publisher_id {ref} NOT NULL UNIQUE REFERENCES users (id),
  is_registered {flag} NOT NULL,
  registered_from {day},
  vat_number VARCHAR(20) NOT NULL DEFAULT '',
  uses_oss {flag} NOT NULL DEFAULT {no},
  oss_number VARCHAR(20) NOT NULL DEFAULT '',
  /* The print part of a bundle's price in basis points; null: not set. */
  bundle_print {int},
  /* The month in which a year's first VAT quarter begins: 1, 2 or 3. */
  quarter_month {int} NOT NULL DEFAULT 1,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE TABLE vat_rates (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  /* ISO alpha-2; EU and XX are groups. */
  country VARCHAR(2) NOT NULL,
  supply VARCHAR(12) NOT NULL,
  from_on {day} NOT NULL,
  /* Basis points. */
  rate {int} NOT NULL,
  scheme VARCHAR(10) NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  UNIQUE (publisher_id, country, supply, from_on)
);
CREATE TABLE vat_exchange_rates (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  month VARCHAR(7) NOT NULL,
  currency CHAR(3) NOT NULL,
  /* Units of the currency for a pound, in millionths. */
  rate {int} NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  UNIQUE (publisher_id, month, currency)
);
CREATE TABLE vat_lines (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  publication_id {ref} NOT NULL REFERENCES publications (id),
  order_id {ref} NOT NULL REFERENCES orders (id),
  item_id {ref} NOT NULL,
  /* The ledger entries they belong to. */
  kind VARCHAR(20) NOT NULL,
  cause VARCHAR(120) NOT NULL DEFAULT '',
  tax_point {day} NOT NULL,
  supply VARCHAR(12) NOT NULL,
  country VARCHAR(2) NOT NULL,
  billing_country VARCHAR(2) NOT NULL,
  shipping_country VARCHAR(2) NOT NULL,
  decided_by VARCHAR(10) NOT NULL,
  /* consumer or business. */
  customer VARCHAR(10) NOT NULL,
  scheme VARCHAR(10),
  rate {int},
  currency CHAR(3) NOT NULL,
  gross {money} NOT NULL,
  net {money},
  vat {money},
  net_gbp {money},
  vat_gbp {money},
  exchange_rate {int},
  problem VARCHAR(20) NOT NULL DEFAULT '',
  created_at {moment} NOT NULL,
  UNIQUE (order_id, kind, cause, item_id, supply)
);
CREATE INDEX vat_lines_publisher ON vat_lines (publisher_id, tax_point);
CREATE INDEX vat_lines_not_set ON vat_lines (publisher_id, order_id) WHERE problem <> '';
ALTER TABLE ledger_entries ADD COLUMN vat {money};
CREATE INDEX ledger_entries_without_vat ON ledger_entries (publisher_id, order_id) WHERE vat IS NULL;
ALTER TABLE refunds DROP COLUMN vat;
`
