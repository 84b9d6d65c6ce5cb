import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { type AppContext, contextFor, type Log } from '#core/context.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { atFileEnd } from './file-end.ts'

export interface TestServices extends Running {
  /** The clock of this world; set it to travel. */
  clock: { now: Date }
  dataDir: string
  databaseUrl: string
  as(actor: Actor): AppContext
}

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }

let made = 0

/**
 * A migrated, empty database of the project's dialect (TEST_DIALECT) or of the one that is named, cloned from the template, with real
 * services on it. Gone after the file.
 */
export async function openTestServices(
  env: Record<string, string> = {},
  dialect: string | undefined = process.env.TEST_DIALECT,
): Promise<TestServices> {
  const dataDir = mkdtempSync(join(tmpdir(), 'masthead-test-'))
  const databaseUrl = dialect === 'postgres' ? await clonePostgres() : cloneSqlite(dataDir)
  const clock = { now: new Date('2026-11-21T10:00:00Z') }
  const settings = readEnv({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
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
    as: (actor) => contextFor(services, actor, { door: 'test' }),
  }
}

function cloneSqlite(dataDir: string): string {
  const file = join(dataDir, 'test.db')
  copyFileSync(inject('sqliteTemplate'), file)
  return `sqlite:${file}`
}

async function clonePostgres(): Promise<string> {
  const server = inject('postgresServer')
  if (!server) throw new Error('This test needs PostgreSQL, which the set-up did not find')
  const name = `masthead_test_${process.pid}_${made++}_${Math.floor(Math.random() * 1e6)}`
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${inject('postgresTemplate')}`)
  return Object.assign(new URL(server), { pathname: `/${name}` }).toString()
}

async function dropPostgres(url: string): Promise<void> {
  const server = inject('postgresServer')
  if (server) await onServer(server, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`)
}

async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
