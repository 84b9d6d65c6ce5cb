/** Which orders were renewed stands in the index that the sources of orders are counted from: without it each order of a year was read. */
export const orderOrigins = `
DROP INDEX orders_origin;
CREATE INDEX orders_origin ON orders (publication_id, ordered_on, state, kind, is_renewal, is_gift, channel, promo_code, currency, amount, renewed_after);
`
