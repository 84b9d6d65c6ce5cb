import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { type RenewalState, Renewals } from '../agreements/renewals.rows.ts'
import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import type { Money } from '../kernel/money.ts'
import { fullName } from '../kernel/postal-address.ts'
import { Orders } from '../orders/orders.rows.ts'
import type { PlanChoice } from '../pricing/plan-code.rules.ts'
import { renewKey } from '../renewals/renew-link.ts'
import type { MailFrame } from './mail-frame.rules.ts'
import { publicationFrame } from './publication-frame.query.ts'

/** A renewal with everything its mails say, read when they are written. */
export interface RenewalFacts {
  publicationId: number
  state: RenewalState
  isDebit: boolean
  /** The bank has an open payment that the reader has to confirm. */
  isToConfirm: boolean
  plan: PlanChoice
  money: Money
  chargeOn: Day
  graceUntil: Day
  nextTryOn: Day | null
  lastFour: string
  /** The last day of the card; null where it is not known. */
  expiresOn: Day | null
  name: string
  email: string
  language: Language | null
  country: string
  /** Pays or gives another card without a log-in. */
  renewUrl: string
  frame: MailFrame
}

/** The facts of a renewal; null where there is nobody to tell, or the reader has bought again since. */
export async function renewalFacts(ctx: AppContext, renewalId: number): Promise<RenewalFacts | null> {
  const renewal = await Renewals.find(ctx, { id: renewalId })
  const agreement = renewal && (await PaymentAgreements.find(ctx, { id: renewal.agreementId }))
  const first = agreement && (await Orders.find(ctx, { id: agreement.orderId }))
  const last = renewal?.orderId ? await Orders.find(ctx, { id: renewal.orderId }) : null
  if (!first || (await hasBoughtAgain(ctx, agreement, renewal.cycleOn, renewal.chargeOn))) return null
  const { publicationId, state, amount, currency, chargeOn, graceUntil, nextTryOn } = renewal
  const frame = await publicationFrame(ctx, publicationId)
  const [buyer] = await ctx.db.query<{ email: string; language: Language | null }>(
    `SELECT email, language FROM buyers WHERE id = :id`,
    { id: agreement.buyerId },
  )
  const key = renewKey(ctx.settings.appSecret, { renewalId, until: graceUntil })
  return {
    ...{ publicationId, state, chargeOn, graceUntil, nextTryOn, frame },
    isDebit: agreement.provider === 'stripe-bacs',
    isToConfirm: state === 'waiting' && last?.state === 'pending',
    plan: { product: agreement.product, termMonths: agreement.termMonths, isRecurring: false },
    money: { amount, currency },
    lastFour: agreement.lastFour ?? '',
    expiresOn: agreement.expiresOn,
    name: fullName(first.billing),
    email: buyer?.email ?? first.email,
    language: buyer?.language ?? first.language,
    country: first.country,
    renewUrl: `${frame.storefrontUrl}/renew/${key}`,
  }
}

/** Whether the reader runs on by another order, or the buyer has placed one for themselves since the renewal was due. */
async function hasBoughtAgain(
  { db }: AppContext,
  { readerId, buyerId, publicationId }: { readerId: number | null; buyerId: number; publicationId: number },
  cycleOn: Day,
  since: Day,
): Promise<boolean> {
  const [row] = await db.query(
    `SELECT 1 AS found FROM readers WHERE id = :readerId AND sub_end_on > :cycleOn
     UNION ALL
     SELECT 1 FROM orders WHERE buyer_id = :buyerId AND publication_id = :publicationId AND state = 'paid' AND product IS NOT NULL
       AND renewal_id IS NULL AND NOT is_gift AND ordered_on >= :since`,
    { readerId, buyerId, publicationId, cycleOn, since },
  )
  return row !== undefined
}
