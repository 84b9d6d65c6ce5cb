import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { closedBy, lockedClosedUntil, openDay } from '../ledger/ledger-close-states.rows.ts'
import { entriesOf, isRevenue, setServicePeriod } from '../ledger/ledger-entries.rows.ts'
import { servicePostedOn, untilPosted } from '../ledger/posted-copies.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { lockedOrders, type OrderRow, Orders } from './orders.rows.ts'

/** How many orders are marked in one call. */
const maxPosted = 500

const OrdersInput = z.object({
  orderIds: z
    .array(z.coerce.number('The order was not found').int(), 'Choose at least one order')
    .min(1, 'Choose at least one order')
    .max(maxPosted, `Choose ${maxPosted} orders or fewer`),
  /** Checks all orders and changes none. */
  dryRun: z.boolean().default(false),
})

/**
 * Records that the copies of these back-issue orders of the acting publisher were posted today: their revenue is earned, and they never
 * return to stock. Idempotent. Throws `conflict` if one of them is not to be posted.
 */
export const postCopies = useCase({
  permission: 'back-issue:write',
  input: OrdersInput,
  async run(ctx, { orderIds, dryRun }): Promise<{ posted: number }> {
    const orders = await ordersOf(ctx, orderIds)
    refuseAny(orders.map((order) => ({ order, problem: postingProblem(order) })))
    const toPost = orders.filter(({ postedOn }) => postedOn === null)
    if (dryRun) return { posted: toPost.length }
    for (const publisherId of new Set(toPost.map((order) => order.publisherId))) {
      const ofPublisher = toPost.filter((order) => order.publisherId === publisherId)
      const on = openDay(await lockedClosedUntil(ctx, publisherId), dayOf(ctx.now(), ctx.settings.timeZone))
      for (const { id } of ofPublisher) {
        await Orders.update(ctx, { id }, { postedOn: on })
        await recordAudit(ctx, 'post-copies', { type: 'order', id, publisherId }, { on })
      }
      const ids = ofPublisher.map(({ id }) => id)
      await setServicePeriod(ctx, ids, { from: untilPosted, to: servicePostedOn(on) })
    }
    return { posted: toPost.length }
  },
})

/** The orders of the acting publisher, locked. Throws `notFound` if one belongs to another publisher. */
async function ordersOf(ctx: AppContext, ids: readonly number[]): Promise<OrderRow[]> {
  const orders = await lockedOrders(ctx, { ids, ...tenantOf(ctx) })
  if (orders.length < new Set(ids).size) throw notFound('The order')
  return orders
}

/** Throws `conflict` with every order that has a problem, by its number. */
function refuseAny(checked: readonly { order: OrderRow; problem: string | undefined }[]): void {
  const refused = checked.filter(({ problem }) => problem !== undefined)
  if (refused.length === 0) return
  throw conflict(refused.map(({ order, problem }) => `${order.orderNumber} ${problem}`).join('. '), {
    ...(checked.length > 1 && { hint: 'Leave them out, and mark the others.' }),
  })
}

/** Why an order has no copies to post, as text after its number; undefined if it has. */
function postingProblem({ kind, state }: OrderRow): string | undefined {
  if (kind !== 'back-issues') return 'has no back issues'
  return state === 'paid' ? undefined : 'is not paid, or was refunded'
}

/**
 * Undoes the posting of these orders' copies: they are to be posted again, and their revenue is deferred again. Orders that
 * were not posted are unchanged. Throws `conflict` if the month of one of them is closed, part of it was refunded, or it was
 * sold before posting was recorded.
 */
export const unpostCopies = useCase({
  permission: 'back-issue:write',
  input: OrdersInput,
  async run(ctx, { orderIds, dryRun }): Promise<{ unposted: number }> {
    const posted = (await ordersOf(ctx, orderIds)).filter(isPosted)
    const checked = []
    for (const order of posted) checked.push({ order, problem: await unpostingProblem(ctx, order) })
    refuseAny(checked)
    if (dryRun) return { unposted: posted.length }
    for (const { id, publisherId, postedOn } of posted) {
      await Orders.update(ctx, { id }, { postedOn: null })
      await recordAudit(ctx, 'unpost-copies', { type: 'order', id, publisherId }, { on: postedOn })
      await setServicePeriod(ctx, [id], { from: servicePostedOn(postedOn), to: untilPosted })
    }
    return { unposted: posted.length }
  },
})

type PostedOrder = OrderRow & { postedOn: string }

const isPosted = (order: OrderRow): order is PostedOrder => order.postedOn !== null

async function unpostingProblem(
  ctx: AppContext,
  { id, publisherId, postedOn }: PostedOrder,
): Promise<string | undefined> {
  if (closedBy(await lockedClosedUntil(ctx, publisherId))(postedOn)) return 'was posted in a month that is closed'
  const revenue = (await entriesOf(ctx, id)).filter(isRevenue)
  if (revenue.length > 1) return 'was refunded, in whole or in part: its copies stay marked as posted'
  return revenue[0]?.serviceEndOn === postedOn
    ? undefined
    : 'was sold before posting was recorded: it was earned with its sale'
}
