import type { AppContext } from '../context.ts'
import { addMonths, dayOf } from '../kernel/calendar.ts'
import { clearMarketing } from './lapsed-marketing.rows.ts'

/** The privacy policy: marketing data is kept no longer after the last active use. */
const keptYears = 5
/** What came in or was changed lately can still be undone; it is left alone until it cannot. */
const untouchedDays = 35
/** Readers per transaction: nobody waits long for a lock. */
const perTransaction = 500

/**
 * Deletes what of a reader serves marketing alone, five years after the last active use: the last day of the subscription, the last order and
 * the last log-in, whichever is latest. Who the reader was, where copies went and when stays, as do orders, ledger and account. Returns how
 * many readers it was.
 */
export async function clearLapsedMarketing(ctx: AppContext, chunk = perTransaction): Promise<number> {
  const before = addMonths(dayOf(ctx.now(), ctx.settings.timeZone), -12 * keptYears)
  const untouchedSince = new Date(ctx.now().getTime() - untouchedDays * 86_400_000)
  const publications = await ctx.db.query<{ id: number }>(`SELECT id FROM publications ORDER BY id`)
  let cleared = 0
  for (const { id: publicationId } of publications)
    while (true) {
      const some = await clearMarketing(ctx, { publicationId, before, untouchedSince, chunk })
      cleared += some.cleared
      if (some.found < chunk) break
    }
  return cleared
}
