import type { Database, Dialect } from '#core/database.ts'
import { batchText } from '../reader-files/row-batch.ts'
import { borrowClient } from './postgres-client.ts'
import { type OpenCopy, openCopy } from './postgres-copy.ts'
import { openSqliteHandle } from './sqlite-handle.ts'
import { takeWriteTurn } from './sqlite-writes.ts'

/**
 * One connection for work that compares a file with the readers in SQL: temporary tables live as long as it does. The same texts run on
 * both engines; `?` marks a value.
 */
export interface ReaderWork {
  readonly dialect: Dialect
  /** Number of rows a statement touched. */
  run(sql: string, values?: readonly unknown[]): Promise<number>
  all<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** Puts encoded rows into `stage_rows`. */
  stage(text: Uint8Array): Promise<void>
  /** Ends what `stage` has under way; belongs in front of any other statement. */
  staged(): Promise<void>
  /** Runs the work in a transaction that writes. On SQLite it waits for its turn among the writers of this process. */
  write<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function openReaderWork(db: Database): Promise<ReaderWork> {
  return db.dialect === 'sqlite' ? sqliteWork(db) : postgresWork(db)
}

async function sqliteWork(db: Database): Promise<ReaderWork> {
  const handle = await openSqliteHandle(
    db.sequelize,
    'PRAGMA cache_size=-32768;PRAGMA temp.cache_size=-32768;PRAGMA temp_store=FILE;PRAGMA wal_autocheckpoint=4000;',
  )
  let running: Promise<unknown> = Promise.resolve()
  let isStaging = false
  const staged = async () => {
    if (!isStaging) return
    isStaging = false
    await running
    await handle.run('COMMIT')
  }
  return {
    dialect: 'sqlite',
    run: async (sql, values = []) => (await handle.run(sql, [...values])).changes,
    all: (sql, values = []) => handle.all(sql, [...values]),
    async stage(text) {
      if (!isStaging) {
        // Only temporary tables are written: the database's own lock is left alone.
        await handle.run('BEGIN')
        isStaging = true
      }
      await running
      running = handle.run(batchText(text))
      // Looked at by the next batch or by `staged`; until then a failure must not count as unhandled.
      running.catch(() => {})
    },
    staged,
    write: (work) =>
      takeWriteTurn(db.sequelize, async () => {
        await handle.run('BEGIN IMMEDIATE')
        try {
          const result = await work()
          await handle.run('COMMIT')
          return result
        } catch (error) {
          await handle.run('ROLLBACK').catch(() => {})
          throw error
        }
      }),
    async close() {
      await running.catch(() => {})
      await handle.close()
    },
  }
}

async function postgresWork(db: Database): Promise<ReaderWork> {
  const { client, giveBack } = await borrowClient(db.sequelize)
  let copy: OpenCopy | undefined
  const numbered = (sql: string, values: readonly unknown[]) => {
    if (values.length === 0) return sql
    let n = 0
    return sql.replaceAll('?', () => `$${++n}`)
  }
  return {
    dialect: 'postgres',
    run: async (sql, values = []) => (await client.query(numbered(sql, values), [...values])).rowCount ?? 0,
    all: async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      (await client.query<Row>(numbered(sql, values), [...values])).rows,
    async stage(text) {
      copy ??= openCopy(client, 'COPY stage_rows FROM STDIN')
      await copy.write(text)
    },
    async staged() {
      const ended = copy
      copy = undefined
      await ended?.end()
    },
    async write(work) {
      await client.query('BEGIN')
      try {
        const result = await work()
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {})
        throw error
      }
    },
    async close() {
      if (copy) {
        await copy.abort(new Error('The import was ended'))
        // A connection in the middle of a COPY, with temporary tables, is of no use to others.
        return giveBack(false)
      }
      await client.query('ROLLBACK').catch(() => {})
      await client.query('DISCARD TEMP').catch(() => {})
      await giveBack()
    },
  }
}
