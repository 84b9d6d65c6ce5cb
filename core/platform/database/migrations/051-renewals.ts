/** On one line, as a migration requires of a statement for one engine. */
const fill = (days: string) =>
  `UPDATE orders SET
     renewed_after = (SELECT CASE WHEN MIN(n.ordered_on) <= orders.sub_end_on THEN 0 ELSE ${days} END FROM orders n
       WHERE n.reader_id = orders.reader_id AND n.state = 'paid' AND n.sub_end_on > orders.sub_end_on),
     is_renewal = EXISTS (SELECT 1 FROM orders e
       WHERE e.reader_id = orders.reader_id AND e.state = 'paid' AND e.sub_end_on < orders.sub_end_on)
   WHERE reader_id IS NOT NULL AND sub_end_on IS NOT NULL;`.replaceAll(/\s+/g, ' ')

/**
 * Which order renews which, stored with each order of a term, so that a cohort of any month is counted from an index; and indexes for the
 * growth figures: terms by their end, orders by day and origin, refunds by day.
 */
export const renewals = `
/* Days from the last day of the term to the order of the reader's next one; 0 where that came before it was over, null while there is none. */
ALTER TABLE orders ADD COLUMN renewed_after {int};
/* Whether the reader had an earlier paid term. */
ALTER TABLE orders ADD COLUMN is_renewal {flag} NOT NULL DEFAULT {no};
{sqlite} ${fill('CAST(julianday(MIN(n.ordered_on)) - julianday(orders.sub_end_on) AS INTEGER)')}
{postgres} ${fill('MIN(n.ordered_on) - orders.sub_end_on')}
CREATE INDEX orders_terms ON orders (publication_id, sub_end_on, renewed_after, currency, amount) WHERE state = 'paid' AND sub_end_on IS NOT NULL;
CREATE INDEX orders_origin ON orders (publication_id, ordered_on, state, kind, is_renewal, is_gift, channel, promo_code, currency, amount);
CREATE INDEX ledger_entries_returned ON ledger_entries (publication_id, entered_on) WHERE kind <> 'sale';
`
