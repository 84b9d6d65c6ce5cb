import type { Database } from '#core/database.ts'
import { AppError, isAppError } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { LoadProgress, UndoProgress } from './load-plan.ts'

/** The error of an import whose database failed: what is committed, and how to resume. */
export function loadFailure(db: Database, error: unknown, progress: LoadProgress): unknown {
  const readers = progress.added + progress.updated
  return storeFailure(
    db,
    error,
    readers + progress.failed === 0
      ? 'Nothing was changed by this run.'
      : `This run has imported ${countOf(readers, 'reader')}; running it again imports none of them twice.`,
  )
}

/** The error of an undo whose database failed. */
export function undoFailure(db: Database, error: unknown, progress: UndoProgress): unknown {
  const readers = progress.removed + progress.restored + progress.broughtBack
  return storeFailure(
    db,
    error,
    `${countOf(readers, 'reader')} ${readers === 1 ? 'is' : 'are'} restored; run it again to continue.`,
  )
}

function storeFailure(db: Database, error: unknown, outcomeText: string): unknown {
  const problem = db.bulk.problemOf(error)
  // Our own errors are returned unchanged, except for the message that requests get for a full disk or a lost connection.
  if (!problem || (isAppError(error) && !problem.hasRequestMessage)) return error
  return new AppError('unavailable', `${problem.what}. ${outcomeText}`, {
    hint: problem.hint,
    cause: error,
    detail: error,
  })
}
