import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { PaidProvider } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentFacts } from '../ports/payment-gateway.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import type { Band } from '../pricing/region.rules.ts'
import { day, defaulted, defineTable, id, instant, integer, nullable, ref, text } from '../table.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { isOtherNumber } from './declines.rules.ts'
import { type PaidTerm, paidEndAfter } from './paid-end.query.ts'
import { openRenewalStates } from './renewal-states.rules.ts'
import { cancelOpenRenewal, openRenewalOf, Renewals } from './renewals.rows.ts'
import { noOpenRenewalSql } from './renewals-to-plan.query.ts'

/**
 * Why an agreement ended: the reader or staff turned it off, a new order replaced it, its reader was merged with one whose renewal stays, its payment
 * was reversed, its mandate was cancelled, the reader's record was removed, it was not paid within the grace period, or its first term was free,
 * without a card or mandate to charge.
 */
export type AgreementEnd =
  | 'reader'
  | 'staff'
  | 'replaced'
  | 'merged'
  | 'taken-back'
  | 'mandate'
  | 'reader-gone'
  | 'lapsed'
  | 'free'

/** What buyers agreed to pay on each renewal: the product, the term, the price band and the day it renews. */
export const PaymentAgreements = defineTable('payment_agreements', {
  id: id(),
  publicationId: ref(),
  buyerId: ref(),
  readerId: nullable(ref()),
  /** Its first order. */
  orderId: ref(),
  provider: text<PaidProvider>(),
  customerReference: nullable(text()),
  methodReference: nullable(text()),
  mandateReference: nullable(text()),
  state: text<'active' | 'ended'>(),
  product: text<Product>(),
  termMonths: integer<NonNullable<TermMonths>>(),
  band: text<Band>(),
  /** The last day of the running term: the next term is charged on this day. */
  renewsOn: day(),
  /**
   * Set while it renews on a later day than it is paid for, because the end of the reader's record was moved without an order (by an edit, an import
   * or a merge): the day until which it is paid. Otherwise null.
   */
  paidEndOn: nullable(day()),
  /** What each further term costs, in minor units: the full price of the first term, without a promo code. */
  price: defaulted(integer()),
  /** The price change that set the current price, and the day on which the first term at that price was paid; null if there was none. */
  priceChangeId: nullable(ref()),
  priceChangedOn: nullable(day()),
  currency: defaulted(text<Currency>()),
  /** The consent text, when it was agreed to, and the version of the terms. Blank and null: agreed before these were stored. */
  consentText: defaulted(text()),
  consentedAt: nullable(instant()),
  termsVersion: defaulted(text()),
  /** The day of the contract: the legal requirements depend on it. */
  contractOn: nullable(day()),
  lastFour: nullable(text()),
  /** The last day of the card's expiry month; null if there is none or it is unknown. */
  expiresOn: nullable(day()),
  /** The decline code after which this card must never be charged again; null: none. It is cleared with another card. */
  cardStopCode: nullable(text()),
  endReason: nullable(text<AgreementEnd>()),
  endedAt: nullable(instant()),
  /** The order whose agreement replaced this one; null if it was not replaced. */
  replacedBy: nullable(ref()),
  createdAt: instant(),
  updatedAt: instant(),
})

/**
 * Stores what a buyer agreed to with a recurring order. It replaces an active agreement of the same reader, who is charged by one agreement only.
 * Call it in the order's transaction, with the reader locked.
 */
