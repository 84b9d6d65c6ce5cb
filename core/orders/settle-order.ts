import { recordAudit } from '../access/audit.ts'
import { giveBackCopies, retakeCopies } from '../back-issues/copies.ts'
import { type KeptBuyer, keepBuyer, linkBuyer } from '../buyers/keep-buyer.ts'
import type { AppContext } from '../context.ts'
import { type Day, dayOf } from '../kernel/dates.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { enterSale } from '../ledger/enter-sale.ts'
import { keepAgreement } from '../payments/keep-agreement.ts'
import type { ChargeAnswer } from '../payments/payment-gateway.ts'
import { giveBackPromoUse, takePromoUse } from '../promos/promo-uses.ts'
import { subscribeReader } from '../readers/subscribe-reader.ts'
import { asJson, type BuyerDraft, type OrderRow, type OrderState } from './order-row.ts'

/**
 * Brings a pending order to its end by the gateway's own answer. Whoever comes first wins a compare-and-set on its state; a second, a
 * late or a parallel answer changes nothing. Gives the order's state afterwards.
 */
export async function settleOrder(
  ctx: AppContext,
  { orderId, answer }: { orderId: number; answer: ChargeAnswer },
): Promise<OrderState> {
  if (answer.state === 'pending') return currentState(ctx, orderId)
  return ctx.db.transaction(async () => {
    if (answer.state === 'paid') {
      // Money that arrives after the order was given up is still an order.
      const order = await move(ctx, orderId, ['pending', 'cancelled'], 'paid')
      if (order) await fulfil(ctx, order, answer)
    } else {
      const order = await move(ctx, orderId, ['pending'], answer.state === 'declined' ? 'declined' : 'cancelled')
      if (order) await giveUp(ctx, order, answer)
    }
    return currentState(ctx, orderId)
  })
}

async function currentState(ctx: AppContext, orderId: number): Promise<OrderState> {
  const [row] = await ctx.db.query<{ state: OrderState }>(`SELECT state FROM orders WHERE id = :orderId`, { orderId })
  if (!row) throw notFound('The order')
  return row.state
}

async function move(
  ctx: AppContext,
  orderId: number,
  from: OrderState[],
  to: OrderState,
): Promise<OrderRow | undefined> {
  const [order] = await ctx.db.query<OrderRow>(
    `UPDATE orders SET state = :to, updated_at = :now, paid_at = CASE WHEN :to = 'paid' THEN CAST(:paidAt AS ${momentType(ctx)}) ELSE paid_at END
     WHERE id = :orderId AND state IN (:from) RETURNING *`,
    { orderId, from, to, now: ctx.now(), paidAt: ctx.now() },
  )
  return order
}

function momentType(ctx: AppContext): string {
  return ctx.db.dialect === 'postgres' ? 'TIMESTAMPTZ' : 'TEXT'
}

