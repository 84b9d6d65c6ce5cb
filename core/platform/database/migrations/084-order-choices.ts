/**
 * An index for the filters of the sales ledger: selective filters find their orders, and others count theirs, without reading each order.
 * And refunds by order: without it every entry was read for its kind.
 */
export const orderChoices = `
CREATE INDEX orders_choices ON orders (publisher_id, ordered_on, id, state, publication_id, payment_type, product, kind, is_gift, is_renewal, channel);
CREATE INDEX ledger_entries_given_back ON ledger_entries (publisher_id, order_id, kind, amount, entered_on) WHERE kind <> 'sale';
ANALYZE orders;
ANALYZE ledger_entries;
`
