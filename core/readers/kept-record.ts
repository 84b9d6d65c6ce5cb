import type { AppContext } from '../context.ts'
import { changeBackup, lockBackup } from './reader-backups.rows.ts'
import { type ChangedFields, changedImage, type ReaderRow, Readers } from './readers.rows.ts'
import { RemovedReaders } from './removed-readers.rows.ts'

/** A reader's record: in the list, or removed, from where it may be restored. */
export interface KeptRecord {
  reader: ReaderRow
  isRemoved: boolean
  /** Writes fields at a new version, wherever the record is. */
  write(fields: ChangedFields): Promise<unknown>
}

/**
 * A reader's record, wherever it is, locked until the transaction ends: what happens to a reader that was removed, by staff or by an import, has to be in
 * the record once it is restored. Null if there is none. A restore locks no orders, so this may be called with an order locked.
 */
export async function lockKeptRecord(
  ctx: AppContext,
  which: { readerId: number; publicationId: number },
): Promise<KeptRecord | null> {
  const inList = async () => {
    const { readerId: id, publicationId } = which
    const reader = await Readers.find(ctx, { id, publicationId }, { isLocked: true })
    return reader && listedRecord(ctx, reader)
  }
  // Again in the list: it may have been restored since the first look.
  return (await inList()) ?? (await removedRecord(ctx, which)) ?? (await backedUpRecord(ctx, which)) ?? inList()
}

/** The record of a reader that is in the list, and locked. */
export function listedRecord(ctx: AppContext, reader: ReaderRow): KeptRecord {
  const write = (fields: ChangedFields) =>
    Readers.update(ctx, { id: reader.id }, { ...fields, version: reader.version + 1 })
  return { reader, isRemoved: false, write }
}

type Which = Parameters<typeof lockKeptRecord>[1]

async function removedRecord(ctx: AppContext, which: Which): Promise<KeptRecord | null> {
  const removed = await RemovedReaders.find(ctx, which, { isLocked: true })
  if (!removed) return null
  const { id, record } = removed
  const write = (fields: ChangedFields) => RemovedReaders.update(ctx, { id }, { record: changedImage(record, fields) })
  return { reader: Readers.decode(record), isRemoved: true, write }
}

async function backedUpRecord(ctx: AppContext, which: Which): Promise<KeptRecord | null> {
  const backup = await lockBackup(ctx, which)
  if (!backup) return null
  return { reader: Readers.decode(backup.image), isRemoved: true, write: (fields) => changeBackup(ctx, backup, fields) }
}
