/**
 * The renewal series: mails and letters before and after the end of subscriptions that do not renew automatically. A publication without
 * its own efforts uses the default ones.
 */
export const renewalSeries = `
CREATE TABLE renewal_series (
  id {id},
  publication_id {ref} NOT NULL UNIQUE REFERENCES publications (id),
  is_on {flag} NOT NULL DEFAULT TRUE,
  has_own_efforts {flag} NOT NULL DEFAULT FALSE,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE TABLE renewal_efforts (
  id {id},
  publication_id {ref} NOT NULL REFERENCES publications (id),
  /* Days after the last day that counts; before it where negative. */
  day_offset {int} NOT NULL,
  channel VARCHAR(10) NOT NULL,
  subject VARCHAR(200) NOT NULL DEFAULT '',
  body TEXT NOT NULL DEFAULT '',
  /* The second text of a test; empty where there is none. */
  subject_b VARCHAR(200) NOT NULL DEFAULT '',
  body_b TEXT NOT NULL DEFAULT '',
  offer_product VARCHAR(10),
  offer_term_months {int},
  offer_percent {int},
  offer_prices {json},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE UNIQUE INDEX renewal_efforts_day ON renewal_efforts (publication_id, day_offset);
CREATE TABLE reader_efforts (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  publication_id {ref} NOT NULL REFERENCES publications (id),
  reader_id {ref} NOT NULL,
  /* The offer to a list that it is one of; null: of the series. */
  blanket_id {ref},
  /* The last day of the term that it is about. */
  cycle_on {day} NOT NULL,
  day_offset {int} NOT NULL,
  /* due, skipped or produced. */
  state VARCHAR(10) NOT NULL,
  planned_on {day} NOT NULL,
  kind VARCHAR(10) NOT NULL,
  channel VARCHAR(10) NOT NULL,
  variant CHAR(1) NOT NULL,
  addressee VARCHAR(10) NOT NULL,
  /* The effort whose mail names this record too. */
  together_with {ref},
  /* What the link offers; null where the reader chooses. */
  product VARCHAR(10),
  term_months {int},
  price {money},
  currency CHAR(3),
  promo_code_id {ref},
  good_until {day} NOT NULL,
  opened_at {moment},
  /* The order that renewed after it. */
  order_id {ref},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE UNIQUE INDEX reader_efforts_cycle ON reader_efforts (reader_id, cycle_on, day_offset) WHERE blanket_id IS NULL;
CREATE UNIQUE INDEX reader_efforts_blanket ON reader_efforts (blanket_id, reader_id) WHERE blanket_id IS NOT NULL;
CREATE INDEX reader_efforts_reader ON reader_efforts (reader_id, planned_on);
CREATE INDEX reader_efforts_cohort ON reader_efforts (publication_id, cycle_on, day_offset);
CREATE INDEX reader_efforts_order ON reader_efforts (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX reader_efforts_together ON reader_efforts (together_with) WHERE together_with IS NOT NULL;
/* A code that was made for one reader: nobody else can use it. */
ALTER TABLE promo_codes ADD COLUMN reader_id {ref};
CREATE INDEX promo_codes_reader ON promo_codes (reader_id) WHERE reader_id IS NOT NULL;
/* The effort by whose link it was ordered. */
ALTER TABLE orders ADD COLUMN effort_id {ref};
CREATE INDEX orders_effort ON orders (effort_id) WHERE effort_id IS NOT NULL;
`