export async function storeAgreement(
  ctx: AppContext,
  agreement: {
    order: {
      id: number
      publicationId: number
      product: Product
      termMonths: TermMonths | null
      band: Band
      productPrice: number
      currency: Currency
      orderedOn: Day
      placedAt: Date
    }
    provider: PaidProvider
    buyerId: number
    readerId: number
    /** The days of the order's term. */
    term: { startOn: Day; endOn: Day }
    facts: PaymentFacts
    consent: { text: string; termsVersion: string }
  },
): Promise<void> {
  const { order, provider, buyerId, readerId, term, facts, consent } = agreement
  if (order.termMonths === null) throw new Error('A subscription until further notice does not renew')
  const replaced = await PaymentAgreements.find(ctx, { readerId, state: 'active' })
  if (replaced && (await endAgreement(ctx, replaced.id, 'replaced')))
    await PaymentAgreements.update(ctx, { id: replaced.id }, { replacedBy: order.id })
  await PaymentAgreements.insert(ctx, {
    publicationId: order.publicationId,
    buyerId,
    readerId,
    orderId: order.id,
    provider,
    customerReference: facts.customerReference ?? null,
    methodReference: facts.methodReference ?? null,
    mandateReference: facts.mandateReference ?? null,
    state: 'active',
    product: order.product,
    termMonths: order.termMonths,
    band: order.band,
    renewsOn: term.endOn,
    paidEndOn: replaced && (await paidEndAfter(ctx, replaced, { ...term, termMonths: order.termMonths })),
    price: order.productPrice,
    currency: order.currency,
    consentText: consent.text,
    consentedAt: order.placedAt,
    termsVersion: consent.termsVersion,
    contractOn: order.orderedOn,
    lastFour: facts.accountLastFour ?? null,
    expiresOn: facts.cardExpiresOn ?? null,
  })
}

/** The publisher of an agreement; null if there is no such agreement. */
export async function publisherOfAgreement({ db }: Pick<AppContext, 'db'>, id: number): Promise<number | null> {
  const [row] = await db.query<{ publisher_id: number }>(
    `SELECT p.publisher_id FROM payment_agreements a JOIN publications p ON p.id = a.publication_id WHERE a.id = :id`,
    { id },
  )
  return row?.publisher_id ?? null
}

/** The active agreements of a publisher that are charged by this card, account or mandate at one of these providers. */
export async function agreementsChargedBy(
  { db }: Pick<AppContext, 'db'>,
  publisherId: number,
  providers: readonly PaidProvider[],
  stored: { method: string } | { mandate: string },
): Promise<number[]> {
  const [column, value] =
    'method' in stored ? ['method_reference', stored.method] : ['mandate_reference', stored.mandate]
  const rows = await db.query<{ id: number }>(
    `SELECT a.id FROM payment_agreements a JOIN publications p ON p.id = a.publication_id
     WHERE a.${column} = :value AND a.state = 'active' AND a.provider IN (:providers) AND p.publisher_id = :publisherId ORDER BY a.id`,
    { value, publisherId, providers: [...providers] },
  )
  return rows.map(({ id }) => id)
}

/** Why an agreement ended and its open renewal is no longer charged, as text for staff. */
export const agreementEndTexts: Readonly<Record<AgreementEnd, string>> = {
  reader: 'The reader turned the automatic renewal off',
  staff: 'Staff turned the automatic renewal off',
  replaced: 'Another order replaced this automatic renewal',
  merged: 'The reader was merged with one whose automatic renewal stays',
  'taken-back': 'One of its payments was reversed',
  mandate: 'The bank cancelled the direct debit mandate',
  'reader-gone': 'The reader was removed or deactivated',
  lapsed: 'Not paid within the grace period',
  free: 'The first term was free: there is no card or mandate to charge',
}

/**
 * Ends an active agreement and cancels its open renewal; false if it had already ended. A charge in progress is settled separately. Call it in a
 * transaction.
 */
export async function endAgreement(ctx: AppContext, id: number, endReason: AgreementEnd): Promise<boolean> {
  // The renewal is locked before its agreement, in the same order as everywhere, to avoid a deadlock.
  await cancelOpenRenewal(ctx, id, agreementEndTexts[endReason])
  const ended = await PaymentAgreements.update(
    ctx,
    { id, state: 'active' },
    { state: 'ended', endReason, endedAt: ctx.now() },
  )
  if (ended === 0) return false
  // Otherwise another agreement continues the subscription.
  if (endReason !== 'replaced' && endReason !== 'merged') await recordCancelled(ctx, id, endReason)
  return true
}

async function recordCancelled(ctx: AppContext, id: number, reason: AgreementEnd): Promise<void> {
  const agreement = await PaymentAgreements.find(ctx, { id })
  if (!agreement) return
  const { publicationId, readerId } = agreement
  await queueWebhooks(ctx, publicationId, { type: 'subscription.cancelled', readerId, data: { reason } })
}

/** What a term of an agreement costs, and the price change that set it. */
export interface AgreedPrice {
  price: number
  priceChangeId: number | null
  priceChangedOn: Day | null
}

