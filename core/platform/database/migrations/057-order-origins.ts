/** Whether orders were renewed is in the index from which order sources are counted: without it each order of a year was read. */
export const orderOrigins = `
DROP INDEX orders_origin;
CREATE INDEX orders_origin ON orders (publication_id, ordered_on, state, kind, is_renewal, is_gift, channel, promo_code, currency, amount, renewed_after);
`
