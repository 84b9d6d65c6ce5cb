import { z } from 'zod'
import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { openRenewalStates, type RenewalState } from '../agreements/renewal-states.rules.ts'
import { ownBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Money } from '../kernel/money.ts'
import type { PaidProvider } from '../payment-methods/payment-methods.rules.ts'
import type { PlanChoice } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'
import { renewKey } from './renew-link.ts'

/** An automatic renewal that is on. */
export interface OwnAgreement {
  id: number
  /** The subscription it renews; null if the record is unknown. */
  readerId: number | null
  /** The buyer can enter another card for it in the account. */
  canChangeCard: boolean
  /** The key in the address of the page that shows the open renewal and takes another card; null if none is open, or it is not paid by card. */
  renewKey: string | null
  plan: PlanChoice
  /** The last day that is paid for. */
  renewsOn: Day
  /** When it is charged next, or retried; null while it is being charged, or waits for the reader. */
  chargeOn: Day | null
  /** It was declined, or the bank wants it confirmed. */
  isFailed: boolean
  /** The price of the next charge: the announced one, else the agreed one. */
  price: Money
  /** The price of the previous term, if the announced price differs; null if it is the same. */
  oldPrice: Money | null
}

const agreementColumns = PaymentAgreements.pick(
  'id',
  'readerId',
  'provider',
  'product',
  'termMonths',
  'renewsOn',
  'currency',
)

/** The logged-in buyer's automatic renewals that are on, the next one first. */
export const ownAgreements = useCase({
  permission: 'buyer',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<OwnAgreement[]> {
    const { id: buyerId, publicationId } = await ownBuyer(ctx)
    const rows = await agreementColumns.rows<{
      amount: number
      oldAmount: number | null
      renewalId: number | null
      state: RenewalState | null
      nextTryOn: Day | null
      graceUntil: Day | null
    }>(
      ctx,
      `SELECT ${agreementColumns.columns('a')}, COALESCE(r.amount, a.price) AS amount, r.old_amount AS "oldAmount", r.id AS "renewalId",
         r.state, r.next_try_on AS "nextTryOn", r.grace_until AS "graceUntil"
       FROM payment_agreements a LEFT JOIN renewals r ON r.agreement_id = a.id AND r.state IN (:open)
       WHERE a.buyer_id = :buyerId AND a.publication_id = :publicationId AND a.state = 'active' ORDER BY a.renews_on, a.id`,
      { buyerId, publicationId, open: [...openRenewalStates] },
    )
    return rows.map(
      ({
        id,
        readerId,
        provider,
        product,
        termMonths,
        renewsOn,
        currency,
        amount,
        oldAmount,
        state,
        nextTryOn,
        ...open
      }) => ({
        id,
        readerId,
        renewsOn,
        canChangeCard: canChangeCard(ctx, provider),
        renewKey: canChangeCard(ctx, provider) ? keyOf(ctx, open) : null,
        plan: { product, termMonths, isRecurring: false },
        chargeOn: state === null ? renewsOn : nextTryOn,
        isFailed: state === 'retrying' || state === 'waiting',
        price: { amount, currency },
        oldPrice: oldAmount === null ? null : { amount: oldAmount, currency },
      }),
    )
  },
})

const canChangeCard = ({ payments }: AppContext, provider: PaidProvider) => payments[provider]?.cardUpdate !== undefined

function keyOf(
  { settings }: AppContext,
  { renewalId, graceUntil }: { renewalId: number | null; graceUntil: Day | null },
): string | null {
  return renewalId === null || graceUntil === null
    ? null
    : renewKey(settings.appSecret, { renewalId, until: graceUntil })
}
