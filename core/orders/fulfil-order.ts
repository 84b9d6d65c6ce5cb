import { followTerm, storeAgreement } from '../agreements/payment-agreements.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { recordOrderLanguage, recordOwnOrder } from '../buyers/buyers.rows.ts'
import { ownReader } from '../buyers/own-readers.query.ts'
import { removeUnprovenPassword } from '../buyers/remove-unproven-password.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { enterSale } from '../ledger/enter-sale.ts'
import type { PaidProvider } from '../payment-methods/payment-methods.rules.ts'
import type { ChargeResult } from '../ports/payment-gateway.ts'
import { retakePromoUse } from '../promos/promo-uses.ts'
import { changeReaderAddress } from '../readers/change-reader-address.ts'
import { currentReaderId } from '../readers/merged-readers.rows.ts'
import { allOptedOut } from '../readers/opt-outs.rules.ts'
import { subscribeReader } from '../readers/subscribe-reader.ts'
import { recordRenewedAfter } from '../series/reader-efforts.rows.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { buyerOfOrder, type OrderBuyer } from './buyer-of-order.ts'
import { postageOf } from './order-items.rows.ts'
import { type BuyerDraft, type OrderRow, Orders, recordRenewals } from './orders.rows.ts'
import { Payments, storePayment } from './payments.rows.ts'
import { retakeCopies } from './take-copies.ts'

/** All effects of a paid order, atomically: buyer, reader, copies, ledger, agreement, emails to send. `buyer`: who ordered it, if stored already. */
export async function fulfilOrder(
  ctx: AppContext,
  order: OrderRow,
  result: Extract<ChargeResult, { state: 'paid' | 'accepted' }>,
  { hasReceipt = true, buyer: stored }: { hasReceipt?: boolean; buyer?: OrderBuyer } = {},
): Promise<void> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const draft = order.buyerDraft ?? noDraft
  const { shipping } = order
  const buyer = stored ?? (await buyerOfOrder(ctx, order))
  if (!buyer.isNew && !buyer.hasMoved && !isPlacedByAccount(order, draft, buyer)) {
    await removeUnprovenPassword(ctx, { id: buyer.id, publisherId: order.publisherId })
  }
  const isUnproven = draft.isUnproven || (!buyer.isNew && isOlderThanAccount(order))
  // A gift is not the buyer's own subscription, nor is the order of a visitor who has not logged in.
  const isOwn = !order.isGift && !isUnproven
  const { readerId, startOn, endOn } = await writeTerm(ctx, order, { buyer, isOwn, draft, shipping, today })
  if (isOwn) await recordOwnOrder(ctx, buyer.id, { startOn, shipping })
  if (!isUnproven) await recordOrderLanguage(ctx, buyer.id, order.language)
  await Orders.update(
    ctx,
    { id: order.id },
    { buyerId: buyer.id, readerId, subStartOn: startOn, subEndOn: endOn, buyerDraft: null },
  )
  if (readerId && endOn) {
    await recordRenewals(ctx, [readerId])
    await recordRenewedAfter(ctx, { readerId, orderId: order.id, effortId: order.effortId, on: today })
  }
  await storePayment(ctx, order.id, result)
  // A cancelled order released its promo use; the buyer keeps the price that was paid even if no use is left.
  if (order.promoCodeId) await retakePromoUse(ctx, order.promoCodeId, order)
  const oversold = await retakeCopies(ctx, order.id)
  // A free term leaves no card or mandate by which the next one could be charged.
  const provider = order.isRecurring ? await paidProviderOf(ctx, order.id) : null
  if (provider && order.product && readerId && startOn && endOn) {
    await storeAgreement(ctx, {
      order: { ...order, product: order.product },
      provider,
      consent: draft.consent ?? { text: '', termsVersion: '' },
      buyerId: buyer.id,
      readerId,
      term: { startOn, endOn },
      facts: result.facts ?? {},
    })
  }
  if (!provider && readerId && startOn && endOn)
    await followTerm(ctx, readerId, { startOn, endOn, termMonths: order.termMonths })
  await enqueueOrderEmails(ctx, order, { isDebit: result.state === 'accepted', hasReceipt })
  await recordAudit(
    ctx,
    'order-paid',
    { type: 'order', id: order.id, publisherId: order.publisherId },
    { amount: order.amount, currency: order.currency, newBuyer: buyer.isNew, ...(oversold > 0 ? { oversold } : {}) },
  )
  await queueWebhooks(ctx, order.publicationId, { type: 'order.paid', readerId, data: { orderId: order.id } })
  // Last: the sums of its days are locked from here to the commit, and all sales of a title update the same rows.
  const postage = order.kind === 'back-issues' ? await postageOf(ctx, order.id) : 0
  await enterSale(ctx, { order, today, startOn, endOn, postage })
}

