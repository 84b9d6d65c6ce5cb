import type { AppContext } from '../context.ts'
import { type OptOuts, optOuts } from './opt-outs.rules.ts'
import { readersChanged } from './reader-editions.rows.ts'
import { Readers } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'

/**
 * Stores a reader's opt-outs, with the previous values in the record's history: who consented to what, and when. Call it
 * in a transaction. Returns the names of the flags that changed; undefined if there is no such record in the publication.
 */
export async function setOptOuts(
  ctx: AppContext,
  { readerId, publicationId, chosen }: { readerId: number; publicationId: number; chosen: OptOuts },
): Promise<string[] | undefined> {
  const reader = await Readers.find(ctx, { id: readerId, publicationId }, { isLocked: true })
  if (!reader) return undefined
  const changed = optOuts.filter(({ field }) => reader[field] !== chosen[field])
  if (changed.length === 0) return []
  const before = Object.fromEntries(changed.map(({ field }) => [field, reader[field]]))
  await Readers.update(ctx, { id: reader.id }, { ...chosen, version: reader.version + 1, modifiedBy: null })
  const changes = changed.map(({ field, label }) => `${label}: ${chosen[field] ? 'no' : 'yes'}`)
  const note = `Chosen by the reader: ${changes.join('; ')}`
  await recordReaderChange(ctx, { readerId, publicationId, kind: 'edited', note, before })
  await readersChanged(ctx.db, publicationId)
  return changed.map(({ field }) => field)
}
