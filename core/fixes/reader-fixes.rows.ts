import type { AppContext } from '../context.ts'
import { typedValue } from '../dialect.ts'
import { defaulted, defineTable, id, integer, json, nullable, ref, text } from '../table.ts'
import type { FixKind } from './fix-kinds.ts'
import { type FixedRow, fixedRowsAsTable } from './fixed-rows.ts'

/** What a fix and its undo came to; where they are on their way say their tasks. */
export const ReaderFixes = defineTable('reader_fixes', {
  id: id(),
  publicationId: ref(),
  kind: text<FixKind>(),
  /** The one reader it was asked for; null is every reader of the list. */
  readerId: nullable(ref()),
  /** The readers it was asked for, where it was not for the whole list. */
  readerIds: nullable(json<number[]>()),
  fixed: defaulted(integer()),
  leftAlone: defaulted(integer()),
  undone: defaulted(integer()),
  /** Readers that were changed since and stayed as they are. */
  kept: defaulted(integer()),
})

/** What readers were before a fix, for its undo; gone when they are put back, or can be no more. */
export const ReaderFixRows = defineTable('reader_fix_rows', {
  fixId: ref(),
  readerId: ref(),
  /** The reader's version after the fix: another one later means that somebody has changed it since. */
  version: integer(),
  /** Every column that was written, as it was. */
  before: json<Record<string, string>>(),
})

/** Counts what a chunk of a fix came to, in its transaction. */
export async function countFixed(
  ctx: AppContext,
  fixId: number,
  { fixed, leftAlone }: { fixed: number; leftAlone: number },
): Promise<void> {
  await ctx.db.run(
    `UPDATE reader_fixes SET fixed = fixed + :fixed, left_alone = left_alone + :leftAlone WHERE id = :fixId`,
    { fixId, fixed, leftAlone },
  )
}

/** Counts what a chunk of an undo came to, in its transaction. */
export async function countPutBack(
  ctx: AppContext,
  fixId: number,
  { undone, kept }: { undone: number; kept: number },
): Promise<void> {
  await ctx.db.run(`UPDATE reader_fixes SET undone = undone + :undone, kept = kept + :kept WHERE id = :fixId`, {
    fixId,
    undone,
    kept,
  })
}

/** Keeps what stood there before, for the undo. Call it in the transaction that writes. */
export async function keepImages(ctx: AppContext, fixId: number, rows: readonly FixedRow[]): Promise<void> {
  if (rows.length === 0) return
  const from = fixedRowsAsTable(ctx, rows, [])
  await ctx.db.run(
    `INSERT INTO reader_fix_rows (fix_id, reader_id, version, before)
     SELECT ${typedValue(ctx.db, ':fixId', 'id')}, v.id, v.version, v.image FROM ${from.sql}`,
    { rows: from.json, fixId },
  )
}

/** Deletes the former values of readers that have them back. Call it in the transaction that puts them back. */
export async function dropImages(ctx: AppContext, fixId: number, readerIds: readonly number[]): Promise<void> {
  if (readerIds.length === 0) return
  await ctx.db.run(`DELETE FROM reader_fix_rows WHERE fix_id = :fixId AND reader_id IN (:readerIds)`, {
    fixId,
    readerIds: [...readerIds],
  })
}

/** Forgets what readers were before fixes that ended before a moment. Returns how many images there were. */
export function dropOldImages({ db }: Pick<AppContext, 'db'>, before: Date): Promise<number> {
  return db.run(
    `DELETE FROM reader_fix_rows WHERE fix_id IN (
       SELECT t.subject_id FROM tasks t WHERE t.kind = 'fix-readers' AND t.finished_at < :before
         AND NOT EXISTS (SELECT 1 FROM tasks u WHERE u.undo_of = t.id AND u.state IN ('waiting', 'running')))`,
    { before },
  )
}