/** Whether the account was logged in or gave its password. Staff, a wallet and a renewal link order without either. */
function isPlacedByAccount(order: OrderRow, draft: BuyerDraft, buyer: { id: number }): boolean {
  if (order.buyerId !== buyer.id || draft.isUnproven) return false
  return order.effortId === null || draft.isLoggedIn === true
}

/** Whether an order at the storefront was begun before its email had an account: the password that it was placed with was not the account's. */
function isOlderThanAccount({ buyerId, channel, effortId }: OrderRow): boolean {
  return buyerId === null && channel === 'storefront' && effortId === null
}

/** An outcome without a provider: staff have the money, or mark the order as paid. */
export function settledByStaff({ orderNumber, amount, currency }: OrderRow) {
  return { state: 'paid' as const, reference: orderNumber, money: { amount, currency } }
}

/** The provider by which an order with automatic renewal is paid; null for a free one. */
async function paidProviderOf(ctx: AppContext, orderId: number): Promise<PaidProvider | null> {
  const payment = await Payments.find(ctx, { orderId })
  if (!payment) throw new Error(`The order ${orderId} has no payment`)
  return payment.provider === 'free' ? null : (payment.provider as PaidProvider)
}

/** Used for an order without a draft: a copy of a title is made without them (`title-copy.ts`). */
const noDraft: BuyerDraft = { passwordHash: null, optOuts: allOptedOut(), answers: {} }

/** Writes the term that a subscription begins or continues with to the reader's record. Back issues have none, and leave the reader unchanged. */
async function writeTerm(
  ctx: AppContext,
  order: OrderRow,
  {
    buyer,
    isOwn,
    draft,
    shipping,
    today,
  }: {
    buyer: { id: number }
    isOwn: boolean
    draft: BuyerDraft
    shipping: PostalAddress | null
    today: Day
  },
): Promise<{ readerId: number | null; startOn: Day | null; endOn: Day | null }> {
  if (!order.product) {
    const reader = isOwn ? await ownReader(ctx, { id: buyer.id, publicationId: order.publicationId }) : null
    return { readerId: reader?.id ?? null, startOn: null, endOn: null }
  }
  const isGift = order.isGift
  const gift = isGift ? order.gift : null
  // By a renewal link: it was for this record from the start, and a later merge has moved it to the surviving record.
  const { readerId: linkedId, publicationId } = order
  if (linkedId !== null && draft.movesTo) {
    const by = isGift ? 'giver' : 'reader'
    await changeReaderAddress(ctx, { readerId: linkedId, publicationId, address: draft.movesTo, by })
  }
  return subscribeReader(ctx, {
    publicationId,
    buyerId: buyer.id,
    isNewRecord: !isOwn && linkedId === null,
    ...(await chosenStart(ctx, draft, { publicationId, isGift, today })),
    ...(linkedId === null ? {} : { readerId: linkedId, keepsRecord: true }),
    today,
    email: isGift ? (gift?.email ?? '') : order.email,
    telephone: isGift ? '' : order.mobile,
    address: shipping ?? order.billing,
    // The recipient of a gift has agreed to nothing.
    optOuts: isGift ? allOptedOut() : draft.optOuts,
    answers: draft.answers,
    plan: { product: order.product, termMonths: order.termMonths },
    orderId: order.id,
    orderNumber: order.orderNumber,
    productName: order.productName,
    money: order.paymentType === 'Free' ? null : { amount: order.amount, currency: order.currency },
  })
}

/**
 * The reader and the first day that staff chose; the surviving record if the reader was merged since. The reader is ignored for a gift, and the day
 * unless it is after the day of the payment.
 */
async function chosenStart(
  ctx: AppContext,
  { readerId, startOn }: BuyerDraft,
  { publicationId, isGift, today }: { publicationId: number; isGift: boolean; today: Day },
) {
  return {
    readerId: isGift || readerId === undefined ? undefined : await currentReaderId(ctx, { readerId, publicationId }),
    startOn: startOn !== undefined && startOn > today ? startOn : undefined,
  }
}

async function enqueueOrderEmails(
  ctx: AppContext,
  { id, publisherId, isGift, renewalId }: OrderRow,
  { isDebit, hasReceipt }: { isDebit: boolean; hasReceipt: boolean },
): Promise<void> {
  if (hasReceipt) {
    const options = { dedupeKey: `receipt:${id}`, publisherId, isUrgent: true }
    await enqueueMail(ctx, 'order-receipt', { orderId: id }, options)
  }
  await enqueueMail(ctx, 'order-notice', { orderId: id }, { dedupeKey: `order-notice:${id}`, publisherId })
  if (isGift) await enqueueMail(ctx, 'gift-notice', { orderId: id }, { dedupeKey: `gift:${id}`, publisherId })
  // A renewal's own notice was sent before it was charged: that is the advance notice of its direct debit.
  if (isDebit && renewalId === null) {
    await enqueueMail(ctx, 'direct-debit-notice', { orderId: id }, { dedupeKey: `debit:${id}`, publisherId })
  }
}
