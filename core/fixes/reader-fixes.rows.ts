import type { AppContext } from '../context.ts'
import { typedValue } from '../dialect.ts'
import { defaulted, defineTable, id, integer, json, nullable, ref, text } from '../table.ts'
import type { FixKind } from './fix-kinds.ts'
import { type FixedRow, fixedRowsAsTable } from './fixed-rows.ts'

/** The results of fixes and their undos; their tasks hold the progress. */
export const ReaderFixes = defineTable('reader_fixes', {
  id: id(),
  publicationId: ref(),
  kind: text<FixKind>(),
  /** The one reader it was requested for; null means every reader of the list. */
  readerId: nullable(ref()),
  /** The readers it was requested for, if it was not for the whole list. */
  readerIds: nullable(json<number[]>()),
  fixed: defaulted(integer()),
  leftAlone: defaulted(integer()),
  undone: defaulted(integer()),
  /** Readers that were changed after the fix and that its undo therefore left unchanged. */
  kept: defaulted(integer()),
})

/** The previous values of readers before a fix, for its undo; deleted when they are restored, or no longer can be. */
export const ReaderFixRows = defineTable('reader_fix_rows', {
  fixId: ref(),
  readerId: ref(),
  /** The reader's version after the fix: a later one means that the reader has been changed since. */
  version: integer(),
  /** The previous value of every written column. */
  before: json<Record<string, string>>(),
})

/** Adds the results of a chunk of a fix, in its transaction. */
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

/** Adds the results of a chunk of an undo, in its transaction. */
export async function countUndone(
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

/** Stores the previous values for the undo. Call it in the transaction that writes. */
export async function storeFormerValues(ctx: AppContext, fixId: number, rows: readonly FixedRow[]): Promise<void> {
  if (rows.length === 0) return
  const from = fixedRowsAsTable(ctx, rows, [])
  await ctx.db.run(
    `INSERT INTO reader_fix_rows (fix_id, reader_id, version, before)
     SELECT ${typedValue(ctx.db, ':fixId', 'id')}, v.id, v.version, v.image FROM ${from.sql}`,
    { rows: from.json, fixId },
  )
}

/** Deletes the previous values of restored readers. Call it in the transaction that restores them. */
export async function deleteFormerValues(ctx: AppContext, fixId: number, readerIds: readonly number[]): Promise<void> {
  if (readerIds.length === 0) return
  await ctx.db.run(`DELETE FROM reader_fix_rows WHERE fix_id = :fixId AND reader_id IN (:readerIds)`, {
    fixId,
    readerIds: [...readerIds],
  })
}

/** Deletes the previous values of readers from fixes that ended before a given time. Returns how many rows were deleted. */
export function deleteOldFormerValues({ db }: Pick<AppContext, 'db'>, before: Date): Promise<number> {
  return db.run(
    `DELETE FROM reader_fix_rows WHERE fix_id IN (
       SELECT t.subject_id FROM tasks t WHERE t.kind = 'fix-readers' AND t.finished_at < :before
         AND NOT EXISTS (SELECT 1 FROM tasks u WHERE u.undo_of = t.id AND u.state IN ('waiting', 'running')))`,
    { before },
  )
}
