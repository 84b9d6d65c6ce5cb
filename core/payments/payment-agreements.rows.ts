import type { AppContext } from '../context.ts'
import { typedValue } from '../dialect.ts'
import type { Day } from '../kernel/dates.ts'
import type { PaidProvider } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentFacts } from '../ports/payment-gateway.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import type { Band } from '../pricing/region.rules.ts'
import { day, defineTable, id, instant, integer, nullable, ref, text } from '../table.ts'

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
  renewsOn: day(),
  endedAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Keeps what a buyer agreed to by a recurring order, at the provider of its payment. */
export async function keepAgreement(
  ctx: AppContext,
  agreement: {
    order: { id: number; publicationId: number; product: Product; termMonths: number | null; band: Band }
    buyerId: number
    readerId: number
    renewsOn: Day
    facts: PaymentFacts
  },
): Promise<void> {
  const { order, buyerId, readerId, renewsOn, facts } = agreement
  await ctx.db.run(
    `INSERT INTO payment_agreements (publication_id, buyer_id, reader_id, order_id, provider, customer_reference,
       method_reference, mandate_reference, state, product, term_months, band,
       renews_on, created_at, updated_at)
     SELECT :publicationId, :buyerId, :readerId, :orderId, provider, CAST(:customer AS TEXT),
       CAST(:method AS TEXT), CAST(:mandate AS TEXT), 'active', :product, :termMonths, :band, ${typedValue(ctx.db, ':renewsOn', 'day')},
       created_at, updated_at
     FROM payments WHERE order_id = :orderId`,
    {
      publicationId: order.publicationId,
      buyerId,
      readerId,
      orderId: order.id,
      product: order.product,
      termMonths: order.termMonths,
      band: order.band,
      renewsOn,
      customer: facts.customerReference ?? null,
      method: facts.methodReference ?? null,
      mandate: facts.mandateReference ?? null,
    },
  )
}

/** Ends the agreement that an order began, where it began one: its payment was taken back. Belongs in a transaction. */
export async function endAgreementOfOrder(ctx: AppContext, orderId: number): Promise<void> {
  await PaymentAgreements.update(ctx, { orderId, state: 'active' }, { state: 'ended', endedAt: ctx.now() })
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
