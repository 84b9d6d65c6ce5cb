/**
 * PostgreSQL reads a page from an index alone only where every column stands in it that an expression of the index is made of: without the
 * name itself it looked up each order before the page. SQLite does with the expression.
 */
export const ledgerNames = ['first_name', 'last_name']
  .map(
    (name) => `
{postgres} DROP INDEX orders_ledger_${name};
{postgres} CREATE INDEX orders_ledger_${name} ON orders (publisher_id, LOWER(${name}), id, state, ${name});
`,
  )
  .join('')
