import { z } from 'zod'
import { addRenewals } from '../agreements/renewals.rows.ts'
import type { AppContext } from '../context.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { useCase } from '../use-case.ts'
import { shippedRenewalSettings } from './dunning.rules.ts'

/** Plans every renewal that comes near: the job's own call, for all titles. */
export const planRenewals = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ planned: number }> {
    return planDay(ctx, dayOf(ctx.now(), ctx.settings.timeZone))
  },
})

/** How long before its day a renewal is planned, and with it announced, in days. */
const aheadDays = 30

/**
 * Writes a row for each renewal that comes near on a day, once for its agreement and cycle, however often and by however many it runs.
 * An agreement whose reader has paid further by hand moves to the new end first.
 */
export async function planDay(ctx: AppContext, on: Day): Promise<{ planned: number }> {
  const planned = await addRenewals(ctx, { until: addDays(on, aheadDays), graceDays: shippedRenewalSettings.graceDays })
  return { planned }
}
