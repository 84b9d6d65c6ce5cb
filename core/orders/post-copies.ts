import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { closedBy, heldClosedUntil, openDay } from '../ledger/ledger-close-states.rows.ts'
import { entriesOf, isRevenue, noteService } from '../ledger/ledger-entries.rows.ts'
import { servicePostedOn, untilPosted } from '../ledger/posted-copies.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { heldOrders, type OrderRow, Orders } from './orders.rows.ts'

/** How many orders are marked in one go. */
const maxPosted = 500

const orderId = z.coerce.number('The order was not found').int()

/**
 * Says that the copies of these back-issue orders of the acting publisher were posted today: what they brought is earned, and they never
 * come back into stock. Said again it changes nothing. Throws `conflict` where one of them is not to be posted.
 */
export const postCopies = useCase({
  permission: 'back-issue:write',
  input: z.object({
    orderIds: z
      .array(orderId, 'Choose at least one order')
      .min(1, 'Choose at least one order')
      .max(maxPosted, `Choose ${maxPosted} orders or fewer`),
  }),
  async run(ctx, { orderIds }): Promise<{ posted: number }> {
    const orders = await heldOrders(ctx, { ids: orderIds, ...tenantOf(ctx) })
    if (orders.length < new Set(orderIds).size) throw notFound('The order')
    const refused = orders.filter((order) => whyNotPosted(order) !== undefined)
    if (refused.length > 0) {
      throw conflict(refused.map((order) => `${order.orderNumber} ${whyNotPosted(order)}`).join('. '), {
        hint: 'Leave them out, and mark the others.',
      })
    }
    const toPost = orders.filter(({ postedOn }) => postedOn === null)
    for (const publisherId of new Set(toPost.map((order) => order.publisherId))) {
      const own = toPost.filter((order) => order.publisherId === publisherId)
      const on = openDay(await heldClosedUntil(ctx, publisherId), dayOf(ctx.now(), ctx.settings.timeZone))
      for (const { id } of own) {
        await Orders.update(ctx, { id }, { postedOn: on })
        await recordAudit(ctx, 'post-copies', { type: 'order', id, publisherId }, { on })
      }
      const ids = own.map(({ id }) => id)
      await noteService(ctx, ids, { from: untilPosted, to: servicePostedOn(on) })
    }
    return { posted: toPost.length }
  },
})

/** Why nothing of an order is to be posted, after its number; undefined where it is. */
function whyNotPosted({ kind, state }: OrderRow): string | undefined {
  if (kind !== 'back-issues') return 'has no back issues'
  return state === 'paid' ? undefined : 'is not paid, or was refunded'
}

/**
 * Takes back that the copies of an order were posted: they are to be posted again, and what they brought is deferred again. Throws
 * `conflict` once the month is closed, something of the order was given back, or it was sold before this was kept.
 */
export const unpostCopies = useCase({
  permission: 'back-issue:write',
  input: z.object({ orderId }),
  async run(ctx, { orderId: id }): Promise<void> {
    const [order] = await heldOrders(ctx, { ids: [id], ...tenantOf(ctx) })
    if (!order) throw notFound('The order')
    const { postedOn, publisherId } = order
    if (postedOn === null) return
    const problem = await whyStaysPosted(ctx, { ...order, postedOn })
    if (problem) throw conflict(problem)
    await Orders.update(ctx, { id }, { postedOn: null })
    await recordAudit(ctx, 'unpost-copies', { type: 'order', id, publisherId }, { on: postedOn })
    await noteService(ctx, [id], { from: servicePostedOn(postedOn), to: untilPosted })
  },
})

async function whyStaysPosted(
  ctx: AppContext,
  { id, publisherId, postedOn }: OrderRow & { postedOn: string },
): Promise<string | undefined> {
  if (closedBy(await heldClosedUntil(ctx, publisherId))(postedOn)) return 'The month in which it was posted is closed'
  const revenue = (await entriesOf(ctx, id)).filter(isRevenue)
  if (revenue.length > 1) return 'Part of this order was refunded: its copies stay marked as posted'
  return revenue[0]?.serviceEndOn === postedOn
    ? undefined
    : 'This order was sold before posting was kept: it was earned with its sale'
}
