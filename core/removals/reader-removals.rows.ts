import type { AppContext } from '../context.ts'
import { removedReaderDays } from '../readers/removed-readers.rows.ts'
import { defaulted, defineTable, id, instant, integer, nullable, ref, text } from '../table.ts'
import { clearTasks } from '../tasks/tasks.rows.ts'
import type { ReaderListKey } from '../warnings/list-warning.query.ts'

/** Removals of several readers together, with their results. A long one has a task, which holds its progress; a short one is done at once. */
export const ReaderRemovals = defineTable('reader_removals', {
  id: id(),
  publicationId: ref(),
  /** All readers of this list that match `q`; null: readers that were ticked. */
  list: nullable(text<ReaderListKey>()),
  q: defaulted(text()),
  /** When the user saw the list: readers that were added or changed later are not removed. */
  shownAt: instant(),
  removed: defaulted(integer()),
  /** Readers of the list that were added or changed after it was shown. */
  leftAlone: defaulted(integer()),
  renewalsEnded: defaulted(integer()),
  restored: defaulted(integer()),
  /** Readers that the last attempt to restore them left out, because their reference belongs to another reader. */
  notRestored: defaulted(integer()),
  createdAt: instant(),
})

/** Adds the results of a chunk of a removal, in its transaction. */
export async function countRemoved(
  ctx: AppContext,
  id: number,
  counts: { removed: number; leftAlone: number; renewalsEnded: number },
): Promise<void> {
  await ctx.db.run(
    `UPDATE reader_removals SET removed = removed + :removed, left_alone = left_alone + :leftAlone,
       renewals_ended = renewals_ended + :renewalsEnded WHERE id = :id`,
    { id, ...counts },
  )
}

/** Adds the results of a chunk of restored readers, in its transaction. */
export async function countRestored(
  ctx: AppContext,
  id: number,
  counts: { restored: number; notRestored: number },
): Promise<void> {
  await ctx.db.run(
    `UPDATE reader_removals SET restored = restored + :restored, not_restored = not_restored + :notRestored WHERE id = :id`,
    { id, ...counts },
  )
}

/** Deletes removals, with their tasks, once none of their readers can be restored any more: the filter of a list may be a name. */
export async function clearOldRemovals(ctx: AppContext, at: Date): Promise<void> {
  const before = new Date(at.getTime() - removedReaderDays * 86_400_000)
  await ctx.db.transaction(async () => {
    await ctx.db.run(
      `DELETE FROM reader_removals WHERE created_at < :before
         AND NOT EXISTS (SELECT 1 FROM removed_readers g WHERE g.removal_id = reader_removals.id)
         AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.kind IN ('remove-readers', 'undo-removal') AND t.subject_id = reader_removals.id
           AND t.state IN ('waiting', 'running'))`,
      { before },
    )
    await clearTasks(ctx, ['remove-readers', 'undo-removal'], before, 'reader_removals')
  })
}
