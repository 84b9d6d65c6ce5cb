import type { StoreProblem } from '#core/ports/bulk.ts'
import { isDiskFull } from './full-disk.ts'
import { isAcquireTimeout, isConnectionLost, noConnectionText } from './lost-connection.ts'

/** The same for every entry point: a worker retries by itself, a program waits, a person resumes. */
const resumeHint = 'Once that is fixed it resumes from there.'

const databaseUnavailable: StoreProblem = {
  what: 'The database has gone away',
  hint: resumeHint,
  hasRequestMessage: true,
}

const databaseBusy: StoreProblem = {
  what: noConnectionText,
  hint: 'All its connections are in use, or the server does not answer. Once less is running it resumes from there.',
  hasRequestMessage: true,
}

const diskIsFull: StoreProblem = {
  what: 'The disk is full',
  hint: 'Make room where the database and its temporary files are (df -h shows where): it resumes from there.',
  hasRequestMessage: true,
}

/** Why a database failed, as text, by the error codes of SQLite, PostgreSQL and the network. Null for any other error. */
export function problemOf(error: unknown): StoreProblem | null {
  if (isDiskFull(error)) return diskIsFull
  if (isAcquireTimeout(error)) return databaseBusy
  if (isConnectionLost(error)) return databaseUnavailable
  const { code } = error as { code?: string }
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
    return { what: `The database file cannot be written (${errorCode})`, hint: resumeHint }
  }
  return null
}
