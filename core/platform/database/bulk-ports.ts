import type { Sequelize } from 'sequelize'
import type { BulkPorts, Dialect } from '#core/ports/bulk.ts'
import { openPostgresBulk, openSqliteBulk } from './bulk-connection.ts'
import { borrowClient } from './postgres-client.ts'
import { openSqliteHandle } from './sqlite-handle.ts'
import { takeWriteTurn } from './sqlite-writes.ts'
import { problemOf } from './store-problem.ts'

/** The bulk paths of a database on Sequelize's own connections. */
export function makeBulkPorts(sequelize: Sequelize, dialect: Dialect): BulkPorts {
  return {
    sqlite: (pragmas) => openSqliteHandle(sequelize, pragmas),
    postgres: () => borrowClient(sequelize),
    connect: (stagingTable = '') =>
      dialect === 'sqlite' ? openSqliteBulk(sequelize) : openPostgresBulk(sequelize, stagingTable),
    writeTurn: (work) => takeWriteTurn(sequelize, work),
    problemOf,
  }
}
