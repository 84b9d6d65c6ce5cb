const texts = [
  ['last', 'LOWER(last_name)'],
  ['first', 'LOWER(first_name)'],
  ['product', 'product_name'],
]

/**
 * The distinct names and products in a publisher's orders: words are searched in these few texts, and the orders that contain them are
 * found by indexes.
 */
export const orderTexts = `
CREATE TABLE order_texts (
  publisher_id {ref} NOT NULL,
  kind VARCHAR(10) NOT NULL,
  text VARCHAR(200) NOT NULL,
  PRIMARY KEY (publisher_id, kind, text)
);
${texts
  .map(
    ([kind, text]) =>
      `INSERT INTO order_texts SELECT publisher_id, '${kind}', ${text} FROM orders WHERE state IN ('paid', 'refunded', 'reversed') GROUP BY publisher_id, ${text};\n`,
  )
  .join('')}
ANALYZE order_texts;
`
