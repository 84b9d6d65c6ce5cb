/** New prices that publishers set for automatic renewals, independent of the shop's prices. */
export const renewalPrices = `
CREATE TABLE renewal_price_changes (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  publication_id {ref} NOT NULL REFERENCES publications (id),
  product VARCHAR(10) NOT NULL,
  term_months {int} NOT NULL,
  band CHAR(2) NOT NULL,
  currency CHAR(3) NOT NULL,
  /* For whom: agreements made before this day and, where it says so, only at this price. */
  contracted_before {day} NOT NULL,
  old_price {money},
  new_price {money} NOT NULL,
  /* The first cycle it holds for. */
  effective_on {day} NOT NULL,
  /* open or withdrawn. */
  state VARCHAR(10) NOT NULL,
  created_by {ref},
  withdrawn_by {ref},
  withdrawn_at {moment},
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
CREATE INDEX renewal_price_changes_plan ON renewal_price_changes (publication_id, product, term_months, band) WHERE state = 'open';
CREATE INDEX renewal_price_changes_publisher ON renewal_price_changes (publisher_id, effective_on, id);
/* The change that gave an agreement its price, and the day it did; null where none has. */
ALTER TABLE payment_agreements ADD COLUMN price_change_id {ref};
ALTER TABLE payment_agreements ADD COLUMN price_changed_on {day};
CREATE INDEX payment_agreements_price_change ON payment_agreements (price_change_id) WHERE price_change_id IS NOT NULL;
/* The change a renewal was planned by, and what the term before cost, where that is not the same. */
ALTER TABLE renewals ADD COLUMN price_change_id {ref};
ALTER TABLE renewals ADD COLUMN old_amount {money};
CREATE INDEX renewals_price_change ON renewals (price_change_id) WHERE price_change_id IS NOT NULL;
`
