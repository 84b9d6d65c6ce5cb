import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { PaidProvider } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentFacts } from '../ports/payment-gateway.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import type { Band } from '../pricing/region.rules.ts'
import { day, defaulted, defineTable, id, instant, integer, nullable, ref, text } from '../table.ts'

/**
 * Why an agreement ended: the reader turned it off, staff did, a new order or a merge took its place, its payment was taken back, its
 * mandate is gone, the reader's record went, or nobody paid within grace.
 */
export type AgreementEnd = 'reader' | 'staff' | 'replaced' | 'taken-back' | 'mandate' | 'reader-gone' | 'lapsed'

/** What buyers agreed to pay again: the product, the term, the price band and the day it renews. */
export const PaymentAgreements = defineTable('payment_agreements', {
  id: id(),
  publicationId: ref(),
  buyerId: ref(),
  readerId: nullable(ref()),
  /** The order that it began with. */
  orderId: ref(),
  provider: text<PaidProvider>(),
  customerReference: nullable(text()),
  methodReference: nullable(text()),
  mandateReference: nullable(text()),
  state: text<'active' | 'ended'>(),
  product: text<Product>(),
  termMonths: integer<NonNullable<TermMonths>>(),
  band: text<Band>(),
  /** The last day of the running term: the next one is charged on it. */
  renewsOn: day(),
  /** What each further term costs, in minor units: the full price of the first, whatever a promo code took off that. */
  price: defaulted(integer()),
  currency: defaulted(text<Currency>()),
  /** The words that were agreed to, when, and which edition of the terms. Blank and null: from before they were kept. */
  consentText: defaulted(text()),
  consentedAt: nullable(instant()),
  termsVersion: defaulted(text()),
  /** The day of the contract: what the law asks depends on it. */
  contractOn: nullable(day()),
  lastFour: nullable(text()),
  /** The last day of the month that stands on the card; null where there is none, or it is not known. */
  expiresOn: nullable(day()),
  endReason: nullable(text<AgreementEnd>()),
  endedAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/**
 * Keeps what a buyer agreed to by a recurring order, at the provider of its payment. It takes the place of one that is on for the same
 * reader: a reader is charged by one. Belongs in the order's transaction, with the reader locked.
 */
export async function keepAgreement(
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
    renewsOn: Day
    facts: PaymentFacts
    consent: { text: string; termsVersion: string }
  },
): Promise<void> {
  const { order, provider, buyerId, readerId, renewsOn, facts, consent } = agreement
  if (order.termMonths === null) throw new Error('What runs until further notice does not renew')
  await endAgreementsOf(ctx, [readerId], 'replaced')
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
    renewsOn,
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

/** Ends an agreement that is on; false where it was over before. The renewal that is open of it is cancelled by whoever calls. */
export async function endAgreement(ctx: AppContext, id: number, endReason: AgreementEnd): Promise<boolean> {
  const ended = await PaymentAgreements.update(
    ctx,
    { id, state: 'active' },
    { state: 'ended', endReason, endedAt: ctx.now() },
  )
  return ended > 0
}

/** Moves an agreement to the end of a newer term, and keeps the price of the last one. */
export async function moveAgreement(ctx: AppContext, id: number, to: { renewsOn: Day; price?: number }): Promise<void> {
  await PaymentAgreements.update(ctx, { id }, to)
}

/** Ends what is on for these readers. */
export async function endAgreementsOf(
  ctx: AppContext,
  readerIds: readonly number[],
  endReason: AgreementEnd,
): Promise<void> {
  for (const readerId of readerIds) {
    await PaymentAgreements.update(
      ctx,
      { readerId, state: 'active' },
      { state: 'ended', endReason, endedAt: ctx.now() },
    )
  }
}

/** Ends the agreement that an order began, where it began one: its payment was taken back. Belongs in a transaction. */
export async function endAgreementOfOrder(ctx: AppContext, orderId: number): Promise<void> {
  await PaymentAgreements.update(
    ctx,
    { orderId, state: 'active' },
    { state: 'ended', endReason: 'taken-back', endedAt: ctx.now() },
  )
}

/** Keeps another card for an agreement; false where it has that card, or is over. */
export async function changeCard(ctx: AppContext, id: number, method: string): Promise<boolean> {
  const changed = await ctx.db.run(
    `UPDATE payment_agreements SET method_reference = :method, updated_at = :now
     WHERE id = :id AND state = 'active' AND (method_reference IS NULL OR method_reference <> :method)`,
    { id, method, now: ctx.now() },
  )
  return changed > 0
}
