/**
 * Separate indexes for the filters of the sales ledger: one index of all filters was read from end to end for each. Few orders are gifts,
 * renewals, back issues or taken by phone, so that their indexes are small.
 */
export const orderChoiceIndexes = `
CREATE INDEX orders_product ON orders (publisher_id, product, ordered_on, id, state, publication_id);
CREATE INDEX orders_gifts ON orders (publisher_id, ordered_on, id, state, publication_id, kind, is_gift) WHERE is_gift;
CREATE INDEX orders_renewals ON orders (publisher_id, ordered_on, id, state, publication_id, kind, is_gift, is_renewal) WHERE is_renewal;
CREATE INDEX orders_issues ON orders (publisher_id, ordered_on, id, state, publication_id, kind) WHERE kind = 'back-issues';
CREATE INDEX orders_taken ON orders (publisher_id, ordered_on, id, state, publication_id, channel) WHERE channel <> 'storefront';
ANALYZE orders;
`
