import type { AppContext } from '../context.ts'
import { lockKeptRecord } from './kept-record.ts'
import { type OptOuts, optOuts } from './opt-outs.rules.ts'
import { readersChanged } from './reader-editions.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'

/**
 * Stores a reader's opt-outs, also in a removed record, with the previous values in the record's history: who consented to what, and when. Call it
 * in a transaction. Returns the names of the flags that changed; undefined if there is no such record in the publication.
 */
export async function setOptOuts(
  ctx: AppContext,
  { readerId, publicationId, chosen }: { readerId: number; publicationId: number; chosen: Partial<OptOuts> },
): Promise<string[] | undefined> {
  const record = await lockKeptRecord(ctx, { readerId, publicationId })
  if (!record) return undefined
  const { reader } = record
  const changed = optOuts.filter(({ field }) => chosen[field] !== undefined && reader[field] !== chosen[field])
  if (changed.length === 0) return []
  const before = Object.fromEntries(changed.map(({ field }) => [field, reader[field]]))
  await record.write({ ...chosen, modifiedBy: null })
  const changes = changed.map(({ field, label }) => `${label}: ${chosen[field] ? 'no' : 'yes'}`)
  const note = `Chosen by the reader: ${changes.join('; ')}`
  const { isRemoved } = record
  await recordReaderChange(ctx, { readerId, publicationId, kind: 'edited', note, before, isRemoved })
  await readersChanged(ctx.db, publicationId)
  return changed.map(({ field }) => field)
}
