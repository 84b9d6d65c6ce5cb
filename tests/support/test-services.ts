import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { type AppContext, contextFor, type Log } from '#core/context.ts'
import type { Database } from '#core/database.ts'
import { statements } from '#core/platform/database/ddl.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { migrations } from '#core/platform/database/migrations/index.ts'
import { openDatabase } from '#core/platform/database/open-database.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { databaseUrlOn } from './database-url.ts'
import { atFileEnd } from './file-end.ts'
import { TestClock } from './test-clock.ts'

export interface TestServices extends Running {
  clock: TestClock
  dataDir: string
  databaseUrl: string
  as(actor: Actor): AppContext
}

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }

let databaseCount = 0

/**
 * A migrated, empty database of the project's dialect (TEST_DIALECT) or of the named one, cloned from the template, with real
 * services on it. Deleted after the file.
 */
export async function openTestServices(
  env: Record<string, string> = {},
  dialect: string | undefined = process.env.TEST_DIALECT,
): Promise<TestServices> {
  const dataDir = mkdtempSync(join(tmpdir(), 'masthead-test-'))
  const databaseUrl = dialect === 'postgres' ? await makePostgres(inject('postgresTemplate')) : cloneSqlite(dataDir)
  return servicesOn({ dataDir, databaseUrl, env })
}

/**
 * A database as an earlier release left it, and services on it once it is migrated. `fill` inserts rows. Deleted after
 * the file.
 */
export async function openMigratedServices(
  before: string,
  fill: (db: Database) => Promise<void>,
): Promise<TestServices> {
  const dataDir = mkdtempSync(join(tmpdir(), 'masthead-test-'))
  const isPostgres = process.env.TEST_DIALECT === 'postgres'
  const databaseUrl = isPostgres ? await makePostgres('template1') : `sqlite:${join(dataDir, 'test.db')}`
  const db = await openDatabase(databaseUrl)
  await db.run('CREATE TABLE migrations (name VARCHAR(100) PRIMARY KEY)')
  for (const { name, text } of migrations) {
    if (name === before) break
    for (const statement of statements(text, db.dialect)) await db.sequelize.query(statement)
    await db.run('INSERT INTO migrations (name) VALUES (:name)', { name })
  }
  await fill(db)
  await migrate(db)
  await db.close()
  return servicesOn({ dataDir, databaseUrl, env: {} })
}

interface ServiceOptions {
  dataDir: string
  databaseUrl: string
  env: Record<string, string>
}

async function servicesOn({ dataDir, databaseUrl, env }: ServiceOptions): Promise<TestServices> {
  const clock = new TestClock()
  const settings = readEnv({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    // Opening a connection costs PostgreSQL more than most tests do: with ten of them the tests take a tenth longer.
    DATABASE_CONNECTIONS: '4',
    APP_SECRET: 'test-secret-test-secret-test-secret',
    ...env,
  })
  const services = await makeServices(settings, { now: () => clock.now, log: silent })
  atFileEnd(async () => {
    await services.db.close()
    if (databaseUrl.startsWith('postgres')) await dropPostgres(databaseUrl)
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    ...services,
    clock,
    dataDir,
    databaseUrl,
    as: (actor) => contextFor(services, actor, { entryPoint: 'test' }),
  }
}

function cloneSqlite(dataDir: string): string {
  const file = join(dataDir, 'test.db')
  copyFileSync(inject('sqliteTemplate'), file)
  return `sqlite:${file}`
}

async function makePostgres(template: string): Promise<string> {
  const server = inject('postgresServer')
  if (!server) throw new Error('This test needs PostgreSQL, which the set-up did not find')
  const name = `masthead_test_${process.pid}_${databaseCount++}_${Math.floor(Math.random() * 1e6)}`
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${template} ${inject('postgresStrategy')}`)
  return databaseUrlOn(server, name)
}

async function dropPostgres(url: string): Promise<void> {
  const server = inject('postgresServer')
  if (server) await onServer(server, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`)
}

let adminClient: Promise<pg.Client> | undefined

/** Executes SQL by one connection for the whole file: each new one costs the server half of what copying the database does. */
async function onServer(server: string, sql: string): Promise<void> {
  adminClient ??= connectAdmin(server)
  await (await adminClient).query(sql)
}

/** Registered before the databases that it creates, so it is closed after they are dropped. */
async function connectAdmin(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  atFileEnd(() => {
    adminClient = undefined
    return client.end()
  })
  return client
}