/**
 * Moves an agreement to the end of another term, also if it is no longer active. Without `paidEndOn`, it is paid until then; without a price, its
 * price does not change. Returns whether the agreement is active.
 */
export async function moveAgreement(
  ctx: AppContext,
  id: number,
  to: { renewsOn: Day; paidEndOn?: Day | null } & Partial<AgreedPrice>,
): Promise<boolean> {
  const moved = { paidEndOn: null, ...to }
  if ((await PaymentAgreements.update(ctx, { id, state: 'active' }, moved)) > 0) return true
  await PaymentAgreements.update(ctx, { id }, moved)
  return false
}

/**
 * Moves each of these agreements to the end of its reader's record, if that is later. Orders move agreements themselves (`followTerm`), so such an
 * end comes from an edit, an import or a merge: the paid end is kept in `paidEndOn`, in case the later one is corrected. Agreements with an open
 * renewal are skipped: the code that charges them checks this again.
 */
export async function followLaterEnds(ctx: AppContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.run(
    `UPDATE payment_agreements SET renews_on = (SELECT r.sub_end_on FROM readers r WHERE r.id = payment_agreements.reader_id),
       paid_end_on = COALESCE(paid_end_on, renews_on), updated_at = :now
     WHERE id IN (:ids) AND state = 'active'
       AND EXISTS (SELECT 1 FROM readers r WHERE r.id = payment_agreements.reader_id AND r.sub_end_on > payment_agreements.renews_on)
       AND ${noOpenRenewalSql('payment_agreements')}`,
    { ids: [...ids], open: [...openRenewalStates], now: ctx.now() },
  )
}

/** Ends agreements whose grace period is over. Call it in a transaction. */
export async function endLapsedAgreements(ctx: AppContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const ended = await ctx.db.query<{ id: number }>(
    `UPDATE payment_agreements SET state = 'ended', end_reason = 'lapsed', ended_at = :now, updated_at = :now
     WHERE state = 'active' AND id IN (:ids) RETURNING id`,
    { ids: [...ids], now: ctx.now() },
  )
  for (const { id } of ended) await recordCancelled(ctx, Number(id), 'lapsed')
}

/**
 * Called when a reader has renewed by an order: their agreement continues after that term, and its open renewal is not charged. A charge in progress
 * is settled when the provider responds. Call it in a transaction.
 */
export async function followTerm(ctx: AppContext, readerId: number, term: PaidTerm): Promise<void> {
  const agreement = await PaymentAgreements.find(ctx, { readerId, state: 'active' })
  // Compared with the paid end: `renewsOn` may be a wrong end of the record that has been corrected since.
  if (!agreement || term.endOn <= (agreement.paidEndOn ?? agreement.renewsOn)) return
  const { id: agreementId } = agreement
  // A renewal that was planned for a wrong end stays if this term ends on the same day: it then follows this term.
  if ((await openRenewalOf(ctx, agreementId, { isLocked: true }))?.cycleOn !== term.endOn) {
    await cancelOpenRenewal(ctx, agreementId, 'The subscription was extended meanwhile')
    // A cycle is planned only once, so a cancelled renewal that was never charged is removed, to be planned again.
    await Renewals.remove(ctx, { agreementId, cycleOn: term.endOn, state: 'cancelled', attempts: 0 })
  }
  await moveAgreement(ctx, agreementId, { renewsOn: term.endOn, paidEndOn: await paidEndAfter(ctx, agreement, term) })
}

/** Ends the active agreements of these readers, as `endAgreement` does; returns how many. Call it in a transaction. */
export async function endAgreementsOf(
  ctx: AppContext,
  readerIds: readonly number[],
  endReason: AgreementEnd,
): Promise<number> {
  let ended = 0
  for (const readerId of readerIds) {
    const agreement = await PaymentAgreements.find(ctx, { readerId, state: 'active' })
    if (agreement && (await endAgreement(ctx, agreement.id, endReason))) ended++
  }
  return ended
}

/** Which of these readers renew automatically. */
export async function renewingReaders(ctx: AppContext, readerIds: readonly number[]): Promise<number[]> {
  const rows = await ctx.db.query<{ reader_id: number }>(
    `SELECT reader_id FROM payment_agreements WHERE reader_id IN (:readerIds) AND state = 'active'`,
    { readerIds: [...readerIds] },
  )
  return rows.map(({ reader_id }) => reader_id)
}