/** Everything a paid order means, together or not at all: buyer, reader, copies, ledger, agreement, mails to send. */
async function fulfil(
  ctx: AppContext,
  order: OrderRow,
  answer: Extract<ChargeAnswer, { state: 'paid' }>,
): Promise<void> {
  if (answer.money.amount !== order.amount || answer.money.currency !== order.currency) {
    throw conflict(`The payment of order ${order.order_number} is not the amount of the order`, {
      detail: answer.money,
    })
  }
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const draft = asJson<BuyerDraft>(order.buyer_draft)
  const shipping = order.shipping ? asJson<PostalAddress>(order.shipping) : null
  const buyer = await keepBuyer(ctx, order.publication_id, {
    email: order.email,
    passwordHash: draft.passwordHash,
    title: order.title,
    firstName: order.first_name,
    lastName: order.last_name,
    mobile: order.mobile,
  })
  const { readerId, startOn, endOn } = await termOf(ctx, order, { buyer, draft, shipping, today })
  await linkBuyer(ctx, buyer.id, { readerId, startOn, shipping })
  await ctx.db.run(
    `UPDATE orders SET buyer_id = :buyerId, reader_id = :readerId, sub_start_on = :startOn, sub_end_on = :endOn, buyer_draft = NULL WHERE id = :id`,
    { id: order.id, buyerId: buyer.id, readerId, startOn, endOn },
  )
  await ctx.db.run(
    `UPDATE payments SET state = 'paid', provider_reference = :reference, updated_at = :now WHERE order_id = :id`,
    {
      id: order.id,
      reference: answer.reference,
      now: ctx.now(),
    },
  )
  // A cancelled order gave its promo use back; the buyer keeps the price that was paid even when no use is left.
  if (order.promo_code_id) await retakePromo(ctx, order.promo_code_id, order.id)
  const oversold = await retakeCopies(ctx, order.id)
  await enterSale(ctx, { order, today, startOn, endOn })
  if (order.is_recurring && order.product && readerId && endOn)
    await keepAgreement(ctx, {
      order: { ...order, product: order.product },
      buyerId: buyer.id,
      readerId,
      renewsOn: endOn,
    })
  const publisherId = order.publisher_id
  await ctx.jobs.enqueue('send-receipt', { orderId: order.id }, { dedupeKey: `receipt:${order.id}`, publisherId })
  await ctx.jobs.enqueue(
    'send-order-notice',
    { orderId: order.id },
    { dedupeKey: `order-notice:${order.id}`, publisherId },
  )
  await recordAudit(
    ctx,
    'order-paid',
    { type: 'order', id: order.id, publisherId },
    { amount: order.amount, currency: order.currency, newBuyer: buyer.isNew, ...(oversold > 0 ? { oversold } : {}) },
  )
}

/** The term that a subscription begins or goes on with, on the reader's record. Back issues have none, and leave the reader as it is. */
async function termOf(
  ctx: AppContext,
  order: OrderRow,
  {
    buyer,
    draft,
    shipping,
    today,
  }: { buyer: KeptBuyer; draft: BuyerDraft; shipping: PostalAddress | null; today: Day },
): Promise<{ readerId: number | null; startOn: Day | null; endOn: Day | null }> {
  if (!order.product) return { readerId: buyer.readerId, startOn: null, endOn: null }
  return subscribeReader(ctx, {
    publicationId: order.publication_id,
    readerId: buyer.readerId,
    today,
    email: order.email,
    telephone: order.mobile,
    address: shipping ?? asJson<PostalAddress>(order.billing),
    optOuts: draft.optOuts,
    answers: draft.answers,
    plan: { product: order.product, termMonths: order.term_months },
    orderId: order.id,
    orderNumber: order.order_number,
    productName: order.product_name,
    money: order.payment_type === 'Free' ? null : { amount: order.amount, currency: order.currency },
  })
}

async function retakePromo(ctx: AppContext, promoId: number, orderId: number): Promise<void> {
  const [redemption] = await ctx.db.query(
    `SELECT id FROM promo_redemptions WHERE order_id = :orderId AND given_back_at IS NULL`,
    { orderId },
  )
  if (!redemption) await takePromoUse(ctx, promoId, orderId)
}

/** A charge that failed or was never made: the order says so, and what it had taken is given back. */
async function giveUp(
  ctx: AppContext,
  order: OrderRow,
  answer: Extract<ChargeAnswer, { state: 'declined' | 'unknown' }>,
): Promise<void> {
  const isDeclined = answer.state === 'declined'
  await ctx.db.run(
    `UPDATE payments SET state = :state, provider_reference = :reference, decline_reason = :reason, updated_at = :now WHERE order_id = :id`,
    {
      id: order.id,
      state: isDeclined ? 'declined' : 'cancelled',
      reference: isDeclined ? answer.reference : null,
      reason: isDeclined ? answer.reason : null,
      now: ctx.now(),
    },
  )
  // The draft stays with a cancelled order: money may still arrive for it.
  if (isDeclined) await ctx.db.run(`UPDATE orders SET buyer_draft = NULL WHERE id = :id`, { id: order.id })
  await giveBackPromoUse(ctx, order.id)
  await giveBackCopies(ctx, order.id)
  await recordAudit(ctx, isDeclined ? 'order-declined' : 'order-cancelled', {
    type: 'order',
    id: order.id,
    publisherId: order.publisher_id,
  })
}
