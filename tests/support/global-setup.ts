import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#core/platform/database/migrate.ts'
import { openDatabase } from '#core/platform/database/open-database.ts'
import { databaseUrlOn } from './database-url.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sqliteTemplate: string
    /** The server's address, or empty where the machine has none. */
    postgresServer: string
    postgresTemplate: string
    /** The server's cheapest strategy for copying a template. */
    postgresStrategy: string
    redisUrl: string
  }
}

/** Copying files is the fastest way without fsync, and the slowest with it. Version 15 lets us choose. */
const quickCopy = `SELECT current_setting('fsync') = 'off' AND current_setting('server_version_num')::int >= 150000 AS "isQuick"`

/**
 * Creates one migrated template per engine, which every test file clones. scripts/test.mjs has found or started the servers
 * and passes their addresses in TEST_DATABASE_URL and TEST_REDIS_URL.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-templates-'))
  const sqliteTemplate = join(folder, 'template.db')
  const sqlite = await openDatabase(`sqlite:${sqliteTemplate}`)
  await migrate(sqlite)
  await sqlite.close()
  project.provide('sqliteTemplate', sqliteTemplate)

  const server = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const postgresTemplate = `masthead_template_${process.pid}`
  const client = new pg.Client({ connectionString: server })
  const isReachable = await client.connect().then(
    () => true,
    () => false,
  )
  let postgresStrategy = ''
  if (isReachable) {
    const { rows } = await client.query<{ isQuick: boolean }>(quickCopy)
    if (rows[0]?.isQuick) postgresStrategy = 'STRATEGY FILE_COPY'
    await client.query(`CREATE DATABASE ${postgresTemplate}`)
    const postgres = await openDatabase(databaseUrlOn(server, postgresTemplate))
    await migrate(postgres)
    await postgres.close()
  }
  project.provide('postgresServer', isReachable ? server : '')
  project.provide('postgresTemplate', postgresTemplate)
  project.provide('postgresStrategy', postgresStrategy)
  project.provide('redisUrl', process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379')

  return async () => {
    if (isReachable) {
      await client.query(`DROP DATABASE IF EXISTS ${postgresTemplate} WITH (FORCE)`)
      await client.end()
    }
    rmSync(folder, { recursive: true, force: true })
  }
}
