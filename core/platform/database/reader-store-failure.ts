import { AppError, isAppError } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/words.ts'
import type { LoadProgress } from '#core/reader-files/reader-file-store.ts'

/** A database that gave up in the middle, in words: what is committed, and how to go on. */
export function storeFailure(error: unknown, progress: LoadProgress): unknown {
  if (isAppError(error)) return error
  const what = problemOf(error)
  if (!what) return error
  const readers = progress.added + progress.updated
  const kept =
    readers + progress.failed === 0
      ? 'Nothing was changed by this run.'
      : `${countOf(readers, 'reader')} of this run ${readers === 1 ? 'is' : 'are'} in; nothing is doubled when you run it again.`
  return new AppError('unavailable', `${what}. ${kept}`, {
    hint: 'Mend that and run the same command again: it goes on from there.',
    cause: error,
    detail: error,
  })
}

/** SQLite's and PostgreSQL's codes, and the network's. */
function problemOf(error: unknown): string | null {
  const { code, message } = error as { code?: string; message?: string }
  const parent = (error as { parent?: { code?: string } }).parent?.code
  const either = code ?? parent ?? ''
  if (either === 'SQLITE_FULL' || either === 'ENOSPC' || either === '53100' || either === '53200')
    return 'The disk is full'
  if (either === 'SQLITE_BUSY' || either === 'SQLITE_LOCKED') return 'The database is locked by another program'
  if (
    either === 'SQLITE_IOERR' ||
    either === 'SQLITE_CORRUPT' ||
    either === 'SQLITE_CANTOPEN' ||
    either === 'SQLITE_READONLY' ||
    either === 'EIO'
  ) {
    return `The database file cannot be written (${message ?? either})`
  }
  const isGone =
    /^(57P0|08)/.test(either) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT'].includes(either) ||
    /connection terminated|connection error|not queryable|server closed/i.test(message ?? '')
  return isGone ? 'The database has gone away' : null
}
