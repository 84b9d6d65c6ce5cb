/** SQL: whether a publication has a price or a free product. A storefront without either is open and sells nothing. */
export function isOnSaleSql(publication: string): string {
  const free = ['digital', 'print', 'bundle'].map((product) => `${publication}.${product}_is_free`)
  const priced = `EXISTS (SELECT 1 FROM publication_prices x WHERE x.publication_id = ${publication}.id AND x.amount > 0)`
  return `(${[...free, priced].join(' OR ')})`
}
