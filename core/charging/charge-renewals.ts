import { z } from 'zod'
import { dueRenewals, type RenewalsOf } from '../agreements/renewals.rows.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { failureLevel } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { chargeRenewal } from './charge-renewal.ts'
import { lapseDay } from './lapse-renewals.ts'

/** How many are asked for at the provider side by side. */
const atOnce = 20
const batch = 500

/** Charges every renewal whose day it is, and lets lapse what nobody paid within grace: the job's own call, for all titles. */
export const chargeRenewals = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx) {
    const on = dayOf(ctx.now(), ctx.settings.timeZone)
    return { ...(await chargeDay(ctx, on)), lapsed: await lapseDay(ctx, on) }
  },
})

/**
 * Charges on a day what is due, of one title, one publisher or all; with `dueBy`, what was due by an earlier day alone. One that fails
 * stops no other.
 */
export async function chargeDay(
  ctx: AppContext,
  on: Day,
  { dueBy = on, ...of }: RenewalsOf & { dueBy?: Day } = {},
): Promise<{ charged: number; paid: number; failed: number }> {
  const counts = { charged: 0, paid: 0, failed: 0 }
  const seen = new Set<number>()
  for (;;) {
    const due = await dueRenewals(ctx, { ...of, on: dueBy, limit: batch })
    // What failed inside stays due: it is tried again by the next run.
    const waiting = due.filter((id) => !seen.has(id))
    if (waiting.length === 0) return counts
    for (const id of waiting) seen.add(id)
    const next = waiting[Symbol.iterator]()
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const id of next) {
          try {
            const outcome = await chargeRenewal(ctx, id, on)
            if (outcome !== 'not-due' && outcome !== 'not-charged') counts.charged++
            if (outcome === 'paid') counts.paid++
          } catch (error) {
            counts.failed++
            ctx.log[failureLevel(error)]({ error, renewal: id }, 'a renewal could not be charged')
          }
        }
      }),
    )
  }
}
