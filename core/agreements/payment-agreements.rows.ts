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
import { cancelOpenRenewal, noOpenRenewalSql, openRenewalOf, openRenewalStates, Renewals } from './renewals.rows.ts'

/**
 * Why an agreement ended: the reader turned it off, staff did, a new order replaced it, its reader was merged with one whose renewal stays, its
 * payment was reversed, its mandate is gone, the reader's record was removed, it was not paid within the grace period, or it was stored for a
 * free first term, with nothing to charge.
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
   * The day until which its terms are paid, while it renews on a later day because its reader's record has a later end without an order (edited,
   * imported, merged); null otherwise.
   */
  paidEndOn: nullable(day()),
  /** What each further term costs, in minor units: the full price of the first, without any promo code. */
  price: defaulted(integer()),
  /** The change of price that set its current price, and the day on which the first term at that price was paid; null where there was none. */
  priceChangeId: nullable(ref()),
  priceChangedOn: nullable(day()),
  currency: defaulted(text<Currency>()),
  /** The consent text that was agreed to, when, and which version of the terms. Blank and null: agreed before these were stored. */
  consentText: defaulted(text()),
  consentedAt: nullable(instant()),
  termsVersion: defaulted(text()),
  /** The day of the contract: the legal requirements depend on it. */
  contractOn: nullable(day()),
  lastFour: nullable(text()),
  /** The last day of the card's expiry month; null where it has none, or it is not known. */
  expiresOn: nullable(day()),
  /** The decline after which this card must never be charged again; null for none. It is cleared with the card. */
  cardStopCode: nullable(text()),
  endReason: nullable(text<AgreementEnd>()),
  endedAt: nullable(instant()),
  /** The order whose agreement replaced this one; null if it was not replaced. */
  replacedBy: nullable(ref()),
  createdAt: instant(),
  updatedAt: instant(),
})

/**
 * Stores what a buyer agreed to by a recurring order, at the provider of its payment. It replaces an active one of the same reader: a reader is
 * charged by one agreement only. Call it in the order's transaction, with the reader locked.
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
  const before = await PaymentAgreements.find(ctx, { readerId, state: 'active' })
  if (before && (await endAgreement(ctx, before.id, 'replaced')))
    await PaymentAgreements.update(ctx, { id: before.id }, { replacedBy: order.id })
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
    paidEndOn: before && (await paidEndAfter(ctx, before, { ...term, termMonths: order.termMonths })),
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

/** The publisher of an agreement; null where there is no such agreement. */
export async function publisherOfAgreement({ db }: Pick<AppContext, 'db'>, id: number): Promise<number | null> {
  const [row] = await db.query<{ publisher_id: number }>(
    `SELECT p.publisher_id FROM payment_agreements a JOIN publications p ON p.id = a.publication_id WHERE a.id = :id`,
    { id },
  )
  return row?.publisher_id ?? null
}

