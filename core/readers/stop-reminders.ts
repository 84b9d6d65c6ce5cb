import type { AppContext } from '../context.ts'
import { Readers } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'
import { setStop } from './reminder-stops.rows.ts'

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
  if (!(await setStop(ctx, { ...reader, cycleOn: null }, isStopped))) return false
  const note = isStopped ? 'Renewal reminders stopped' : 'Renewal reminders allowed again'
  if (isThere) await recordReaderChange(ctx, { readerId, publicationId, kind: 'edited', note })
  return true
}
