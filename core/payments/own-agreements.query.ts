import { z } from 'zod'
import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { openRenewalStates, type RenewalState } from '../agreements/renewals.rows.ts'
import { ownBuyer } from '../buyers/live-buyer.ts'
import type { Day } from '../kernel/dates.ts'
import type { Money } from '../kernel/money.ts'
import type { PlanChoice } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'

/** An automatic renewal that is on. */
export interface OwnAgreement {
  id: number
  /** The subscription it goes on with; null where the record is not known. */
  readerId: number | null
  provider: string
  plan: PlanChoice
  /** The last day that is paid for. */
  renewsOn: Day
  /** When it is charged next, or tried again; null while it waits for the reader. */
  chargeOn: Day | null
  /** It was declined, or the bank wants it confirmed. */
  isFailed: boolean
  /** What was agreed, or announced for the next charge. */
  price: Money
}

const own = PaymentAgreements.pick('id', 'readerId', 'provider', 'product', 'termMonths', 'renewsOn', 'currency')

/** The signed-in reader's automatic renewals that are on, the next one first. */
export const ownAgreements = useCase({
  permission: 'buyer',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<OwnAgreement[]> {
    const { id: buyerId, publicationId } = await ownBuyer(ctx)
    const rows = await own.rows<{ amount: number; state: RenewalState | null; nextTryOn: Day | null }>(
      ctx,
      `SELECT ${own.columns('a')}, COALESCE(r.amount, a.price) AS amount, r.state, r.next_try_on AS "nextTryOn"
       FROM payment_agreements a LEFT JOIN renewals r ON r.agreement_id = a.id AND r.state IN (:open)
       WHERE a.buyer_id = :buyerId AND a.publication_id = :publicationId AND a.state = 'active' ORDER BY a.renews_on, a.id`,
      { buyerId, publicationId, open: [...openRenewalStates] },
    )
    return rows.map(
      ({ id, readerId, provider, product, termMonths, renewsOn, currency, amount, state, nextTryOn }) => ({
        ...{ id, readerId, provider, renewsOn },
        plan: { product, termMonths, isRecurring: false },
        chargeOn: state === null ? renewsOn : nextTryOn,
        isFailed: state === 'retrying' || state === 'waiting',
        price: { amount, currency },
      }),
    )
  },
})
