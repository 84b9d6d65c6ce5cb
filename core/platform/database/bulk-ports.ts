import type { Sequelize } from 'sequelize'
import type { BulkPorts, BulkSizes, Dialect } from '#core/ports/bulk.ts'
import { openPostgresBulk, openSqliteBulk } from './bulk-connection.ts'
import { borrowClient } from './postgres-client.ts'
import { spool } from './spool.ts'
import { openSqliteHandle } from './sqlite-handle.ts'
import { withWriteLock } from './sqlite-writes.ts'
import { problemOf } from './store-problem.ts'

/** Measured by `npm run bench`. On SQLite other writers wait for a commit, so the batches are smaller. */
export const bulkSizes: Record<Dialect, BulkSizes> = {
  sqlite: { added: 10_000, changed: 5_000, big: 50_000 },
  postgres: { added: 20_000, changed: 20_000, big: 50_000 },
}

interface BulkOptions {
  sequelize: Sequelize
  /** PostgreSQL: the pool of the connections for bulk operations. */
  bulkPool: Sequelize
  dialect: Dialect
  tempFolder: string
}

/** The bulk paths of a database. */
export function makeBulkPorts({ sequelize, bulkPool, dialect, tempFolder }: BulkOptions): BulkPorts {
  return {
    sizes: bulkSizes[dialect],
    sqlite: (pragmas) => openSqliteHandle(sequelize, pragmas),
    postgres: () => borrowClient(bulkPool),
    connect: (stagingTable = '') =>
      dialect === 'sqlite' ? openSqliteBulk(sequelize) : openPostgresBulk(bulkPool, stagingTable),
    spool: (blocks, encoding) => spool(blocks, { encoding, folder: tempFolder }),
    withWriteLock: (work) => withWriteLock(sequelize, work),
    problemOf,
  }
}