/** An order whose money was returned: the first order of an agreement, or one that renewed it. */
interface OrderOfAgreement {
  id: number
  renewalId: number | null
}

/** Ends the agreement that an order began or renewed, if there is one, because its buyer disputes a payment. Call it in a transaction. */
export async function endAgreementOfOrder(ctx: AppContext, order: OrderOfAgreement): Promise<void> {
  const agreementId = await agreementOf(ctx, order)
  if (agreementId !== null) await endAgreement(ctx, agreementId, 'taken-back')
}

/**
 * Ends the agreement of an order that was refunded or failed, unless a later order of the agreement is paid: then its term continues. Call it in a
 * transaction.
 */
export async function endAgreementOfLatest(ctx: AppContext, order: OrderOfAgreement): Promise<void> {
  const agreementId = await agreementOf(ctx, order)
  if (agreementId === null) return
  const later = await ctx.db.query(
    `SELECT 1 FROM renewals r JOIN orders o ON o.id = r.order_id
     WHERE r.agreement_id = :agreementId AND r.id > :after AND r.state = 'paid' AND o.state = 'paid' LIMIT 1`,
    { agreementId, after: order.renewalId ?? 0 },
  )
  if (later.length === 0) await endAgreement(ctx, agreementId, 'taken-back')
}

async function agreementOf(ctx: AppContext, { id, renewalId }: OrderOfAgreement): Promise<number | null> {
  if (renewalId === null) return (await PaymentAgreements.find(ctx, { orderId: id, state: 'active' }))?.id ?? null
  return (await Renewals.find(ctx, { id: renewalId }))?.agreementId ?? null
}

/**
 * Stores the current details of an agreement's card or account. If the number has changed, it is another card, to which `cardStopCode` no longer
 * applies. False if nothing changed.
 */
export async function recordStoredCard(
  ctx: AppContext,
  { id, methodReference }: { id: number; methodReference: string },
  { lastFour, expiresOn }: { lastFour: string | null; expiresOn: Day | null },
): Promise<boolean> {
  const before = await PaymentAgreements.find(ctx, { id, methodReference, state: 'active' }, { isLocked: true })
  if (!before || (before.lastFour === lastFour && before.expiresOn === expiresOn)) return false
  const isOther = isOtherNumber(before, { lastFour, expiresOn })
  await PaymentAgreements.update(ctx, { id }, { lastFour, expiresOn, ...(isOther ? { cardStopCode: null } : {}) })
  return true
}

/** Clears a card that the provider no longer has: nothing is charged until there is another card. */
export async function clearStoredCard(ctx: AppContext, id: number, methodReference: string): Promise<boolean> {
  const cleared = { methodReference: null, lastFour: null, expiresOn: null }
  return (await PaymentAgreements.update(ctx, { id, methodReference, state: 'active' }, cleared)) > 0
}

/** Records that the card of an agreement must never be charged again. */
export async function stopCard(ctx: AppContext, id: number, cardStopCode: string): Promise<void> {
  await PaymentAgreements.update(ctx, { id }, { cardStopCode })
}

/**
 * Stores another card for an agreement; false if it already has that card or has ended. A provider gives the same card a new reference each time it
 * is entered, so `cardStopCode` applies to every card with the same number.
 */
export async function changeCard(
  ctx: AppContext,
  id: number,
  card: { method: string; lastFour: string | null; expiresOn: Day | null },
): Promise<boolean> {
  // The renewal is locked before its agreement, in the same order as everywhere, to avoid a deadlock.
  await openRenewalOf(ctx, id, { isLocked: true })
  const before = await PaymentAgreements.find(ctx, { id, state: 'active' }, { isLocked: true })
  const { method: methodReference, lastFour, expiresOn } = card
  if (!before || before.methodReference === methodReference) return false
  const isStopLifted = before.lastFour === null || isOtherNumber(before, card)
  await PaymentAgreements.update(
    ctx,
    { id },
    { methodReference, lastFour, expiresOn, ...(isStopLifted ? { cardStopCode: null } : {}) },
  )
  return true
}
