import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { PaymentFacts } from '../ports/payment-gateway.ts'

/** Keeps what a buyer agreed to by a recurring order: the product, the term, the price band and the day it renews. */
export async function keepAgreement(
  ctx: AppContext,
  agreement: {
    order: { id: number; publication_id: number; product: string; term_months: number | null; band: string }
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
       CAST(:method AS TEXT), CAST(:mandate AS TEXT), 'active', :product, :termMonths, :band, CAST(:renewsOn AS ${dayType(ctx)}),
       created_at, updated_at
     FROM payments WHERE order_id = :orderId`,
    {
      publicationId: order.publication_id,
      buyerId,
      readerId,
      orderId: order.id,
      product: order.product,
      termMonths: order.term_months,
      band: order.band,
      renewsOn,
      customer: facts.customerReference ?? null,
      method: facts.methodReference ?? null,
      mandate: facts.mandateReference ?? null,
    },
  )
}

function dayType(ctx: AppContext): string {
  return ctx.db.dialect === 'postgres' ? 'DATE' : 'TEXT'
}
