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

/**
 * Says that a newer version has migrated this database; null if none has. It is no failure: while a release replaces one process after the other, the
 * older ones keep running.
 */
export async function newerMigrations(db: Database): Promise<string | null> {
  if (!(await hasMigrations(db))) return null
  const run = await db.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')
  const own = new Set(migrations.map(({ name }) => name))
  const newer = run.map(({ name }) => name).filter((name) => !own.has(name))
  return newer.length === 0 ? null : `a newer version of Masthead has migrated this database (${newer.join(', ')})`
}

/** The migrations that have not run on this database. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  if (!(await hasMigrations(db))) return migrations.map(({ name }) => name)
  return (await (await umzugFor(db)).pending()).map(({ name }) => name)
}

async function hasMigrations(db: Database): Promise<boolean> {
  return (await db.sequelize.getQueryInterface().showAllTables()).includes('migrations')
}
