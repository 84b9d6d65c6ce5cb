import type { Sequelize } from 'sequelize'
import type { BulkConnection, OpenCopy } from '#core/ports/bulk.ts'
import { borrowClient } from './postgres-client.ts'
import { openSqliteHandle } from './sqlite-handle.ts'
import { withWriteLock } from './sqlite-writes.ts'

export async function openSqliteBulk(sequelize: Sequelize): Promise<BulkConnection> {
  const handle = await openSqliteHandle(
    sequelize,
    'PRAGMA cache_size=-32768;PRAGMA temp.cache_size=-32768;PRAGMA temp_store=FILE;PRAGMA wal_autocheckpoint=4000;',
  )
  let running: Promise<unknown> = Promise.resolve()
  let isStaging = false
  const finishStaging = async () => {
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
        // Only temporary tables are written: the database itself is not locked.
        await handle.run('BEGIN')
        isStaging = true
      }
      await running
      running = handle.run(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString())
      // Checked by the next batch or by `finishStaging`; until then a failure must not count as unhandled.
      running.catch(() => {})
    },
    finishStaging,
    write: (work) =>
      withWriteLock(sequelize, async () => {
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

/**
 * Large joins in memory; no JIT compilation for statements that run for a second; and index lookups priced as if most
 * data were in memory: otherwise a chunk would scan a whole table to find its twenty thousand rows.
 */
const postgresSettings = { work_mem: `'64MB'`, jit: 'off', random_page_cost: '1.1' }

export async function openPostgresBulk(sequelize: Sequelize, stagingTable: string): Promise<BulkConnection> {
  const client = await borrowClient(sequelize)
  for (const [name, value] of Object.entries(postgresSettings)) await client.query(`SET ${name} = ${value}`)
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
      copy ??= client.copyIn(`COPY ${stagingTable} FROM STDIN`)
      await copy.write(text)
    },
    async finishStaging() {
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
        await copy.abort(new Error('The work was ended'))
        // A connection in the middle of a COPY, with temporary tables, cannot be reused.
        return client.release(false)
      }
      await client.query('ROLLBACK').catch(() => {})
      await client.query('DISCARD TEMP').catch(() => {})
      for (const name of Object.keys(postgresSettings)) await client.query(`RESET ${name}`).catch(() => {})
      await client.release()
    },
  }
}
