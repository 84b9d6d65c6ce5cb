/** For a search of a part of an order number: the ends of the numbers from each position at which three or more of its characters can begin. */
export const numberParts = [4, 5, 6, 7, 8]
  .map((place) => `CREATE INDEX orders_number_${place} ON orders (substr(order_number, ${place}));`)
  .concat('ANALYZE orders;')
  .join('\n')
