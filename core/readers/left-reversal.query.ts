import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Product } from '../pricing/plan-code.rules.ts'

/** An order whose term was not removed from the record when it was reversed. */
export interface LeftReversal {
  orderId: number
  orderNumber: string
  product: Product
  startOn: Day
  endOn: Day
}

/**
 * The order that bought a reader's term with this last day, if it was reversed while a later order continued the term, so that the record was left as it
 * was; null if there is none, or if it has been paid again since.
 */
export async function leftReversal(
  { db }: Pick<AppContext, 'db'>,
  { readerId, publicationId, endOn }: { readerId: number; publicationId: number; endOn: Day },
): Promise<LeftReversal | null> {
  const [order] = await db.query<LeftReversal>(
    `SELECT o.id AS "orderId", o.order_number AS "orderNumber", o.product, o.sub_start_on AS "startOn", o.sub_end_on AS "endOn"
     FROM orders o WHERE o.reader_id = :readerId AND o.publication_id = :publicationId AND o.sub_end_on = :endOn
       AND o.sub_start_on IS NOT NULL AND o.product IS NOT NULL AND o.state IN ('reversed', 'refunded')
       AND EXISTS (SELECT 1 FROM reader_events e WHERE e.reader_id = :readerId AND e.order_id = o.id AND e.kind = 'reversed' AND e.before IS NULL)
       AND NOT EXISTS (SELECT 1 FROM reader_events e WHERE e.reader_id = :readerId AND e.order_id = o.id AND e.kind = 'reversed' AND e.before IS NOT NULL)
     ORDER BY o.id DESC LIMIT 1`,
    { readerId, publicationId, endOn },
  )
  return order ? { ...order, orderId: Number(order.orderId) } : null
}
