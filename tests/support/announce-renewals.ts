import type { AppContext } from '#core/context.ts'
import type { Day } from '#core/kernel/dates.ts'
import { planDay } from '#core/renewals/plan-renewals.ts'

/** Plans the renewals of a day and marks their notices as sent, without a worker: nothing is charged before its notice is sent. */
export async function announceRenewals(ctx: AppContext, on: Day, scope?: Parameters<typeof planDay>[2]) {
  const planned = await planDay(ctx, on, scope)
  await ctx.db.run(`UPDATE jobs SET state = 'done' WHERE dedupe_key LIKE 'renewal-notice:%' AND state = 'waiting'`)
  return planned
}
