import { z } from 'zod'
import { asNullableInstant } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

/** The account under whose email an order was placed, with its readers and other orders, the newest first. */
export interface OrderBuyer {
  email: string
  firstSubStartOn: Day | null
  lastLoginAt: Date | null
  readers: { id: number; name: string; uniqueReference: string }[]
  /** Its other paid orders at the publication. */
  otherOrders: { id: number; orderNumber: string; orderedOn: Day; productName: string }[]
  /** Whether each list leaves some out. */
  hasMore: { readers: boolean; otherOrders: boolean }
}

/** The search finds the others. */
const maxListed = 10

/** The buyer's account of one of the acting publisher's orders; null before payment has made one. */
export const getOrderBuyer = useCase({
  permission: 'order:read',
  input: z.object({ id: z.coerce.number('The order was not found').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<OrderBuyer | null> {
    const { publisherId } = tenantOf(ctx)
    const [buyer] = await ctx.db.query<{
      id: number
      publication_id: number
      email: string
      first_sub_start_on: Day | null
      last_login_at: Date | string | null
    }>(
      `SELECT b.id, b.publication_id, b.email, b.first_sub_start_on, b.last_login_at
       FROM orders o JOIN buyers b ON b.id = o.buyer_id AND b.publication_id = o.publication_id
       WHERE o.id = :id ${publisherId === undefined ? '' : 'AND o.publisher_id = :publisherId'}`,
      { id, publisherId: publisherId ?? null },
    )
    if (!buyer) return null
    const values = { buyerId: buyer.id, publicationId: buyer.publication_id, id, read: maxListed + 1 }
    const readers = await ctx.db.query<{ id: number; name: string; uniqueReference: string }>(
      `SELECT id, full_name AS name, unique_reference AS "uniqueReference" FROM readers
       WHERE buyer_id = :buyerId AND publication_id = :publicationId ORDER BY id DESC LIMIT :read`,
      values,
    )
    const otherOrders = await ctx.db.query<OrderBuyer['otherOrders'][number]>(
      `SELECT id, order_number AS "orderNumber", ordered_on AS "orderedOn", product_name AS "productName" FROM orders
       WHERE buyer_id = :buyerId AND publication_id = :publicationId AND id <> :id
         AND state IN ('paid', 'refunded', 'reversed') ORDER BY id DESC LIMIT :read`,
      values,
    )
    return {
      email: buyer.email,
      firstSubStartOn: buyer.first_sub_start_on,
      lastLoginAt: asNullableInstant(buyer.last_login_at),
      readers: readers.slice(0, maxListed),
      otherOrders: otherOrders.slice(0, maxListed),
      hasMore: { readers: readers.length > maxListed, otherOrders: otherOrders.length > maxListed },
    }
  },
})
