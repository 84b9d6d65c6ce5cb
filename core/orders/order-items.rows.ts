import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, integer, nullable, ref, text } from '../table.ts'

/** The lines of an order. Amounts are minor units. */
export const OrderItems = defineTable('order_items', {
  id: id(),
  orderId: ref(),
  kind: text<'subscription' | 'back-issue'>(),
  backIssueId: nullable(ref()),
  description: text(),
  quantity: defaulted(integer()),
  unitPrice: integer(),
  postage: defaulted(integer()),
  discount: defaulted(integer()),
  amount: integer(),
  /** The state of a back issue's copy; null if copies are not counted. */
  copyState: nullable(text<'taken' | 'given-back' | 'oversold'>()),
})

/** The part of an order's amount that is the postage of its back issues. */
export async function postageOf({ db }: Pick<AppContext, 'db'>, orderId: number): Promise<number> {
  const [row] = await db.query<{ postage: number }>(
    `SELECT COALESCE(SUM(CASE WHEN postage < amount THEN postage ELSE amount END), 0) AS postage
     FROM order_items WHERE order_id = :orderId AND kind = 'back-issue'`,
    { orderId },
  )
  return Number(row?.postage ?? 0)
}
