import type { AppContext } from '../context.ts'
import type { RowOf } from '../table.ts'
import { type ChangedFields, changedImage, type ReaderRow, Readers } from './readers.rows.ts'
import { RemovedReaders } from './removed-readers.rows.ts'

/** A reader's record: in the list, or removed, from where it may be restored. */
export interface KeptRecord {
  reader: ReaderRow
  /** Where a removed record is stored; null: it is in the list. */
  removed: RowOf<typeof RemovedReaders> | null
}

/**
 * A reader's record, wherever it is, locked until the transaction ends: what happens to a removed reader has to be in the record once it is restored.
 * Null if there is none. A restore locks no orders, so this may be called with an order locked.
 */
export async function lockKeptRecord(
  ctx: AppContext,
  { readerId, publicationId }: { readerId: number; publicationId: number },
): Promise<KeptRecord | null> {
  const inList = async () => {
    const reader = await Readers.find(ctx, { id: readerId, publicationId }, { isLocked: true })
    return reader && { reader, removed: null }
  }
  const removedRecord = async () => {
    const removed = await RemovedReaders.find(ctx, { readerId, publicationId }, { isLocked: true })
    return removed && { reader: Readers.decode(removed.record), removed }
  }
  // Again in the list: it may have been restored since the first look.
  return (await inList()) ?? (await removedRecord()) ?? inList()
}

/** Writes fields of a record, at a new version, wherever it is. */
export async function writeKeptRecord(
  ctx: AppContext,
  { reader, removed }: KeptRecord,
  fields: ChangedFields,
): Promise<void> {
  if (removed) await RemovedReaders.update(ctx, { id: removed.id }, { record: changedImage(removed.record, fields) })
  else await Readers.update(ctx, { id: reader.id }, { ...fields, version: reader.version + 1 })
}
