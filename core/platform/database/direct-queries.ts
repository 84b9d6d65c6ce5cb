import type pg from 'pg'
import type { Sequelize, Transaction } from 'sequelize'
import type { Database as SqliteHandle } from 'sqlite3'
import type { SqlValues } from '#core/database.ts'
import type { Dialect } from '#core/ports/bulk.ts'
import { throwFullDisk } from './full-disk.ts'
import { isConnectionLost, throwLostConnection } from './lost-connection.ts'
import { boundSql, filledSql, type SqlTemplate, templateOf } from './sql-template.ts'
import { type Outcome, statementsOf } from './sqlite-statements.ts'
import { takeWriteTurn, writerId } from './sqlite-writes.ts'

/** A connection as Sequelize keeps it: a handle of SQLite, or a client of PostgreSQL. */
type Connection = SqliteHandle | pg.PoolClient

type Running = Transaction & { connection: Connection; finished?: string }

/** The parts of Sequelize that this goes around, and those that it uses. */
interface Inside {
  options: { logging: false | ((statement: string) => void) }
  connectionManager: {
    getConnection(options: { type: 'write'; uuid?: string }): Promise<Connection>
    releaseConnection(connection: Connection): void
  }
  dialect: {
    Query: new (on: Connection, sequelize: Sequelize, options: object) => { formatError(error: unknown): Error }
  }
}

/**
 * Runs statements on Sequelize's connections, in its transactions, without its own way there: it reads each statement letter by letter,
 * makes a stack in case the statement fails, and copies every row, which took more than the database itself. A statement alone is its own
 * transaction. `done` hears of each that may have written.
 */
export function directQueries(
  sequelize: Sequelize,
  dialect: Dialect,
  { current, done }: { current(): Transaction | undefined; done(sql: string, outer: Transaction | undefined): void },
) {
  const inside = sequelize as unknown as Inside
  const connections = inside.connectionManager

  async function ask(sql: string, values: SqlValues, wanted: keyof Outcome): Promise<Outcome> {
    const template = templateOf(sql)
    const outer = current() as Running | undefined
    const check = (): void => {
      if (outer?.finished) throw new Error(`A statement came after the ${outer.finished} of its transaction`)
    }
    check()
    const isWrite = template.isWrite || wanted === 'changes'
    async function askOn(connection: Connection): Promise<Outcome> {
      if (inside.options.logging) {
        const text = filledSql(template, values, dialect)
        inside.options.logging(`Executing (${outer ? 'transaction' : 'default'}): ${text}`)
      }
      try {
        if (dialect === 'postgres') return await askPostgres(connection as pg.PoolClient, template, values)
        const statement = sqliteStatement(template, values, wanted)
        return await statementsOf(connection as SqliteHandle).run({ ...statement, wanted, check })
      } catch (error) {
        return throwInWords(connection, error as Error, sql)
      } finally {
        if (isWrite) done(sql, outer)
      }
    }
    if (outer) return askOn(outer.connection)
    if (dialect === 'sqlite' && isWrite) {
      return takeWriteTurn(sequelize, async () =>
        askOn(await connections.getConnection({ type: 'write', uuid: writerId })),
      )
    }
    const connection = await connections.getConnection({ type: 'write' })
    try {
      return await askOn(connection)
    } finally {
      connections.releaseConnection(connection)
    }
  }

  /** A failure as Sequelize says it, unless it is one of the disk or of the connection. */
  function throwInWords(connection: Connection, error: Error, sql: string): never {
    try {
      return throwFullDisk(
        new inside.dialect.Query(connection, sequelize, {}).formatError(Object.assign(error, { sql })),
      )
    } catch (said) {
      if (dialect === 'sqlite') throw said
      // The server may say that it ends a connection before it does: the pool gives it to nobody any more.
      if (isConnectionLost(said)) Object.assign(connection, { _invalid: true })
      throwLostConnection(said)
    }
  }

  return {
    rows: async <Row extends object>(sql: string, values: SqlValues) => (await ask(sql, values, 'rows')).rows as Row[],
    changes: async (sql: string, values: SqlValues) => (await ask(sql, values, 'changes')).changes,
  }
}

/** Prepared where it ends with what is wanted: one that gives rows and is asked for changes stops at its first row. */
function sqliteStatement(template: SqlTemplate, values: SqlValues, wanted: keyof Outcome) {
  const bound = wanted === 'rows' || !template.givesRows ? boundSql(template, values) : null
  return bound ?? { sql: filledSql(template, values, 'sqlite'), bound: null }
}

async function askPostgres(client: pg.PoolClient, template: SqlTemplate, values: SqlValues): Promise<Outcome> {
  const { rows, rowCount } = await client.query<object>(filledSql(template, values, 'postgres'))
  return { rows, changes: rowCount ?? 0 }
}