/** The active agreements of a publisher that are charged by this card, account or mandate at one of these providers. */
export async function agreementsBy(
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
 * Ends an active agreement and cancels its open renewal; false where it had already ended. An attempt under way is settled separately. Call it in a
 * transaction.
 */
export async function endAgreement(ctx: AppContext, id: number, endReason: AgreementEnd): Promise<boolean> {
  // Locks the renewal before its agreement, as everywhere.
  await cancelOpenRenewal(ctx, id, agreementEndTexts[endReason])
  const ended = await PaymentAgreements.update(
    ctx,
    { id, state: 'active' },
    { state: 'ended', endReason, endedAt: ctx.now() },
  )
  if (ended === 0) return false
  // Another agreement replaces these.
  if (endReason !== 'replaced' && endReason !== 'merged') await recordCancelled(ctx, id, endReason)
  return true
}

async function recordCancelled(ctx: AppContext, id: number, reason: AgreementEnd): Promise<void> {
  const agreement = await PaymentAgreements.find(ctx, { id })
  if (!agreement) return
  const { publicationId, readerId } = agreement
  await queueWebhooks(ctx, publicationId, { type: 'subscription.cancelled', readerId, data: { reason } })
}

/** What a term of an agreement costs, and which change of price set it. */
export interface AgreedPrice {
  price: number
  priceChangeId: number | null
  priceChangedOn: Day | null
}

/**
 * Moves an agreement to the end of another term, which was paid unless it is said until when; the price of the last one is kept. Returns whether the
 * agreement is active.
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
 * Moves each of these agreements whose reader's record has meanwhile a later end to that end. An order moves it by itself (`followTerm`), so this end
 * was edited, imported or merged: the paid one is kept, in case the later one is corrected. One with an open renewal is skipped: the code that charges
 * it checks this again.
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
 * A reader has renewed by an order of their own: the agreement continues after that term, and its open renewal is not charged. One that is being
 * charged is settled when its provider responds. Call it in a transaction.
 */
export async function followTerm(ctx: AppContext, readerId: number, term: PaidTerm): Promise<void> {
  const on = await PaymentAgreements.find(ctx, { readerId, state: 'active' })
  // An end that was corrected since the agreement moved to it is earlier than the day on which it renews.
  if (!on || term.endOn <= (on.paidEndOn ?? on.renewsOn)) return
  const { id: agreementId } = on
  // A renewal that was planned for a wrong end follows this term where it ends on the same day.
  if ((await openRenewalOf(ctx, agreementId, { isLocked: true }))?.cycleOn !== term.endOn) {
    await cancelOpenRenewal(ctx, agreementId, 'The subscription was extended meanwhile')
    // A cycle is planned once: one that was cancelled and never charged is planned again.
    await Renewals.remove(ctx, { agreementId, cycleOn: term.endOn, state: 'cancelled', attempts: 0 })
  }
  await moveAgreement(ctx, agreementId, { renewsOn: term.endOn, paidEndOn: await paidEndAfter(ctx, on, term) })
}

/** Ends the active agreements of these readers, as `endAgreement` does; returns how many. Call it in a transaction. */
export async function endAgreementsOf(
  ctx: AppContext,
  readerIds: readonly number[],
  endReason: AgreementEnd,
): Promise<number> {
  let ended = 0
  for (const readerId of readerIds) {
    const on = await PaymentAgreements.find(ctx, { readerId, state: 'active' })
    if (on && (await endAgreement(ctx, on.id, endReason))) ended++
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

/** The order whose money was returned: the first of an agreement, or one that renewed it. */
interface OrderOfAgreement {
  id: number
  renewalId: number | null
}

/** Ends the agreement that an order began or renewed, if there is one: its buyer disputes a payment. Call it in a transaction. */
export async function endAgreementOfOrder(ctx: AppContext, order: OrderOfAgreement): Promise<void> {
  const agreementId = await agreementOf(ctx, order)
  if (agreementId !== null) await endAgreement(ctx, agreementId, 'taken-back')
}

/**
 * Ends the agreement of an order that was refunded or failed, if it is the latest paid order: an older term is over, and terms that were paid
 * later continue. Call it in a transaction.
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
 * Records the current details of an agreement's card or account. A card with another number is another card, and the stop on the previous one no longer
 * applies. False where nothing changed.
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

/** Clears a card that is no longer stored at the provider: nothing is charged until there is another. */
export async function clearStoredCard(ctx: AppContext, id: number, methodReference: string): Promise<boolean> {
  const cleared = { methodReference: null, lastFour: null, expiresOn: null }
  return (await PaymentAgreements.update(ctx, { id, methodReference, state: 'active' }, cleared)) > 0
}

/** Records that the card of an agreement must never be charged again. */
export async function stopCard(ctx: AppContext, id: number, cardStopCode: string): Promise<void> {
  await PaymentAgreements.update(ctx, { id }, { cardStopCode })
}

/**
 * Stores another card for an agreement; false where it already has that card, or is over. A provider gives the same card a new reference each time it
 * is entered, so the stop on the previous card applies to every card with its number.
 */
export async function changeCard(
  ctx: AppContext,
  id: number,
  card: { method: string; lastFour: string | null; expiresOn: Day | null },
): Promise<boolean> {
  // Locks the renewal before its agreement, as everywhere.
  await openRenewalOf(ctx, id, { isLocked: true })
  const before = await PaymentAgreements.find(ctx, { id, state: 'active' }, { isLocked: true })
  const { method: methodReference, lastFour, expiresOn } = card
  if (!before || before.methodReference === methodReference) return false
  const isStopOver = before.lastFour === null || isOtherNumber(before, card)
  await PaymentAgreements.update(
    ctx,
    { id },
    { methodReference, lastFour, expiresOn, ...(isStopOver ? { cardStopCode: null } : {}) },
  )
  return true
}
