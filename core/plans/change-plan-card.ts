import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { AppError, invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { declinedMessage } from './declined-message.rules.ts'
import { ownPlanAccount, runningPlan } from './own-plan.ts'
import { syncPlan } from './refresh-plan.ts'

/** Opens the provider's page for another card; null if the card is entered on ours. */
export const startPlanCard = useCase({
  permission: 'plan:write',
  input: z.object({ key: z.string().min(8).max(100) }),
  transaction: 'none',
  async run(ctx, { key }): Promise<{ url: string } | null> {
    const { billing, ...references } = runningPlan(ctx, await ownPlanAccount(ctx))
    return billing.lifecycle.startCardUpdate({
      ...references,
      returnUrl: `${ctx.settings.appUrl}/account/plan/card?session={session}`,
      cancelUrl: `${ctx.settings.appUrl}/account/plan`,
      idempotencyKey: key,
    })
  },
})

/** Stores the card that was entered on the provider's page, or typed on ours, and pays the open amount with it. */
export const finishPlanCard = useCase({
  permission: 'plan:write',
  input: z.object({
    session: z.string('Required').trim().min(1, 'Required').max(200, 'Must be 200 characters or fewer'),
  }),
  transaction: 'none',
  async run(ctx, { session }): Promise<{ isPaid: boolean }> {
    const account = await ownPlanAccount(ctx)
    const { billing, subscriptionReference, customerReference } = runningPlan(ctx, account)
    if (!(await billing.lifecycle.finishCardUpdate({ subscriptionReference, customerReference, session }))) {
      throw invalid({ session: 'This card cannot be charged. Please try another one.' })
    }
    const { userId } = account
    await recordAudit(ctx, 'change-plan-card', { type: 'user', id: userId, publisherId: userId })
    await syncPlan(ctx, userId)
    if ((await ownPlanAccount(ctx)).planState !== 'past-due') return { isPaid: true }
    return { isPaid: (await payOpenInvoice(ctx, subscriptionReference, userId)) === null }
  },
})

/** Retries charging the plan's open amount. */
export const payPlan = useCase({
  permission: 'plan:write',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<void> {
    const account = await ownPlanAccount(ctx)
    const { subscriptionReference } = runningPlan(ctx, account)
    const declineReason = await payOpenInvoice(ctx, subscriptionReference, account.userId)
    if (declineReason !== null)
      throw new AppError('declined', declinedMessage('The card was declined', declineReason), {
        hint: 'Change the card, then try again.',
      })
  },
})

/** Null when it is paid, else the reason why not. */
async function payOpenInvoice(
  ctx: AppContext,
  subscriptionReference: string,
  publisherId: number,
): Promise<string | null> {
  const result = await ctx.planBilling?.lifecycle.payOpenInvoice(subscriptionReference)
  await syncPlan(ctx, publisherId)
  if (result?.state === 'declined') return result.reason
  await recordAudit(ctx, 'pay-plan', { type: 'user', id: publisherId, publisherId })
  return null
}
