/** The sort orders of the list of orders: a page is read from the index, however many orders there are. */
const sorts = {
  number: 'order_number',
  title: 'title',
  first_name: 'LOWER(first_name)',
  last_name: 'LOWER(last_name)',
  product: 'product_name',
  payment: 'payment_type',
  amount: 'amount',
  currency: 'currency',
  starts: 'sub_start_on',
  ends: 'sub_end_on',
  gift: 'is_gift',
}

/**
 * Pages and counts of the sales ledger from indexes alone: each ends with the order and its state, which every page needs, and the one by
 * day contains the searched columns. The totals for which the old indexes of entries existed are stored in ledger_days.
 */
export const ledgerPages = `
DROP INDEX orders_publisher;
CREATE INDEX orders_ledger ON orders (publisher_id, ordered_on, id, state, publication_id, order_number, first_name, last_name, product_name, amount);
DROP INDEX orders_publication;
CREATE INDEX orders_publication ON orders (publication_id, ordered_on, id, state, publisher_id);
${Object.entries(sorts)
  .map(([name, on]) => `CREATE INDEX orders_ledger_${name} ON orders (publisher_id, ${on}, id, state);\n`)
  .join('')}
DROP INDEX ledger_entries_publisher;
CREATE INDEX ledger_entries_publisher ON ledger_entries (publisher_id, entered_on, kind, order_id);
`
