import { z } from 'zod'
import { isFinalForCard, keysRefused } from '../agreements/declines.rules.ts'
import { maxAttempts } from '../agreements/dunning.rules.ts'
import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import type { RenewalState } from '../agreements/renewal-states.rules.ts'
import { makeDueOn, type RenewalRow, Renewals } from '../agreements/renewals.rows.ts'
import { failures } from '../agreements/settle-renewal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { Orders } from '../orders/orders.rows.ts'
import { Payments } from '../orders/payments.rows.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { declineReasonText } from '../renewals/decline-reason.rules.ts'
import { useCase } from '../use-case.ts'
import { type ChargeOutcome, chargeRenewal } from './charge-renewal.ts'

/** The result of charging a renewal again. `reason`: why it was not paid; blank where it was. */
export interface RetryResult {
  state: RenewalState
  reason: string
  nextTryOn: Day | null
}

/**
 * Charges a declined renewal of the acting publisher again, immediately, in addition to the automatic retries. Refused where nothing
 * may be charged: a card reported lost, a payment that waits for the reader's bank, a direct debit before its notice, a reader who was not notified
 * of the charge. A dry run makes the same checks, charges nothing and returns the current state.
 */
export const retryRenewal = useCase({
  permission: 'renewal:charge',
  input: z.object({ id: z.coerce.number('Choose a renewal').int(), isDryRun: z.boolean().default(false) }),
  // No transaction is held open while the provider is called.
  transaction: 'none',
  async run(ctx, { id, isDryRun }): Promise<RetryResult> {
    const on = dayOf(ctx.now(), ctx.settings.timeZone)
    if (isDryRun) await ctx.db.transaction(() => lockRetryable(ctx, id, on))
    else await chargeAgain(ctx, id, on)
    const renewal = await Renewals.find(ctx, { id })
    if (!renewal) throw notFound('This renewal')
    const { state, nextTryOn } = renewal
    return { state, nextTryOn, reason: state === 'paid' || state === 'charging' ? '' : declineReasonText(renewal) }
  },
})

/** Charges one renewal again, today. Throws `conflict`, with the reason, if that is not allowed. */
export async function chargeAgain(ctx: AppContext, id: number, on: Day): Promise<ChargeOutcome> {
  await ctx.db.transaction(async () => {
    const { publisherId, attempts } = await lockRetryable(ctx, id, on)
    await makeDueOn(ctx, id, on)
    await recordAudit(ctx, 'retry-renewal', { type: 'renewal', id, publisherId }, { attempt: attempts + 1 })
  })
  return chargeRenewal(ctx, id, on)
}

/** Locks a renewal that may be charged again on a day; throws `conflict` with the reason where it may not. */
async function lockRetryable(ctx: AppContext, id: number, on: Day): Promise<RenewalRow> {
  const renewal = await Renewals.find(ctx, { id, ...tenantOf(ctx) }, { isLocked: true })
  if (!renewal) throw notFound('This renewal')
  const { state, agreementId, orderId, declineCode, nextTryOn } = renewal
  if (state !== 'retrying' && state !== 'waiting') {
    throw conflict('This renewal is not waiting to be charged', {
      hint: 'It is planned, being charged, paid or ended.',
    })
  }
  const agreement = await PaymentAgreements.find(ctx, { id: agreementId })
  const lastOrder = orderId === null ? null : await Orders.find(ctx, { id: orderId })
  if (lastOrder === null) {
    throw conflict(declineReasonText(renewal), { hint: 'Nobody is charged before the notice has been sent.' })
  }
  const isPending = lastOrder.state === 'pending' && declineCode !== keysRefused
  // Without a reference the provider never received it: it is cancelled before the next one is charged.
  if (isPending && (await Payments.find(ctx, { orderId: lastOrder.id }))?.providerReference) {
    throw conflict('The last attempt is still pending', {
      hint:
        state === 'waiting'
          ? 'The reader’s bank is waiting for the reader to confirm it.'
          : 'The provider is asked for its outcome automatically. Try again in a few minutes.',
    })
  }
  if ((await failures(ctx, renewal.id)).inCycle >= maxAttempts) {
    throw conflict(`It has already been tried ${maxAttempts} times`, { hint: 'The card networks allow no more.' })
  }
  const stopCode = agreement?.cardStopCode ?? (isFinalForCard(declineCode) ? declineCode : null)
  if (stopCode !== null) {
    const hint = 'The reader has to enter another card first.'
    throw conflict(`${declineReasonText({ declineCode: stopCode, reason: '' })}: it must not be tried again`, { hint })
  }
  if (agreement?.provider === 'stripe-bacs' && (nextTryOn === null || nextTryOn > on)) {
    const hint =
      nextTryOn === null
        ? 'Ask the reader to use another payment method.'
        : `It will be taken on ${formatDay(nextTryOn)}.`
    throw conflict('A direct debit is announced before it is taken', { hint })
  }
  return renewal
}
