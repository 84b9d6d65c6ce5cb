import { z } from 'zod'
import { shippedRenewalSettings } from '../agreements/dunning.rules.ts'
import { longestNotice } from '../agreements/notice-days.rules.ts'
import { endLapsedAgreements, followPaidFurther } from '../agreements/payment-agreements.rows.ts'
import { addRenewals, type RenewalsOf } from '../agreements/renewals.rows.ts'
import { warnDay } from '../agreements/warn-renewals.ts'
import type { AppContext } from '../context.ts'
import { leaveMails } from '../jobs/leave-mail.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { useCase } from '../use-case.ts'

/** Plans every renewal that comes near: the job's own call, for all titles. */
export const planRenewals = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ planned: number }> {
    return planDay(ctx, dayOf(ctx.now(), ctx.settings.timeZone))
  },
})

/** How many are planned in one transaction: on SQLite nobody else writes meanwhile. */
const batch = 5000

/**
 * Writes a row for each renewal that comes near on a day and leaves its notice, once for its agreement and cycle, however often and by
 * however many it runs. An agreement whose reader has paid further by hand moves to the new end first. Gives how many will be charged.
 */
export async function planDay(ctx: AppContext, on: Day, of: RenewalsOf = {}): Promise<{ planned: number }> {
  await followPaidFurther(ctx, addDays(on, longestNotice))
  let planned = 0
  for (;;) {
    const added = await ctx.db.transaction(() => planBatch(ctx, on, of))
    if (added.length === 0) break
    planned += added.filter(({ state }) => state === 'planned').length
  }
  await warnDay(ctx, on)
  return { planned }
}

async function planBatch(ctx: AppContext, on: Day, of: RenewalsOf) {
  const added = await addRenewals(ctx, { ...of, on, graceDays: shippedRenewalSettings.graceDays, limit: batch })
  await leaveMails(
    ctx,
    'renewal-notice',
    added
      .filter(({ noticedOn }) => noticedOn !== null)
      .map(({ id, agreementId, cycleOn, publisherId }) => ({
        about: { renewalId: id },
        dedupeKey: `renewal-notice:${agreementId}:${cycleOn}`,
        publisherId,
      })),
  )
  const lapsed = added.filter(({ state }) => state === 'lapsed')
  await endLapsedAgreements(
    ctx,
    lapsed.map(({ agreementId }) => agreementId),
  )
  return added
}
