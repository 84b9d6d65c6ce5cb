import { z } from 'zod'
import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { ownBuyer } from '../buyers/live-buyer.ts'
import type { Day } from '../kernel/dates.ts'
import type { Money } from '../kernel/money.ts'
import type { PlanChoice } from '../pricing/plan-code.rules.ts'
import { currencyOf } from '../pricing/region.rules.ts'
import { useCase } from '../use-case.ts'

/** An automatic renewal that is on. */
export interface OwnAgreement {
  id: number
  /** The subscription it goes on with; null where the record is not known. */
  readerId: number | null
  provider: string
  plan: PlanChoice
  renewsOn: Day
  /** What it would cost today; null where the plan is not sold any more. */
  price: Money | null
}

const own = PaymentAgreements.pick('id', 'readerId', 'provider', 'product', 'termMonths', 'band', 'renewsOn')

/** The signed-in reader's automatic renewals that are on, the next one first. */
export const ownAgreements = useCase({
  permission: 'buyer',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<OwnAgreement[]> {
    const { id: buyerId, publicationId } = await ownBuyer(ctx)
    const rows = await own.rows<{ amount: number | null }>(
      ctx,
      `SELECT ${own.columns('a')},
              (SELECT MIN(pp.amount) FROM publication_prices pp WHERE pp.publication_id = a.publication_id AND pp.product = a.product
                 AND pp.term_months = a.term_months AND pp.band = a.band AND pp.is_recurring) AS amount
       FROM payment_agreements a
       WHERE a.buyer_id = :buyerId AND a.publication_id = :publicationId AND a.state = 'active' ORDER BY a.renews_on, a.id`,
      { buyerId, publicationId },
    )
    return rows.map((row) => ({
      id: row.id,
      readerId: row.readerId,
      provider: row.provider,
      plan: { product: row.product, termMonths: row.termMonths, isRecurring: false },
      renewsOn: row.renewsOn,
      price: row.amount === null ? null : { amount: row.amount, currency: currencyOf(row.band) },
    }))
  },
})
