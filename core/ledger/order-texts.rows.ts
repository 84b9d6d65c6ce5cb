import type { AppContext } from '../context.ts'
import { defineTable, ref, text } from '../table.ts'

/** The searched texts of an order `orders o`, as SQL: the values stored in `order_texts`, each indexed on `orders`. */
export const orderTextKinds = {
  last: 'LOWER(o.last_name)',
  first: 'LOWER(o.first_name)',
  product: 'o.product_name',
} as const

export type OrderTextKind = keyof typeof orderTextKinds

/**
 * The names and products of a publisher's orders, each stored once: a search word is looked up here instead of in every order. A text stays when its
 * last order is deleted; it is never shown. `verify-ledger.ts` finds missing ones.
 */
export const OrderTexts = defineTable('order_texts', {
  publisherId: ref(),
  kind: text<OrderTextKind>(),
  text: text(),
})

/** SQL: the texts of the orders that match a condition on `orders o`. Inserts sort them, so that two transactions do not deadlock. */
const textsOf = (condition: string) =>
  `SELECT publisher_id, kind, text FROM (${Object.entries(orderTextKinds)
    .map(([kind, sql]) => `SELECT o.publisher_id, '${kind}' AS kind, ${sql} AS text FROM orders o WHERE ${condition}`)
    .join(' UNION ')}) t`

/** Stores the texts of orders that were added to the ledger. */
export async function storeOrderTexts(ctx: Pick<AppContext, 'db'>, orderIds: readonly number[]): Promise<void> {
  await ctx.db.run(
    `INSERT INTO order_texts (publisher_id, kind, text) ${textsOf('o.id IN (:orderIds)')} WHERE TRUE
     ORDER BY publisher_id, kind, text ON CONFLICT DO NOTHING`,
    { orderIds },
  )
}

interface OrderRange {
  after: number
  last: number
  publisherId: number | undefined
}

const inLedger = ({ publisherId }: OrderRange) =>
  `o.id > :after AND o.id <= :last AND o.state IN ('paid', 'refunded', 'reversed') ${publisherId === undefined ? '' : 'AND o.publisher_id = :publisherId'}`

const isMissingSql = `NOT EXISTS (SELECT 1 FROM order_texts k WHERE k.publisher_id = t.publisher_id AND k.kind = t.kind AND k.text = t.text)`

/** How many texts of these orders are not stored, so that searches do not find them. */
export async function missingOrderTexts(ctx: Pick<AppContext, 'db'>, range: OrderRange): Promise<number> {
  const [row] = await ctx.db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM (${textsOf(inLedger(range))}) t WHERE ${isMissingSql}`,
    { ...range, publisherId: range.publisherId ?? null },
  )
  return Number(row?.n ?? 0)
}

export async function addMissingOrderTexts(ctx: Pick<AppContext, 'db'>, range: OrderRange): Promise<void> {
  await ctx.db.run(
    `INSERT INTO order_texts (publisher_id, kind, text) SELECT publisher_id, kind, text FROM (${textsOf(inLedger(range))}) t
     WHERE ${isMissingSql} ORDER BY publisher_id, kind, text ON CONFLICT DO NOTHING`,
    { ...range, publisherId: range.publisherId ?? null },
  )
}
