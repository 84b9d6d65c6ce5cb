import type { Sequelize } from 'sequelize'
import sqlite3, { type Database as Handle } from 'sqlite3'
import type { SqliteConnection } from '#core/ports/bulk.ts'
import { prepareHandle } from './sqlite-writes.ts'

/** Opens the SQLite file of a Sequelize instance a second time. `pragmas` are added to the usual ones. */
export async function openSqliteHandle(sequelize: Sequelize, pragmas = ''): Promise<SqliteConnection> {
  const file = (sequelize as unknown as { options: { storage?: string } }).options.storage ?? ''
  const handle = await new Promise<Handle>((resolve, reject) => {
    const opened: Handle = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)))
  })
  // Statements run in the order they were given, so that the next one may be submitted while one runs.
  handle.serialize()
  await prepareHandle(handle)
  const settings = `PRAGMA foreign_keys=ON;${pragmas}`
  await new Promise<void>((resolve, reject) => handle.exec(settings, (error) => (error ? reject(error) : resolve())))
  return {
    run: (sql, values = []) =>
      new Promise((resolve, reject) => {
        handle.run(sql, values, function (error) {
          if (error) reject(error)
          else resolve({ changes: this.changes, lastId: this.lastID })
        })
      }),
    all: <Row>(sql: string, values: unknown[] = []) =>
      new Promise<Row[]>((resolve, reject) => {
        handle.all<Row>(sql, values, (error, rows) => (error ? reject(error) : resolve(rows)))
      }),
    close: () => new Promise((resolve) => handle.close(() => resolve())),
  }
}
