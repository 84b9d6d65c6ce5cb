import { Buyers } from '../buyers/buyers.rows.ts'
import { emailKey, type RecognisedBuyer } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { formatMoney } from '../kernel/money.ts'
import { fullName, isSamePlace, type PostalAddress } from '../kernel/postal-address.ts'
import { recordOf } from '../kernel/record-of.ts'
import { postCodeProblem } from '../postcodes/post-code.rules.ts'
import { isDelivered, parsePlanCode } from '../pricing/plan-code.rules.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { allOptedOut, type OptOuts } from '../readers/opt-outs.rules.ts'
import type { ReaderRow } from '../readers/readers.rows.ts'
import { lastDayBought } from '../readers/record-to-extend.rules.ts'
import { recordEffortOpened } from '../series/reader-efforts.rows.ts'
import { useCase } from '../use-case.ts'
import { hasAddressesOf } from './create-pending-order.ts'
import { type LinkedRecord, linkedRecord, openOrderOf } from './linked-record.query.ts'
import type { NewSale } from './new-sale.ts'
import type { ShownTotal } from './order-form.input.ts'
import { cancelReplaced, orderOnce, type PlacedOrder, toPlacedOrder } from './order-once.ts'
import type { OrderRow } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import { type PlaceOrderInput, SubscriptionOrderInput } from './place-order.input.ts'
import { checkAnswers, priceOrder } from './price-order.ts'
import { type RenewalConsent, renewalConsent } from './renewal-consent.rules.ts'
import { displayedAddresses, isProven, linkTexts, ProvenLink } from './renewal-link.ts'

/** Orders by the link of one record, however many tabs they come from. */
const perRecord = { hits: 30, windowSeconds: 60 * 60 }

/**
 * Sells what a renewal link offers, for exactly its record: the term continues, and no other record is made. Who pays, the price, the country and
 * the record are the link's; submitted values are compared or ignored. A record has one pending or paid order per end: another
 * tab, a reload or a second click finds it, and a different choice cancels it first.
 */
export const orderByLink = useCase({
  permission: 'public',
  input: SubscriptionOrderInput.safeExtend(ProvenLink.shape),
  transaction: 'none',
  async run(ctx, submitted): Promise<PlacedOrder> {
    const linked = await linkedRecord(ctx, submitted)
    const { reader, effort, country, storefront } = linked
    if (!isProven(ctx, linked, submitted)) throw conflict(linkTexts.unproven)
    const paidOrder = linked.orders.findLast(({ state }) => state === 'paid')
    if (paidOrder) return toPlacedOrder(ctx, paidOrder)
    if (linked.status !== 'good' || !reader) throw conflict(linkTexts.over)
    await countAttempt(ctx, `order-by-link:${reader.id}`, perRecord)
    const buyer = await buyerOf(ctx, linked, submitted.email)
    const email = linked.email || submitted.email
    const input = { ...submitted, country, email, isGift: linked.isGift, giftEmail: '', giftMessage: '' }
    const isLoggedIn = ctx.actor.kind === 'buyer' && ctx.actor.buyerId === buyer.buyerId
    const sale = await saleOf(ctx, linked, { ...input, reader, isLoggedIn })
    await recordEffortOpened(ctx, effort.id)
    const resolved = await resolvePendingOrder(ctx, linked, { sale, input })
    if (resolved.isPaid) return toPlacedOrder(ctx, resolved.order)
    return orderOnce(
      ctx,
      { ...input, idempotencyKey: resolved.key },
      {
        kind: 'subscription',
        storefront,
        buyer,
        price: async () => sale,
        isSame: (order) => isSameSale(order, sale),
        replaces: resolved.replaces,
      },
    )
  },
})

/** The account that pays. An email that is not on the record does not open an existing account: its owner has to log in. */
async function buyerOf(
  ctx: AppContext,
  { buyer, email, effort }: LinkedRecord,
  typed: string,
): Promise<RecognisedBuyer> {
  const base = { passwordHash: null, isUnproven: false }
  if (buyer) return { ...base, buyerId: buyer.id }
  if (email) return { ...base, buyerId: null }
  const account = await Buyers.find(ctx, { publicationId: effort.publicationId, emailKey: emailKey(typed) })
  const isOwn = ctx.actor.kind === 'buyer' && ctx.actor.buyerId === account?.id
  if (account && !isOwn) throw invalid({ email: linkTexts.ownLogIn })
  return { ...base, buyerId: account?.id ?? null }
}

type LinkOrder = Pick<
  PlaceOrderInput,
  'plan' | 'currency' | 'promoCode' | 'answers' | 'billing' | 'shipping' | 'isDeliveredToBilling'
> &
  ShownTotal &
  Record<'title' | 'firstName' | 'lastName' | 'country', string> & {
    isGift: boolean
    reader: ReaderRow
    isLoggedIn: boolean
  }

