/** Offers that staff make to readers chosen by a filter: a draft until it is sent. */
export const blanketOffers = `
CREATE TABLE blanket_offers (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  publication_id {ref} NOT NULL REFERENCES publications (id),
  name VARCHAR(100) NOT NULL,
  /* Whom: any, running or ended; null and blank are all. */
  status VARCHAR(10) NOT NULL,
  ends_from {day},
  ends_until {day},
  product VARCHAR(10),
  country VARCHAR(2) NOT NULL DEFAULT '',
  offer_product VARCHAR(10),
  offer_term_months {int},
  offer_percent {int},
  offer_prices {json},
  /* The last day of its links and codes. */
  good_until {day} NOT NULL,
  subject VARCHAR(200) NOT NULL DEFAULT '',
  body TEXT NOT NULL DEFAULT '',
  /* The day it was sent as of; null: a draft. */
  sent_on {day},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE INDEX blanket_offers_publication ON blanket_offers (publication_id, id);
`
