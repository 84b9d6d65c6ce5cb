import type { AppContext } from '../context.ts'
import { rowLock } from '../dialect.ts'
import { changedImage, type ReaderImage } from '../readers/readers.rows.ts'
import { defineTable, id, instant, integer, json, nullable, ref, type TableContext, text } from '../table.ts'

/** Tables whose rows belong to a reader and move with it. */
export const readerOwned = [
  'orders',
  'payment_agreements',
  'reader_events',
  'reminder_stops',
  'emails',
  'reader_efforts',
  'promo_codes',
] as const
/** For each table, the ids that belonged to each reader that was merged into another and removed. */
export type Moved = Partial<Record<(typeof readerOwned)[number], Record<string, number[]>>> & {
  /** The ids of the marks as different that the survivor inherited. */
  inheritedMarks?: number[]
}

/** A merge, with the data to undo it. */
export const ReaderMerges = defineTable('reader_merges', {
  id: id(),
  publicationId: ref(),
  batchId: nullable(ref()),
  groupId: nullable(ref()),
  survivorId: ref(),
  /** The survivor's version after the merge: a later one means that the survivor was changed since. */
  survivorVersion: integer(),
  removed: integer(),
  /** The survivor's record comes first; empty once the records were deleted. */
  records: json<ReaderImage[]>(),
  moved: json<Moved>(),
  actorKind: text(),
  actorId: nullable(ref()),
  mergedAt: instant(),
  undoneAt: nullable(instant()),
  /** Null while the merge has its records. Conditions use this column, since reading the long `records` is far slower. */
  recordsDeletedAt: nullable(instant()),
})

/** Deletes the records of these merges, and the ids of the rows that moved. */
export async function emptyMerges({ db, now }: TableContext, ids: readonly number[]): Promise<void> {
  await db.run(`UPDATE reader_merges SET records = '[]', moved = '{}', records_deleted_at = :now WHERE id IN (:ids)`, {
    ids: [...ids],
    now: now(),
  })
}

/**
 * Stores whether a reader that was merged into `survivorId`, or that survivor itself, refuses offers, in case the merge is undone. Call it in a
 * transaction.
 */
export async function setMergedOffers(
  ctx: AppContext,
  { readerId, survivorId, publicationId }: { readerId: number; survivorId: number; publicationId: number },
  isStopped: boolean,
): Promise<void> {
  const merges = await ReaderMerges.rows(
    ctx,
    `SELECT ${ReaderMerges.columns()} FROM reader_merges
     WHERE survivor_id = :survivorId AND publication_id = :publicationId AND undone_at IS NULL ORDER BY id ${rowLock(ctx.db)}`,
    { survivorId, publicationId },
  )
  for (const { id, records } of merges) {
    if (!records.some((record) => Number(record.id) === readerId)) continue
    const changed = records.map((record) =>
      Number(record.id) === readerId ? changedImage(record, { pubOffers: isStopped }) : record,
    )
    await ReaderMerges.update(ctx, { id }, { records: changed })
  }
}
