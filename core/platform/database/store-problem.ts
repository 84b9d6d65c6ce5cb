import type { StoreProblem } from '#core/ports/bulk.ts'
import { isDiskFull } from './full-disk.ts'
import { isConnectionAwaited, isConnectionLost, noConnectionText } from './lost-connection.ts'

const resumeHint = 'Fix that and run the same command again: it resumes from there.'

const databaseUnavailable: StoreProblem = {
  what: 'The database has gone away',
  hint: resumeHint,
  hasRequestMessage: true,
}

const databaseBusy: StoreProblem = {
  what: noConnectionText,
  hint: 'All its connections are in use, or the server does not answer. Run the same command again when less is running: it resumes from there.',
  hasRequestMessage: true,
}

const diskIsFull: StoreProblem = {
  what: 'The disk is full',
  hint: 'Make room where the database and its temporary files are (df -h shows where), then run the same command again: it resumes from there.',
  hasRequestMessage: true,
}

/** Why a database failed, as text: by SQLite's and PostgreSQL's codes, and the network's. Null for any other error. */
export function problemOf(error: unknown): StoreProblem | null {
  if (isDiskFull(error)) return diskIsFull
  if (isConnectionAwaited(error)) return databaseBusy
  if (isConnectionLost(error)) return databaseUnavailable
  const { code, message } = error as { code?: string; message?: string }
  const parent = (error as { parent?: { code?: string } }).parent?.code
  const errorCode = code ?? parent ?? ''
  if (errorCode === '53200') return { what: 'The database is out of memory', hint: resumeHint }
  if (errorCode === 'SQLITE_BUSY' || errorCode === 'SQLITE_LOCKED')
    return { what: 'The database is locked by another program', hint: resumeHint }
  if (
    errorCode === 'SQLITE_IOERR' ||
    errorCode === 'SQLITE_CORRUPT' ||
    errorCode === 'SQLITE_CANTOPEN' ||
    errorCode === 'SQLITE_READONLY' ||
    errorCode === 'EIO'
  ) {
    return { what: `The database file cannot be written (${message ?? errorCode})`, hint: resumeHint }
  }
  return null
}
