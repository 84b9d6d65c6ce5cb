/**
 * For pages of orders sold or entered in many days: the day of the order next to that of its sale, so that the newest are found in one index; the
 * few entries that are no sales, by their day; and on PostgreSQL the days in the primary key, so that the sale of such an entry is looked up there.
 */
export const entryDays = `
DROP INDEX order_sums_sold;
CREATE INDEX order_sums_sold ON order_sums (publisher_id, sold_on, ordered_on, order_id, publication_id, currency, net, refunded, fulfilled);
CREATE INDEX ledger_entries_later ON ledger_entries (publisher_id, entered_on, order_id) WHERE kind <> 'sale';
{postgres} ALTER TABLE order_sums DROP CONSTRAINT order_sums_pkey;
{postgres} ALTER TABLE order_sums ADD PRIMARY KEY (order_id) INCLUDE (publisher_id, publication_id, sold_on, ordered_on);
ANALYZE order_sums;
ANALYZE ledger_entries;
`
