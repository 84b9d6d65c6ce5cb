import { DataTypes, QueryTypes } from 'sequelize'
import type { Database } from '#core/database.ts'
import { statements } from './ddl.ts'
import { migrations } from './migrations/index.ts'

const advisoryLock = 7_236_114

/** Imports Umzug lazily: most processes never run migrations. */
async function umzugFor(db: Database) {
  const { SequelizeStorage, Umzug } = await import('umzug')
  return new Umzug({
    migrations: migrations.map(({ name, text }) => ({
      name,
      up: async () => {
        for (const statement of statements(text, db.dialect)) await db.sequelize.query(statement)
      },
    })),
    storage: new SequelizeStorage({
      sequelize: db.sequelize,
      tableName: 'migrations',
      columnType: DataTypes.STRING(100),
    }),
    logger: undefined,
  })
}

/**
 * Migrates the database to the newest schema, all or nothing. Two processes that start concurrently run one after the other.
 * Returns the names of the migrations run.
 */
export async function migrate(db: Database): Promise<string[]> {
  return db.transaction(async () => {
    if (db.dialect === 'postgres') {
      await db.sequelize.query(`SELECT pg_advisory_xact_lock(${advisoryLock})`, { type: QueryTypes.SELECT })
    }
    return (await (await umzugFor(db)).up()).map(({ name }) => name)
  })
}

/** The migrations that have not run on this database. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const tables = await db.sequelize.getQueryInterface().showAllTables()
  if (!tables.includes('migrations')) return migrations.map(({ name }) => name)
  return (await (await umzugFor(db)).pending()).map(({ name }) => name)
}
