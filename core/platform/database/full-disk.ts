import type { Sequelize } from 'sequelize'
import { AppError } from '#core/kernel/errors.ts'

/** Of the system, SQLite and PostgreSQL. */
const codes = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'])

/** Whether a disk without room is behind an error, however deep. */
export function isDiskFull(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    const { code, parent, cause } = at as Error & { code?: unknown; parent?: unknown }
    if (typeof code === 'string' && codes.has(code)) return true
    at = parent instanceof Error ? parent : cause
  }
  return false
}

/** Says of a disk without room what it is, to whoever asked: a bug it is not, and trying again helps once there is room. Others are thrown on. */
export function throwFullDisk(error: unknown): never {
  if (!isDiskFull(error)) throw error
  throw new AppError('unavailable', 'The disk of the database is full: nothing can be stored at the moment', {
    hint: 'Nothing was changed. Whoever runs this installation has to make room, then try again.',
    cause: error,
  })
}

/** Lets every query that finds the disk full say so. */
export function sayWhenDiskIsFull(sequelize: Sequelize): void {
  const query = sequelize.query.bind(sequelize) as (...args: unknown[]) => Promise<unknown>
  sequelize.query = ((...args: unknown[]) => query(...args).catch(throwFullDisk)) as typeof sequelize.query
}
