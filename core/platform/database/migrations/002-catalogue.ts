/** Publications, prices, back issues, promo codes, API keys, page views. */
export const catalogue = `
CREATE TABLE publications (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  publication_name VARCHAR(200) NOT NULL,
  url_key VARCHAR(100) NOT NULL,
  /* Lower case: the handle is unique without regard to case. */
  url_key_lower VARCHAR(100) NOT NULL UNIQUE,
  issues_per_year {int} NOT NULL DEFAULT 12,
  color CHAR(7) NOT NULL DEFAULT '#1F2933',
  publication_info TEXT NOT NULL DEFAULT '',
  web_address VARCHAR(500) NOT NULL DEFAULT '',
  email_address VARCHAR(254) NOT NULL DEFAULT '',
  order_email_address VARCHAR(254) NOT NULL DEFAULT '',
  cc_email VARCHAR(254) NOT NULL DEFAULT '',
  sample_edition VARCHAR(500) NOT NULL DEFAULT '',
  cover_image VARCHAR(200),
  logo_image VARCHAR(200),
  sells_back_issues {flag} NOT NULL DEFAULT {no},
  digital_is_free {flag} NOT NULL DEFAULT {no},
  print_is_free {flag} NOT NULL DEFAULT {no},
  bundle_is_free {flag} NOT NULL DEFAULT {no},
  question_a VARCHAR(500) NOT NULL DEFAULT '',
  question_b VARCHAR(500) NOT NULL DEFAULT '',
  question_c VARCHAR(500) NOT NULL DEFAULT '',
  question_d VARCHAR(500) NOT NULL DEFAULT '',
  question_e VARCHAR(500) NOT NULL DEFAULT '',
  ios_app_link VARCHAR(500) NOT NULL DEFAULT '',
  android_app_link VARCHAR(500) NOT NULL DEFAULT '',
  kindle_app_link VARCHAR(500) NOT NULL DEFAULT '',
  digital_edition_link VARCHAR(500) NOT NULL DEFAULT '',
  facebook VARCHAR(500) NOT NULL DEFAULT '',
  twitter VARCHAR(500) NOT NULL DEFAULT '',
  instagram VARCHAR(500) NOT NULL DEFAULT '',
  youtube VARCHAR(500) NOT NULL DEFAULT '',
  email_text TEXT NOT NULL DEFAULT '',
  email_end TEXT NOT NULL DEFAULT '',
  receipt_text TEXT NOT NULL DEFAULT '',
  renew_text TEXT NOT NULL DEFAULT '',
  reader_platform_key VARCHAR(200),
  /* How many unique references were ever made, and the random shift that hides it. */
  references_made {ref} NOT NULL DEFAULT 0,
  reference_shift {int} NOT NULL DEFAULT 0,
  removed_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE INDEX publications_publisher ON publications (publisher_id);
CREATE TABLE publication_prices (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  product VARCHAR(10) NOT NULL,
  term_months {int} NOT NULL,
  band CHAR(2) NOT NULL,
  is_recurring {flag} NOT NULL,
  amount {money} NOT NULL,
  UNIQUE (publication_id, product, term_months, band, is_recurring)
);
CREATE TABLE back_issues (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  volume VARCHAR(100) NOT NULL,
  description VARCHAR(500) NOT NULL DEFAULT '',
  /* Null is unlimited. */
  stock {int},
  price {money},
  price_us {money},
  price_eu {money},
  postage {money},
  postage_us {money},
  postage_eu {money},
  cover_image VARCHAR(200),
  removed_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  CHECK (stock IS NULL OR stock >= 0)
);
CREATE INDEX back_issues_publication ON back_issues (publication_id);
CREATE TABLE promo_codes (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  name VARCHAR(200) NOT NULL,
  code VARCHAR(60) NOT NULL,
  code_key VARCHAR(60) NOT NULL,
  discount_percent {int} NOT NULL,
  starts_on {day},
  ends_on {day},
  /* Zero is unlimited. */
  uses {int} NOT NULL DEFAULT 0,
  used {int} NOT NULL DEFAULT 0,
  applicable_products {json} NOT NULL,
  removed_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  CHECK (used >= 0 AND (uses = 0 OR used <= uses)),
  CHECK (discount_percent BETWEEN 0 AND 100)
);
CREATE UNIQUE INDEX promo_codes_code ON promo_codes (publication_id, code_key) WHERE removed_at IS NULL;
CREATE TABLE api_keys (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  key_hash CHAR(64) NOT NULL UNIQUE,
  key_sealed TEXT NOT NULL,
  last_four CHAR(4) NOT NULL,
  made_by {ref} REFERENCES users (id),
  last_used_at {moment},
  revoked_at {moment},
  created_at {moment} NOT NULL
);
CREATE INDEX api_keys_publication ON api_keys (publication_id);
CREATE TABLE page_views (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  viewed_on {day} NOT NULL,
  /* A salted hash that changes every day: counts visitors without knowing them. */
  visitor_hash CHAR(32) NOT NULL,
  views {int} NOT NULL DEFAULT 1,
  UNIQUE (publication_id, viewed_on, visitor_hash)
);
`
