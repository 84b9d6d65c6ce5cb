import type { Sequelize } from 'sequelize'
import { AppError } from '#core/kernel/errors.ts'

/** The error codes of the operating system, SQLite and PostgreSQL. */
const codes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'])

/** Whether a full disk is the cause of an error, at any depth. */
export function isDiskFull(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth++) {
    const { code, parent, cause } = current as Error & { code?: unknown; parent?: unknown }
    if (typeof code === 'string' && codes.has(code)) return true
    current = parent instanceof Error ? parent : cause
  }
  return false
}

/** Reports a full disk as such to the caller: it is not a bug, and a retry succeeds once there is space. Rethrows other errors. */
export function throwFullDisk(error: unknown): never {
  if (!isDiskFull(error)) throw error
  throw new AppError('unavailable', 'The disk of the database is full: nothing can be stored at the moment', {
    hint: 'Nothing was changed. Ask whoever runs this installation to free disk space, then try again.',
    cause: error,
  })
}

/** Makes every query that finds the disk full report it. */
export function reportFullDisk(sequelize: Sequelize): void {
  const query = sequelize.query.bind(sequelize) as (...args: unknown[]) => Promise<unknown>
  sequelize.query = ((...args: unknown[]) => query(...args).catch(throwFullDisk)) as typeof sequelize.query
}
