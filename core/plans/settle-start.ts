import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { Accounts, changeAccount, lockAccount } from '../users/accounts.rows.ts'
import { type PlanChangeRow, PlanChanges } from './plan-changes.rows.ts'

/** How long a start without a checkout session stays open: its publisher was never sent to a payment page. */
const maxMsWithoutSession = 60 * 60_000

/** Queries the outcome of the payment page of a plan that was started, and stores the plan on the account if it was paid. */
export async function settleStart(ctx: AppContext, publisherId: number): Promise<'done' | 'open' | 'none'> {
  const open = await PlanChanges.find(ctx, { publisherId, state: 'open' })
  if (open?.kind !== 'start' || !ctx.planBilling) return 'none'
  if (open.session === null) {
    if (open.createdAt.getTime() < ctx.now().getTime() - maxMsWithoutSession) await cancelStart(ctx, open)
    return 'none'
  }
  const checkout = await ctx.planBilling.lifecycle.findCheckout(open.session)
  if (checkout.state === 'open') return 'open'
  if (checkout.state === 'expired') {
    await cancelStart(ctx, open)
    return 'none'
  }
  await storeStartedPlan(ctx, open, checkout)
  return 'done'
}

/** Stores a plan that was started and paid on the account. Its titles follow when the provider is polled. */
export async function storeStartedPlan(
  ctx: AppContext,
  change: PlanChangeRow,
  started: { subscriptionReference: string; customerReference: string },
): Promise<void> {
  const { publisherId, priceType, toPlan } = change
  await ctx.db.transaction(async () => {
    await lockAccount(ctx, publisherId)
    const account = await Accounts.find(ctx, { userId: publisherId })
    if (!account || account.planSubscriptionReference === started.subscriptionReference) return
    await changeAccount(ctx, publisherId, {
      planSubscriptionReference: started.subscriptionReference,
      planCustomerReference: started.customerReference,
      planState: 'active',
      planPriceType: priceType,
      planCoupon: null,
      planCancelsAtEnd: false,
      planUnpaidSince: null,
      planUnpaidNotices: 0,
      planAskedAt: null,
    })
    await recordAudit(ctx, 'start-plan', { type: 'user', id: publisherId, publisherId }, { plan: toPlan })
  })
}

export async function cancelStart(ctx: AppContext, { id }: PlanChangeRow): Promise<void> {
  await PlanChanges.update(ctx, { id, state: 'open' }, { state: 'given-up' })
}
