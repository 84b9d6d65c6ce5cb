import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { day, defineTable, id, instant, nullable, ref } from '../table.ts'

/**
 * Records that get no reminders of the end of their subscription: their reader's choice, separate from the eight opt-outs. A merged record
 * brings its own, so that a reader may have several.
 */
export const ReminderStops = defineTable('reminder_stops', {
  id: id(),
  readerId: ref(),
  publicationId: ref(),
  stoppedAt: instant(),
  /** The last day of the only term whose efforts are stopped, by staff; null: a permanent stop. */
  cycleOn: nullable(day()),
})

/** When a record's reminders were stopped; null while it gets them. */
export async function remindersStoppedAt(
  ctx: Pick<AppContext, 'db'>,
  reader: { readerId: number; publicationId: number },
): Promise<Date | null> {
  return (await ReminderStops.find(ctx, { ...reader, cycleOn: null }))?.stoppedAt ?? null
}

/**
 * Stops or allows the efforts of a record, permanently or for one term. Call it in a transaction that locks the reader;
 * returns whether anything changed.
 */
export async function setStop(
  ctx: AppContext,
  reader: { readerId: number; publicationId: number; cycleOn: Day | null },
  isStopped: boolean,
): Promise<boolean> {
  const wasStopped = (await ReminderStops.find(ctx, reader)) !== null
  if (wasStopped === isStopped) return false
  if (isStopped) await ReminderStops.insert(ctx, { ...reader, stoppedAt: ctx.now() })
  else await ReminderStops.remove(ctx, reader)
  return true
}
