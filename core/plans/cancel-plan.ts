import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { ownPlanAccount, runningPlan } from './own-plan.ts'
import { syncPlan } from './refresh-plan.ts'

/** Cancels the plan at the end of the paid month, or undoes that. Both are idempotent. */
export const setPlanCancelled = useCase({
  permission: 'plan:write',
  input: z.object({
    isCancelled: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]),
  }),
  transaction: 'none',
  async run(ctx, { isCancelled }): Promise<{ endsOn: Day | null }> {
    const account = await ownPlanAccount(ctx)
    const { userId, planPeriodEndsAt } = account
    const { billing, subscriptionReference } = runningPlan(ctx, account)
    if (!isCancelled && planPeriodEndsAt && planPeriodEndsAt <= ctx.now()) {
      await syncPlan(ctx, userId)
      const { planState } = await ownPlanAccount(ctx)
      if (planState === 'ended') throw conflict('This plan has ended. Choose a plan to come back.')
    }
    await billing.lifecycle.setCancelling(subscriptionReference, isCancelled)
    await syncPlan(ctx, userId)
    if (isCancelled !== account.planCancelsAtEnd)
      await recordAudit(ctx, isCancelled ? 'cancel-plan' : 'resume-plan', {
        type: 'user',
        id: userId,
        publisherId: userId,
      })
    const { planPeriodEndsAt: endsAt } = await ownPlanAccount(ctx)
    return { endsOn: endsAt && dayOf(endsAt, ctx.settings.timeZone) }
  },
})