async function saleOf(ctx: AppContext, linked: LinkedRecord, input: LinkOrder): Promise<NewSale> {
  const { storefront, effort, plans } = linked
  const { reader } = input
  const chosen = parsePlanCode(input.plan)
  const isOffered = plans.some(
    (plan) =>
      plan.product === chosen?.product &&
      plan.termMonths === chosen.termMonths &&
      plan.isRecurring === chosen.isRecurring,
  )
  if (!chosen || !isOffered) throw invalid({ plan: 'This subscription is not available. Please choose another one.' })
  const answers = answersOf(reader, input.answers)
  checkAnswers(storefront, answers)
  const optOuts = optOutsOf(reader)
  const sale = await priceOrder(
    ctx,
    storefront,
    { ...input, answers, optOuts, giftEmail: '', giftMessage: '' },
    { readerId: reader.id, openOrderId: openOrderOf(linked)?.id ?? null },
  )
  const consent = consentTo(reader, sale)
  const isPosted = isDelivered(chosen.product)
  const movesTo = changedAddress(linked, input, isPosted)
  // What is on file never prevents a renewal.
  const isTyped = movesTo !== null && isPosted && movesTo.postCode !== reader.postCode
  const postCodeFault = isTyped ? postCodeProblem(movesTo.postCode, input.country) : undefined
  if (postCodeFault) throw invalid({ [`${goesToBilling(input) ? 'billing' : 'shipping'}.postCode`]: postCodeFault })
  return {
    ...sale,
    renews: { readerId: reader.id, effortId: effort.id },
    buyerDraft: {
      ...sale.buyerDraft,
      ...(consent ? { consent } : {}),
      ...(movesTo ? { movesTo } : {}),
      ...(input.isLoggedIn ? { isLoggedIn: true } : {}),
    },
  }
}

/** The text next to the button of the link's form, for a plan that renews. */
function consentTo(
  reader: ReaderRow,
  { product, termMonths, isRecurring, price, currency, today }: NewSale,
): RenewalConsent | undefined {
  if (!isRecurring || product === null || termMonths === null) return undefined
  const renewsOn = lastDayBought([reader], { product, termMonths }, today)
  return renewalConsent(formatMoney({ amount: price, currency }), renewsOn)
}

/** Earlier answers are kept unless new ones are given. */
function answersOf(reader: ReaderRow, typed: Record<string, string>): Record<string, string> {
  const { answerA: A, answerB: B, answerC: C, answerD: D, answerE: E } = reader
  return { A, B, C, D, E, ...Object.fromEntries(Object.entries(typed).filter(([, answer]) => answer.trim() !== '')) }
}

/** A renewal asks for no consent: the earlier choice is kept. */
function optOutsOf(reader: ReaderRow): OptOuts {
  const names = (Object.keys(allOptedOut()) as (keyof OptOuts)[]).map((name) => ({ name }))
  return recordOf(names, ({ name }) => reader[name])
}

/** The new name and address of the record; null if they are as the form was prefilled. */
function changedAddress(linked: LinkedRecord, input: LinkOrder, isPosted: boolean): PostalAddress | null {
  const { country, title, firstName, lastName, billing, shipping } = input
  const displayed = displayedAddresses(linked)
  const billed = { ...billing, title, firstName, lastName, country }
  if (!isPosted) {
    // Nothing is delivered: the record follows the billing address if it did so before.
    return displayed.isDeliveredToBilling && !isSame(billed, displayed.billing) ? billed : null
  }
  const isNamed = shipping?.firstName || shipping?.lastName
  const delivery = goesToBilling(input)
    ? billed
    : { ...billed, ...shipping, ...(isNamed ? {} : { title, firstName, lastName }) }
  return isSame(delivery, displayed.delivery) ? null : delivery
}

function goesToBilling({
  isDeliveredToBilling,
  shipping,
}: Pick<LinkOrder, 'isDeliveredToBilling' | 'shipping'>): boolean {
  return isDeliveredToBilling || !shipping
}

function isSame(a: PostalAddress, b: PostalAddress): boolean {
  return isSamePlace(a, b) && fullName(a) === fullName(b)
}

function isSameSale(order: OrderRow, { product, termMonths, isRecurring, amount, promo }: NewSale): boolean {
  return (
    order.product === product &&
    order.termMonths === termMonths &&
    order.isRecurring === isRecurring &&
    order.amount === amount &&
    order.promoCodeId === (promo?.id ?? null)
  )
}

/**
 * The key for the order: the key of the pending order if the same is ordered, else a new one. A pending order for something else is
 * cancelled at its provider first; if it was paid at that moment, it is the order.
 */
async function resolvePendingOrder(
  ctx: AppContext,
  linked: LinkedRecord,
  { sale, input }: { sale: NewSale; input: PlaceOrderInput },
): Promise<{ isPaid: false; key: string; replaces: number | null } | { isPaid: true; order: OrderRow }> {
  const { orders, effort, reader } = linked
  const pending = openOrderOf(linked)
  if (pending) {
    const payment = await Payments.find(ctx, { orderId: pending.id })
    if (!payment) throw new Error(`The order ${pending.id} has no payment`)
    const isSameMethod = sale.amount === 0 || payment.provider === input.payment.provider
    const isSameBuyer = emailKey(pending.email) === emailKey(input.email) && hasAddressesOf(pending, input)
    if (isSameMethod && isSameBuyer && isSameSale(pending, sale))
      return { isPaid: false, key: pending.idempotencyKey, replaces: null }
    const state = await cancelReplaced(ctx, payment)
    if (state === 'paid') return { isPaid: true, order: { ...pending, state } }
    if (state === 'pending') throw conflict(linkTexts.underWay)
  }
  // Two tabs that submit concurrently have seen the same last order, so their keys are equal. A form's own key never contains a colon.
  const key = `extend:${reader?.id}:${effort.cycleOn}:${orders.at(-1)?.id ?? 0}`
  return { isPaid: false, key, replaces: pending?.id ?? null }
}
