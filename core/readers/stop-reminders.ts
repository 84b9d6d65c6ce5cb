import type { AppContext } from '../context.ts'
import { Readers } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'
import { setStop } from './reminder-stops.rows.ts'

/**
 * Stops or allows the renewal reminders of a reader, with a line in the reader's history. Call it in a transaction. Idempotent: returns
 * whether anything changed. The stop is also stored for a reader that was removed.
 */
export async function stopReminders(
  ctx: AppContext,
  reader: { readerId: number; publicationId: number },
  isStopped: boolean,
): Promise<boolean> {
  const { readerId, publicationId } = reader
  const exists = (await Readers.find(ctx, { id: readerId, publicationId }, { isLocked: true })) !== null
  if (!(await setStop(ctx, { ...reader, cycleOn: null }, isStopped))) return false
  const note = isStopped ? 'Renewal reminders stopped' : 'Renewal reminders allowed again'
  if (exists) await recordReaderChange(ctx, { readerId, publicationId, kind: 'edited', note })
  return true
}
