import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import type { PlanEventSubject } from '../ports/plan-billing.ts'
import type { PlanInvoice, PlanSubscription } from '../ports/plan-lifecycle.ts'
import { planByKey } from '../pricing/publisher-plans.rules.ts'
import { setPaused } from '../publications/publications.rows.ts'
import { useCase } from '../use-case.ts'
import { type AccountRow, Accounts, changeAccount, lockAccount } from '../users/accounts.rows.ts'
import { countedTitles } from './counted-titles.query.ts'
import { notifyUnpaidPlan } from './notify-unpaid-plan.ts'
import { PlanChanges } from './plan-changes.rows.ts'
import { allocateTitles } from './plan-titles.rules.ts'
import { payableInvoices } from './platform-invoices.rows.ts'
import { settleStart } from './settle-start.ts'
import { storeInvoices } from './store-invoices.ts'

/** How long to wait for the response to a change. After that the change counts as never made: the provider shows the old plan. */
const timeoutMs = 60 * 60_000

/** Queries the provider for the state of a publisher's plan and stores it; a start that waits for its payment is polled first. */
export const refreshPlan = useCase({
  permission: 'machine:operate',
  input: z.object({ publisherId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { publisherId }): Promise<void> {
    await settleStart(ctx, publisherId)
    await syncPlan(ctx, publisherId)
    await notifyUnpaidPlan(ctx, publisherId)
  },
})

/** Handles a message about a subscription or its invoices. One about an unknown plan changes nothing. */
export async function refreshPlanAbout(ctx: AppContext, about: PlanEventSubject): Promise<void> {
  const { subscription, customer } = about
  const account =
    (subscription !== null && (await Accounts.find(ctx, { planSubscriptionReference: subscription }))) ||
    (customer !== null && (await Accounts.find(ctx, { planCustomerReference: customer })))
  if (account) await refreshPlan(ctx, { publisherId: account.userId })
}

/**
 * Queries the provider for the state of a publisher’s plan and stores it, including all changes made at the provider before the call, and what became
 * of the invoices that earlier plans left unpaid.
 */
export async function syncPlan(ctx: AppContext, publisherId: number): Promise<void> {
  const account = await Accounts.find(ctx, { userId: publisherId })
  if (!account?.planSubscriptionReference || !ctx.planBilling) return
  const requestedAt = ctx.now()
  const subscription = await ctx.planBilling.lifecycle.lookUp(account.planSubscriptionReference)
  if (!subscription) {
    ctx.log.warn({ publisher: publisherId }, 'the provider does not know a plan')
    return
  }
  const known = new Set(subscription.invoices.map(({ reference }) => reference))
  const earlier: PlanInvoice[] = []
  for (const reference of await payableInvoices(ctx, publisherId)) {
    const invoice = known.has(reference) ? null : await ctx.planBilling.lifecycle.lookUpInvoice(reference)
    if (invoice) earlier.push(invoice)
  }
  await ctx.db.transaction(() => storePlan(ctx, publisherId, subscription, earlier, requestedAt))
}

async function storePlan(
  ctx: AppContext,
  publisherId: number,
  subscription: PlanSubscription,
  earlierInvoices: readonly PlanInvoice[],
  requestedAt: Date,
): Promise<void> {
  await lockAccount(ctx, publisherId)
  const account = await Accounts.find(ctx, { userId: publisherId })
  // Another plan has begun since, or a later query got its response first.
  if (account?.planSubscriptionReference !== subscription.subscriptionReference) return
  if (account.planAskedAt && account.planAskedAt > requestedAt) return
  await storeInvoices(ctx, account, earlierInvoices)
  const firstUnpaid = await storeInvoices(ctx, account, subscription.invoices)
  await updateTitles(ctx, account, subscription)
  await storeState(ctx, account, subscription, { requestedAt, firstUnpaid })
}

/** Applies the title limit of a different plan: some titles are paused, or go on sale again. */
async function updateTitles(ctx: AppContext, account: AccountRow, { planKey, state }: PlanSubscription): Promise<void> {
  const { userId: publisherId } = account
  const open = await PlanChanges.find(ctx, { publisherId, state: 'open' })
  const plan = planKey === null ? undefined : planByKey(planKey)
  // While a new plan waits for its payment, the one that has ended is still the account's.
  const isRequested = open?.toPlan === planKey && (open?.kind === 'change' || state !== 'ended')
  if (plan && (plan.key !== account.planKey || isRequested)) {
    const titles = await countedTitles(ctx, publisherId)
    const { pause, resume } = allocateTitles(titles, plan.titles, isRequested ? open?.paused : [])
    await setPaused(ctx, publisherId, pause, true)
    await setPaused(ctx, publisherId, resume, false)
    await changeAccount(ctx, publisherId, { planKey: plan.key, numberOfPublications: plan.titles })
    await recordAudit(
      ctx,
      'change-plan',
      { type: 'user', id: publisherId, publisherId },
      { from: account.planKey, to: plan.key, paused: pause.length, resumed: resume.length },
    )
  }
  if (open && isRequested) await PlanChanges.update(ctx, { id: open.id, state: 'open' }, { state: 'done' })
  else if (open?.kind === 'change' && open.createdAt.getTime() < ctx.now().getTime() - timeoutMs)
    await PlanChanges.update(ctx, { id: open.id, state: 'open' }, { state: 'given-up' })
}

async function storeState(
  ctx: AppContext,
  account: AccountRow,
  subscription: PlanSubscription,
  { requestedAt, firstUnpaid }: { requestedAt: Date; firstUnpaid: string | null },
): Promise<void> {
  const { userId: publisherId, planState: previousState } = account
  // Until its first payment is made a plan counts as active: nothing is unpaid yet.
  const state = subscription.state === 'incomplete' ? 'active' : subscription.state
  const firstOpen = subscription.invoices.find((invoice) => invoice.state === 'open')
  const unpaidSince = state === 'past-due' ? (firstOpen?.issuedAt ?? account.planUnpaidSince ?? requestedAt) : null
  // The emails about an unpaid invoice are counted until it is settled, whatever the plan's state becomes meanwhile.
  const isSameInvoice = firstOpen ? firstOpen.reference === firstUnpaid : state === 'past-due'
  const cancelsAtEnd = state !== 'ended' && subscription.cancelsAtEnd
  await changeAccount(ctx, publisherId, {
    planState: state,
    planCustomerReference: subscription.customerReference,
    planCoupon: subscription.couponId,
    planNextAmount: subscription.nextAmount,
    planPeriodEndsAt: subscription.periodEndsAt,
    planCancelsAtEnd: cancelsAtEnd,
    planUnpaidSince: unpaidSince,
    planUnpaidNotices: isSameInvoice ? account.planUnpaidNotices : 0,
    planCardLastFour: subscription.cardLastFour,
    planAskedAt: requestedAt,
  })
  const subject = { type: 'user', id: publisherId, publisherId }
  const notify = (kind: 'paid' | 'ended' | 'cancelled' | 'resumed', key: string) =>
    enqueueMail(ctx, 'plan-notice', { userId: publisherId, kind, key }, { publisherId })
  const month = subscription.periodEndsAt.toISOString()
  if (state === 'past-due' && previousState !== 'past-due') await recordAudit(ctx, 'plan-unpaid', subject)
  if (state === 'active' && previousState === 'past-due') {
    await recordAudit(ctx, 'plan-paid', subject)
    await notify('paid', account.planUnpaidSince?.toISOString() ?? month)
  }
  if (state === 'ended' && previousState !== 'ended') {
    await recordAudit(ctx, 'plan-ended', subject)
    await notify('ended', subscription.subscriptionReference)
  }
  if (cancelsAtEnd && !account.planCancelsAtEnd) await notify('cancelled', requestedAt.toISOString())
  if (state !== 'ended' && !cancelsAtEnd && account.planCancelsAtEnd) await notify('resumed', requestedAt.toISOString())
}
