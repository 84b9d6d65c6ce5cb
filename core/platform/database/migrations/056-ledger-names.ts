/**
 * PostgreSQL reads a page from an index alone only if the index has every column used in its expressions: without the name itself it looked
 * up each order before the page. SQLite needs only the expression.
 */
export const ledgerNames = ['first_name', 'last_name']
  .map(
    (name) => `
{postgres} DROP INDEX orders_ledger_${name};
{postgres} CREATE INDEX orders_ledger_${name} ON orders (publisher_id, LOWER(${name}), id, state, ${name});
`,
  )
  .join('')
