/**
 * The day of sale in the totals of each order, and in their sort indexes: orders sold or entered over many days are listed, counted and
 * summed without reading the entries of each day.
 */
export const orderSoldDays = `
ALTER TABLE order_sums ADD COLUMN sold_on {day};
${['net', 'refunded', 'fulfilled', 'liability', 'day'].map((name) => `DROP INDEX order_sums_${name};\n`).join('')}
UPDATE order_sums SET sold_on = (SELECT MIN(l.entered_on) FROM ledger_entries l WHERE l.order_id = order_sums.order_id AND l.kind = 'sale');
${['net', 'refunded', 'fulfilled', 'liability']
  .map(
    (sum) =>
      `CREATE INDEX order_sums_${sum} ON order_sums (publisher_id, ${sum}, order_id, publication_id, ordered_on, sold_on);\n`,
  )
  .join('')}
CREATE INDEX order_sums_day ON order_sums (publisher_id, ordered_on, order_id, publication_id, currency, net, refunded, fulfilled, sold_on);
CREATE INDEX order_sums_sold ON order_sums (publisher_id, sold_on, order_id, publication_id, currency, net, refunded, fulfilled);
ANALYZE order_sums;
`
