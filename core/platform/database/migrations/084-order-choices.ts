/**
 * What the sales ledger is filtered by, in an index of its own: orders that few filters fit are found, and those that many fit counted,
 * without reading each order. What was given back, by order: without it every entry was looked at for its kind.
 */
export const orderChoices = `
CREATE INDEX orders_choices ON orders (publisher_id, ordered_on, id, state, publication_id, payment_type, product, kind, is_gift, is_renewal, channel);
CREATE INDEX ledger_entries_given_back ON ledger_entries (publisher_id, order_id, kind, amount, entered_on) WHERE kind <> 'sale';
ANALYZE orders;
ANALYZE ledger_entries;
`
