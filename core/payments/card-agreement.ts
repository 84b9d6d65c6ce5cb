import { payeeOf } from '../accounts/payee-of.ts'
import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { type BuyerRow, ownBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import { type PaidProvider, paidProviders } from '../payment-methods/payment-methods.rules.ts'
import type { CardUpdate, PayeeValues } from '../ports/payment-gateway.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'

/** An automatic renewal that is charged to a card, with everything that changing the card needs. Server only. */
export interface CardAgreement {
  id: number
  customerReference: string
  product: Product
  termMonths: TermMonths
  renewsOn: Day
  /** Of the card that is stored now; null where they are not known. */
  lastFour: string | null
  expiresOn: Day | null
  buyer: BuyerRow
  payee: PayeeValues
  /** The provider that stores the card. */
  provider: PaidProvider
  update: CardUpdate
}

const cardColumns = PaymentAgreements.pick(
  'id',
  'customerReference',
  'product',
  'termMonths',
  'renewsOn',
  'provider',
  'lastFour',
  'expiresOn',
)

/** One of the logged-in buyer's renewals by card, or the next one. Throws `notFound` if there is none. */
export async function cardAgreement(ctx: AppContext, agreementId: number | null): Promise<CardAgreement> {
  const buyer = await ownBuyer(ctx)
  const providers = paidProviders.filter((provider) => ctx.payments[provider]?.cardUpdate)
  const [row] = await cardColumns.rows(
    ctx,
    `SELECT ${cardColumns.columns()} FROM payment_agreements
     WHERE buyer_id = :buyerId AND publication_id = :publicationId AND state = 'active' AND provider IN (:providers)
       AND (customer_reference IS NOT NULL OR provider = 'demo') ${agreementId === null ? '' : 'AND id = :agreementId'}
     ORDER BY renews_on, id LIMIT 1`,
    { buyerId: buyer.id, publicationId: buyer.publicationId, agreementId, providers },
  )
  const update = row && ctx.payments[row.provider]?.cardUpdate
  if (!row || !update) throw notFound('This card renewal')
  return {
    ...row,
    customerReference: row.customerReference ?? '',
    buyer,
    payee: await payeeOf(ctx, buyer.publisherId, row.provider),
    update,
  }
}
