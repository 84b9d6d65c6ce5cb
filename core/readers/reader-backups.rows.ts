import type { AppContext } from '../context.ts'
import type { SqlValue } from '../database.ts'
import { rowLock } from '../dialect.ts'
import { columnName } from '../kernel/column-name.ts'
import { type ChangedFields, isGiftSql, type ReaderImage } from './readers.rows.ts'

/**
 * Rows of readers as they were before an import changed or removed them, which the undo of the import restores. The imports write them with the readers,
 * many at once (`core/imports/load`); the functions here write what happens to a single reader meanwhile.
 */
export interface ReaderBackup {
  uploadId: number
  image: ReaderImage
}

type BackupRow = ReaderImage & { upload_id: number; from_upload_id: number | null }

/** In `readers`, the upload is the one that a reader came with. */
const backupOf = ({ from_upload_id, ...row }: BackupRow): ReaderBackup => ({
  uploadId: Number(row.upload_id),
  image: { ...row, upload_id: from_upload_id } as unknown as ReaderImage,
})

const isRestorableSql = `r.publication_id = :publicationId AND r.kind = 'removed' AND NOT EXISTS (SELECT 1 FROM readers x WHERE x.id = r.id)`

/** The record of a reader that an import removed, locked until the transaction ends; null if there is none that an undo can restore. */
export async function lockBackup(
  ctx: AppContext,
  which: { readerId: number; publicationId: number },
): Promise<ReaderBackup | null> {
  const [row] = await ctx.db.query<BackupRow>(
    `SELECT * FROM reader_backups r WHERE r.id = :readerId AND ${isRestorableSql} ORDER BY r.upload_id DESC LIMIT 1 ${rowLock(ctx.db)}`,
    which,
  )
  return row ? backupOf(row) : null
}

/** The records of a buyer's account that imports removed, gifts aside, locked as by `lockBackup`: of those that the buyer has ordered for, by index. */
export async function lockBackupsOf(
  ctx: AppContext,
  buyer: { buyerId: number; publicationId: number },
): Promise<ReaderImage[]> {
  const rows = await ctx.db.query<BackupRow>(
    `SELECT * FROM reader_backups r
     WHERE r.id IN (SELECT o.reader_id FROM orders o WHERE o.buyer_id = :buyerId) AND r.buyer_id = :buyerId AND ${isRestorableSql}
       AND NOT ${isGiftSql} ORDER BY r.id ${rowLock(ctx.db, { of: 'r' })}`,
    buyer,
  )
  return rows.map((row) => backupOf(row).image)
}

/** Writes fields of a record that an import removed, at a new version, as `changedImage` does. */
export async function changeBackup(
  ctx: AppContext,
  { uploadId, image }: ReaderBackup,
  fields: ChangedFields,
): Promise<void> {
  const pairs = Object.entries(fields) as [string, SqlValue][]
  await ctx.db.run(
    `UPDATE reader_backups SET ${pairs.map(([field]) => `${columnName(field)} = :${field}`).join(', ')},
       version = version + 1, updated_at = :now WHERE upload_id = :ofUpload AND id = :ofReader`,
    { ...Object.fromEntries(pairs), now: ctx.now(), ofUpload: uploadId, ofReader: image.id },
  )
}

/**
 * Stores in the backups of a reader that imports changed or removed whether the reader refuses offers, in case they are undone. The version is
 * increased, or else the undo of an earlier import would restore a record without this choice.
 */
export async function setBackedUpOffers(
  { db }: Pick<AppContext, 'db'>,
  which: { readerId: number; publicationId: number },
  isStopped: boolean,
): Promise<void> {
  await db.run(
    `UPDATE reader_backups SET pub_offers = :isStopped, version = version + 1
     WHERE id = :readerId AND publication_id = :publicationId AND kind IN ('updated', 'removed') AND pub_offers <> :isStopped`,
    { ...which, isStopped },
  )
}

/** Whether the undo of an import would restore a removed reader who accepts offers. */
export async function acceptsOffersInBackup(
  { db }: Pick<AppContext, 'db'>,
  which: { readerId: number; publicationId: number },
): Promise<boolean> {
  const [row] = await db.query(
    `SELECT 1 FROM reader_backups
     WHERE id = :readerId AND publication_id = :publicationId AND kind = 'removed' AND NOT pub_offers LIMIT 1`,
    which,
  )
  return row !== undefined
}
