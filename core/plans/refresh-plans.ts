import { z } from 'zod'
import { failureLevel } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { plansToPoll, unpaidPlans } from '../users/accounts.rows.ts'
import { notifyUnpaidPlan } from './notify-unpaid-plan.ts'
import { noticeDays } from './plan-billing-status.rules.ts'
import { waitingPlanChanges } from './plan-changes.rows.ts'
import { refreshPlan } from './refresh-plan.ts'

const batch = 200
const hourMs = 3_600_000

/**
 * Polls the plans that had no message for a day, sooner if something is due or the response to a change was lost; then queues
 * the emails about unpaid ones. One that fails does not stop the others.
 */
export const refreshPlans = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ polled: number; failed: number; notified: number }> {
    const now = ctx.now()
    const before = (ms: number) => new Date(now.getTime() - ms)
    const due = await plansToPoll(ctx, {
      now,
      polledBefore: before(24 * hourMs),
      urgentPolledBefore: before(6 * hourMs),
      limit: batch,
    })
    const waiting = await waitingPlanChanges(ctx, before(5 * 60_000), batch)
    const ids = new Set([...due.map(({ userId }) => userId), ...waiting.map(({ publisherId }) => publisherId)])
    let failed = 0
    for (const publisherId of ctx.planBilling ? ids : []) {
      try {
        await refreshPlan(ctx, { publisherId })
      } catch (error) {
        failed++
        ctx.log[failureLevel(error)]({ error, publisher: publisherId }, 'a plan could not be refreshed')
      }
    }
    let notified = 0
    for (const { userId } of await unpaidPlans(ctx, { since: now, notices: noticeDays.length, limit: batch }))
      if (await notifyUnpaidPlan(ctx, userId)) notified++
    return { polled: ids.size, failed, notified }
  },
})
