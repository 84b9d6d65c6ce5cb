import { z } from 'zod'
import { dayOf } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { DayInput } from '../kernel/day-input.ts'
import { invalid } from '../kernel/errors.ts'
import { planDay } from '../renewals/plan-renewals.ts'
import { useCase } from '../use-case.ts'
import { chargeDueRenewals } from './charge-renewals.ts'
import { lapseRenewals } from './lapse-renewals.ts'

/** The day of a run that a user starts, and its titles: of one publisher, or one title. */
export const RunInput = z.object({
  on: DayInput,
  publicationId: z.number().int().optional(),
  publisherId: z.number().int().optional(),
})

/** Plans manually, as of a day, what the job plans automatically: a future day is for dry runs only (`isDryRun`). */
export const planRenewalsBy = useCase({
  permission: 'machine:operate',
  input: RunInput.extend({ isDryRun: z.boolean().default(false) }),
  transaction: 'none',
  async run(ctx, { on, isDryRun, ...scope }): Promise<{ on: Day; planned: number }> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const day = on ?? today
    if (!isDryRun) refuseFutureDay(day, today)
    return { on: day, ...(await planDay(ctx, day, scope)) }
  },
})

interface ChargeRun {
  on: Day
  charged: number
  paid: number
  failed: number
  lapsed: number
  left: 'due' | 'to-lapse' | null
}

/**
 * Manually charges the renewals that were due by a day: orders are dated today, whatever day is given. A future day is refused: no reader is charged
 * before the announced day. Once the signal is aborted, no further renewal is charged or lapsed; `left` says what remains.
 */
export const chargeRenewalsBy = useCase({
  permission: 'machine:operate',
  input: RunInput.extend({ signal: z.custom<AbortSignal>().optional() }),
  transaction: 'none',
  async run(ctx, { on, signal, ...scope }): Promise<ChargeRun> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const dueBy = on ?? today
    refuseFutureDay(dueBy, today)
    const { isStopped, ...counts } = await chargeDueRenewals(ctx, today, { ...scope, dueBy, signal })
    const charges = { on: dueBy, ...counts }
    if (isStopped) return { ...charges, lapsed: 0, left: 'due' }
    if (dueBy !== today) return { ...charges, lapsed: 0, left: null }
    const lapses = await lapseRenewals(ctx, today, { ...scope, signal })
    return { ...charges, lapsed: lapses.lapsed, left: lapses.isStopped ? 'to-lapse' : null }
  },
})

/** Refuses a future day for actual planning or charging. */
export function refuseFutureDay(on: Day, today: Day): void {
  if (on <= today) return
  throw invalid({ on: `${formatDay(on)} is in the future: nothing is planned or charged before that day` })
}
