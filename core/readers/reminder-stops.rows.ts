import type { AppContext } from '../context.ts'
import { defineTable, id, instant, ref } from '../table.ts'

/**
 * Records that get no reminders of the end of their subscription: a choice of their reader, apart from the eight opt-outs. A record that was
 * merged brings its own along, so that a reader may have several.
 */
export const ReminderStops = defineTable('reminder_stops', {
  id: id(),
  readerId: ref(),
  publicationId: ref(),
  stoppedAt: instant(),
})

/** When a record's reminders were stopped; null while it gets them. */
export async function remindersStoppedAt(
  ctx: Pick<AppContext, 'db'>,
  reader: { readerId: number; publicationId: number },
): Promise<Date | null> {
  return (await ReminderStops.find(ctx, reader))?.stoppedAt ?? null
}
