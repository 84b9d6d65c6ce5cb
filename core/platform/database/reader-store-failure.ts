import { AppError, isAppError } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/words.ts'
import type { LoadProgress, UndoProgress } from '#core/reader-files/reader-file-store.ts'
import { isDiskFull } from './full-disk.ts'

interface Failure {
  what: string
  hint: string
}

const diskIsFull: Failure = {
  what: 'The disk is full',
  hint: 'Make room where the database and its temporary files lie (df -h shows where), then run the same again: it goes on from there.',
}

/** An import whose database gave up in the middle, in words: what is committed, and how to go on. */
export function loadFailure(error: unknown, progress: LoadProgress): unknown {
  const readers = progress.added + progress.updated
  return storeFailure(
    error,
    readers + progress.failed === 0
      ? 'Nothing was changed by this run.'
      : `${countOf(readers, 'reader')} of this run ${readers === 1 ? 'is' : 'are'} in; nothing is doubled when you run it again.`,
  )
}

/** The same of an undo. */
export function undoFailure(error: unknown, progress: UndoProgress): unknown {
  const readers = progress.removed + progress.restored + progress.broughtBack
  return storeFailure(error, `${countOf(readers, 'reader')} ${readers === 1 ? 'is' : 'are'} as before this run.`)
}

function storeFailure(error: unknown, kept: string): unknown {
  const isFull = isDiskFull(error)
  if (isAppError(error) && !isFull) return error
  const found = isFull ? diskIsFull : problemOf(error)
  if (!found) return error
  return new AppError('unavailable', `${found.what}. ${kept}`, { hint: found.hint, cause: error, detail: error })
}

/** SQLite's and PostgreSQL's codes, and the network's. */
function problemOf(error: unknown): Failure | null {
  const { code, message } = error as { code?: string; message?: string }
  const parent = (error as { parent?: { code?: string } }).parent?.code
  const either = code ?? parent ?? ''
  const hint = 'Mend that and run the same again: it goes on from there.'
  if (either === '53200') return { what: 'The database has no memory left', hint }
  if (either === 'SQLITE_BUSY' || either === 'SQLITE_LOCKED')
    return { what: 'The database is locked by another program', hint }
  if (
    either === 'SQLITE_IOERR' ||
    either === 'SQLITE_CORRUPT' ||
    either === 'SQLITE_CANTOPEN' ||
    either === 'SQLITE_READONLY' ||
    either === 'EIO'
  ) {
    return { what: `The database file cannot be written (${message ?? either})`, hint }
  }
  const isGone =
    /^(57P0|08)/.test(either) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT'].includes(either) ||
    /connection terminated|connection error|not queryable|server closed/i.test(message ?? '')
  return isGone ? { what: 'The database has gone away', hint } : null
}
