/** Orders that were paid, whatever happened later. The buyer's own are sorted before gifts, the newest first. */
const lastPaidFor = (table: string) => `
  SELECT o.buyer_id FROM orders o
  WHERE o.reader_id = ${table}.id AND o.publication_id = ${table}.publication_id AND o.buyer_id IS NOT NULL
    AND o.state IN ('paid', 'refunded', 'reversed')
  ORDER BY o.is_gift, o.id DESC LIMIT 1`

/** The buyers who referred to a record: after a merge there may be several; the last to pay gets it. */
const pointedToBy = (table: string) => `
  SELECT b.id FROM buyers b WHERE b.reader_id = ${table}.id AND b.publication_id = ${table}.publication_id
  ORDER BY COALESCE((SELECT MAX(o.id) FROM orders o WHERE o.buyer_id = b.id AND o.reader_id = b.reader_id), 0) DESC, b.id LIMIT 1`

const linked = (table: string) => `
ALTER TABLE ${table} ADD COLUMN buyer_id {ref};
UPDATE ${table} SET buyer_id = COALESCE((${pointedToBy(table)}), (${lastPaidFor(table)}))
WHERE id IN (SELECT reader_id FROM buyers WHERE reader_id IS NOT NULL UNION SELECT reader_id FROM orders WHERE reader_id IS NOT NULL);
`

/**
 * The reference goes from the reader to its buyer, who may have any number of readers, own ones and gifts. Before, a buyer referred to the
 * one paid for last; the others are found by their orders.
 */
export const readerBuyers = `${linked('readers')}${linked('reader_backups')}
CREATE INDEX readers_buyer ON readers (buyer_id) WHERE buyer_id IS NOT NULL;
DROP INDEX buyers_reader;
ALTER TABLE buyers DROP COLUMN reader_id;
`
