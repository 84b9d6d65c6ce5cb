import type { AppContext } from '../context.ts'
import { addMonths, dayOf } from '../kernel/calendar.ts'
import { readersChanged } from './reader-editions.rows.ts'
import { ReaderEvents } from './reader-events.rows.ts'
import { deleteMarketing, findLapsed, type LapsedSince } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'

/** The privacy policy: marketing data is kept for this long after the last active use. */
const retentionYears = 5
/** A record that was imported or changed recently is skipped: that can still be undone. */
const untouchedDays = 35
/** Readers per transaction: few enough that locks are short. */
const perTransaction = 500

/**
 * Deletes the data of a reader that serves only marketing, five years after the last active use: the last day of the subscription, the last order and
 * the last log-in, whichever is latest. The reader's identity, deliveries, orders, ledger and account are kept. Returns how
 * many readers were affected.
 */
export async function clearLapsedMarketing(ctx: AppContext, chunk = perTransaction): Promise<number> {
  const before = addMonths(dayOf(ctx.now(), ctx.settings.timeZone), -12 * retentionYears)
  const untouchedSince = new Date(ctx.now().getTime() - untouchedDays * 86_400_000)
  const publications = await ctx.db.query<{ id: number }>(`SELECT id FROM publications ORDER BY id`)
  let cleared = 0
  for (const { id: publicationId } of publications) {
    const lapsed = { publicationId, before, untouchedSince }
    for (let ids = await findLapsed(ctx, lapsed, chunk); ids.length > 0; ids = await findLapsed(ctx, lapsed, chunk)) {
      const clearedNow = await clearChunk(ctx, lapsed, ids)
      cleared += clearedNow
      // A reader who came back in between is not found again; a pass that changes none is the last.
      if (clearedNow === 0) break
    }
  }
  return cleared
}

/** In one transaction: the deletion, and a line in each history that says so, without the deleted values. */
function clearChunk(ctx: AppContext, lapsed: LapsedSince, ids: number[]): Promise<number> {
  const { publicationId } = lapsed
  return ctx.db.transaction(async () => {
    const cleared = await deleteMarketing(ctx, lapsed, ids)
    for (const readerId of cleared) {
      // The history would still contain what was deleted.
      await ReaderEvents.update(ctx, { readerId }, { before: null })
      const note = 'Marketing data deleted, five years after the last active use'
      await recordReaderChange(ctx, { readerId, publicationId, kind: 'edited', note })
    }
    if (cleared.length > 0) await readersChanged(ctx.db, publicationId)
    return cleared.length
  })
}
