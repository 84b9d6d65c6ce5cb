import { z } from 'zod'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { ownPlanAccount, runningPlan } from './own-plan.ts'
import { refreshPlan } from './refresh-plan.ts'

const message = 'Choose 1 to 366 days'

/** Advances the clock of the demo billing's plan by days, so that months, including unpaid ones, can be viewed. Refused where real money is taken. */
export const advancePlanClock = useCase({
  permission: 'plan:write',
  input: z.object({ days: z.coerce.number(message).int(message).min(1, message).max(366, message) }),
  transaction: 'none',
  async run(ctx, { days }): Promise<void> {
    const account = await ownPlanAccount(ctx)
    const { billing, subscriptionReference } = runningPlan(ctx, account)
    if (!billing.lifecycle.advanceDays) throw conflict('Days can only be skipped in a demo')
    await billing.lifecycle.advanceDays(subscriptionReference, days)
    await refreshPlan({ ...ctx, actor: { kind: 'system' } }, { publisherId: account.userId })
  },
})
