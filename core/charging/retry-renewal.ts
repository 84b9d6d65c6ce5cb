import { z } from 'zod'
import { maxAttempts } from '../agreements/dunning.rules.ts'
import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { type RenewalRow, type RenewalState, Renewals, tryNow } from '../agreements/renewals.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { type Day, printDay } from '../kernel/dates.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { Orders } from '../orders/orders.rows.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { declineWords, isNeverAgain } from '../renewals/decline-words.rules.ts'
import { useCase } from '../use-case.ts'
import { chargeRenewal } from './charge-renewal.ts'

/** What became of a renewal that staff had charged again. `reason`: why it was not paid, in plain words; blank where it was. */
export interface Retried {
  state: RenewalState
  reason: string
  nextTryOn: Day | null
}

/**
 * Charges a declined renewal of the acting publisher again, today and at once, beside the days on which that happens by itself. Refused
 * where nothing may be charged: a card reported lost, a payment that waits for the reader's bank, a direct debit before its notice.
 */
export const retryRenewal = useCase({
  permission: 'renewal:charge',
  input: z.object({ id: z.coerce.number('Choose a renewal').int() }),
  // The provider is asked in between.
  transaction: 'none',
  async run(ctx, { id }): Promise<Retried> {
    const on = dayOf(ctx.now(), ctx.settings.timeZone)
    await ctx.db.transaction(() => makeDue(ctx, id, on))
    await chargeRenewal(ctx, id, on)
    const renewal = await Renewals.find(ctx, { id })
    if (!renewal) throw notFound('This renewal')
    const { state, nextTryOn } = renewal
    return { state, nextTryOn, reason: state === 'paid' || state === 'charging' ? '' : declineWords(renewal) }
  },
})

async function makeDue(ctx: AppContext, id: number, on: Day): Promise<void> {
  const renewal = await Renewals.find(ctx, { id, ...tenantOf(ctx) }, { isLocked: true })
  if (!renewal) throw notFound('This renewal')
  if (renewal.state !== 'retrying' && renewal.state !== 'waiting') {
    throw conflict('This renewal is not waiting to be charged', { hint: 'Load the page again to see where it stands.' })
  }
  await mayBeTried(ctx, renewal, on)
  await tryNow(ctx, id, on)
  const subject = { type: 'renewal', id, publisherId: renewal.publisherId }
  await recordAudit(ctx, 'retry-renewal', subject, { attempt: renewal.attempts + 1 })
}

async function mayBeTried(ctx: AppContext, renewal: RenewalRow, on: Day): Promise<void> {
  const { agreementId, orderId, declineCode, attempts, updatedAt, nextTryOn } = renewal
  const agreement = await PaymentAgreements.find(ctx, { id: agreementId })
  const last = orderId === null ? null : await Orders.find(ctx, { id: orderId })
  if (last?.state === 'pending') {
    throw conflict('The last attempt is still open', { hint: 'The reader’s bank waits for the reader to confirm it.' })
  }
  if (attempts >= maxAttempts) {
    throw conflict(`It was tried ${maxAttempts} times already`, { hint: 'The card networks allow no more.' })
  }
  const isNewCard = agreement !== null && agreement.updatedAt > updatedAt
  if (isNeverAgain(declineCode) && !isNewCard) {
    const hint = 'The reader has to give another card first.'
    throw conflict(`${declineWords(renewal)}: it must not be tried again`, { hint })
  }
  if (agreement?.provider === 'stripe-bacs' && (nextTryOn === null || nextTryOn > on)) {
    const hint = nextTryOn === null ? 'Ask the reader to pay another way.' : `It is taken on ${printDay(nextTryOn)}.`
    throw conflict('A direct debit is announced before it is taken', { hint })
  }
}
