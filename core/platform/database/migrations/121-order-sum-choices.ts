const copied = ['payment_type', 'product', 'channel']

/**
 * The unchanging filter columns of the ledger, next to the totals of each order: the totals of a payment type or a product are read from one index
 * instead of being looked up order by order. And all names, the product and the publication in the indexes of names, for searches of several words:
 * PostgreSQL reads an index alone only if it contains the name itself and not only its lower case.
 */
export const orderSumChoices = `
ALTER TABLE order_sums ADD COLUMN payment_type VARCHAR(30) NOT NULL DEFAULT '';
ALTER TABLE order_sums ADD COLUMN product VARCHAR(10);
ALTER TABLE order_sums ADD COLUMN channel VARCHAR(20) NOT NULL DEFAULT '';
UPDATE order_sums SET ${copied.map((name) => `${name} = o.${name}`).join(', ')} FROM orders o WHERE o.id = order_sums.order_id;
CREATE INDEX order_sums_choices ON order_sums (publisher_id, payment_type, product, channel, ordered_on, publication_id, currency, net, refunded, fulfilled);
${['first_name', 'last_name']
  .map(
    (name) => `DROP INDEX orders_ledger_${name};
CREATE INDEX orders_ledger_${name} ON orders (publisher_id, LOWER(${name}), id, state, first_name, last_name, product_name, publication_id);
`,
  )
  .join('')}
ANALYZE order_sums;
ANALYZE orders;
`
