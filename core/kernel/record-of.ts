/** An object with a value for each row of a table, by the rows' names. */
export function recordOf<Row extends { readonly name: string }, Value>(
  rows: readonly Row[],
  value: (row: Row) => Value,
): Record<Row['name'], Value> {
  return Object.fromEntries(rows.map((row) => [row.name, value(row)])) as Record<Row['name'], Value>
}
