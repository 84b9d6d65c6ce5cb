import type { StoreProblem } from '#core/ports/bulk.ts'
import { isDiskFull } from './full-disk.ts'
import { isConnectionLost } from './lost-connection.ts'

const goOn = 'Fix that and run the same again: it resumes from there.'

const databaseIsGone: StoreProblem = { what: 'The database has gone away', hint: goOn, isTold: true }

const diskIsFull: StoreProblem = {
  what: 'The disk is full',
  hint: 'Make room where the database and its temporary files lie (df -h shows where), then run the same again: it resumes from there.',
  isTold: true,
}

/** Why a database gave up, in words: by SQLite's and PostgreSQL's codes, and the network's. Null for any other error. */
export function problemOf(error: unknown): StoreProblem | null {
  if (isDiskFull(error)) return diskIsFull
  if (isConnectionLost(error)) return databaseIsGone
  const { code, message } = error as { code?: string; message?: string }
  const parent = (error as { parent?: { code?: string } }).parent?.code
  const either = code ?? parent ?? ''
  if (either === '53200') return { what: 'The database has no memory left', hint: goOn }
  if (either === 'SQLITE_BUSY' || either === 'SQLITE_LOCKED')
    return { what: 'The database is locked by another program', hint: goOn }
  if (
    either === 'SQLITE_IOERR' ||
    either === 'SQLITE_CORRUPT' ||
    either === 'SQLITE_CANTOPEN' ||
    either === 'SQLITE_READONLY' ||
    either === 'EIO'
  ) {
    return { what: `The database file cannot be written (${message ?? either})`, hint: goOn }
  }
  return null
}
