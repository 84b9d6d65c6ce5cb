import type { AppContext } from '#core/context.ts'
import { listMerges } from '#core/duplicates/list-merges.query.ts'
import { undoMerge } from '#core/duplicates/undo-merge.ts'
import { undoMerges } from '#core/duplicates/undo-merges.ts'
import { listFixes } from '#core/fixes/list-fixes.query.ts'
import { undoFix } from '#core/fixes/undo-fix.ts'
import { type AppError, isAppError } from '#core/kernel/errors.ts'
import { getReader } from '#core/readers/get-reader.query.ts'
import { restoreReader } from '#core/readers/restore-reader.ts'
import { isBeingRestored } from '#core/removals/list-removals.query.ts'
import { type ReadersRestored, restoreReaders } from '#core/removals/restore-readers.ts'

/** The fields that an Undo button sends. */
interface UndoFields {
  publicationId: number
  id: string | undefined
}

/** Restores a removed reader, or returns one who has already been restored. */
export function restoreReaderOnce(ctx: AppContext, id: number | string | undefined): Promise<{ id: number }> {
  return once(
    () => restoreReader(ctx, { id }),
    () => getReader(ctx, { id }).catch(() => undefined),
  )
}

/** Restores readers that were removed together, or returns that they are being restored already. Both counts are 0 if nobody is left to restore. */
export function restoreReadersOnce(ctx: AppContext, removalId: string | undefined): Promise<ReadersRestored> {
  return once(
    () => restoreReaders(ctx, { removalId }),
    // Nothing is stored about readers who have been restored.
    async (refused) => {
      if (refused.kind === 'notFound') return { state: 'ended', isComplete: true, restored: 0, left: 0 }
      return (await isBeingRestored(ctx, { removalId }))
        ? { state: 'restoring', isComplete: false, restored: 0, left: 0 }
        : undefined
    },
  )
}

/** Undoes a fix, or returns one that is undone already, or is being undone. */
export function undoFixOnce(ctx: AppContext, { publicationId, id }: UndoFields) {
  return once(
    () => undoFix(ctx, { fixId: id }),
    async () => (await listFixes(ctx, { publicationId })).find((fix) => String(fix.id) === id && isUndone(fix)),
  )
}

/** Undoes a merge. Returns how many readers it restored, also if it is undone already. */
export function undoMergeOnce(ctx: AppContext, { publicationId, id }: UndoFields): Promise<{ restored: number }> {
  return once(
    () => undoMerge(ctx, { mergeId: id }),
    async () => {
      const { rows } = await listMerges(ctx, { publicationId })
      const undone = rows.find((merge) => String(merge.id) === id && merge.undoneAt !== null)
      return undone && { restored: undone.removed }
    },
  )
}

/** Requests the undo of a bulk merge, or returns one that is undone already, or is being undone. */
export function undoMergesOnce(ctx: AppContext, { publicationId, id }: UndoFields) {
  return once(
    () => undoMerges(ctx, { batchId: id }),
    async () =>
      (await listMerges(ctx, { publicationId })).batches.find((batch) => String(batch.id) === id && isUndone(batch)),
  )
}

const isUndone = ({ state }: { state: string }) => state === 'undoing' || state === 'undone'

/**
 * A message's Undo may be pressed twice, or in two tabs. If the use case refuses the second press, `earlier` finds what the first one did: the
 * user must not see an error after it succeeded.
 */
async function once<Undone>(
  undo: () => Promise<Undone>,
  earlier: (refused: AppError) => Promise<Undone | undefined>,
): Promise<Undone> {
  try {
    return await undo()
  } catch (error) {
    if (!isAppError(error) || (error.kind !== 'conflict' && error.kind !== 'notFound')) throw error
    const undone = await earlier(error)
    if (!undone) throw error
    return undone
  }
}
