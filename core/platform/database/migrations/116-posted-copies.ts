/**
 * When the copies of a back-issue order were posted: their revenue is earned on that day. Older sales were earned immediately, so they count as
 * posted on the day of sale.
 */
export const postedCopies = `
ALTER TABLE orders ADD COLUMN posted_on {day};
UPDATE orders SET posted_on = ordered_on WHERE kind = 'back-issues' AND state IN ('paid', 'refunded', 'reversed');
CREATE INDEX orders_to_post ON orders (publisher_id, ordered_on, id) WHERE kind = 'back-issues' AND state = 'paid' AND posted_on IS NULL;
ALTER TABLE ledger_entries ADD COLUMN postage {money} NOT NULL DEFAULT 0;
`
