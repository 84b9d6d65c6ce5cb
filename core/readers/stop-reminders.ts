import type { AppContext } from '../context.ts'
import { Readers } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'
import { ReminderStops } from './reminder-stops.rows.ts'

/**
 * Stops or allows the reminders of a record, with a line in its history. Belongs in a transaction. Gives whether anything changed; what is
 * asked for twice changes nothing. A record that is gone keeps what was said of it.
 */
export async function stopReminders(
  ctx: AppContext,
  reader: { readerId: number; publicationId: number },
  isStopped: boolean,
): Promise<boolean> {
  const { readerId, publicationId } = reader
  const isThere = (await Readers.find(ctx, { id: readerId, publicationId }, { isLocked: true })) !== null
  const wasStopped = (await ReminderStops.find(ctx, reader)) !== null
  if (wasStopped === isStopped) return false
  if (isStopped) await ReminderStops.insert(ctx, { ...reader, stoppedAt: ctx.now() })
  else await ReminderStops.remove(ctx, reader)
  const note = isStopped ? 'Renewal reminders stopped' : 'Renewal reminders allowed again'
  if (isThere) await recordReaderChange(ctx, { readerId, publicationId, kind: 'edited', note })
  return true
}
