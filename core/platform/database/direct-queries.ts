import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Sequelize, Transaction } from 'sequelize'
import type { Database as SqliteHandle } from 'sqlite3'
import type { SqlValues } from '#core/database.ts'
import type { Dialect } from '#core/ports/bulk.ts'
import { throwFullDisk } from './full-disk.ts'
import { isConnectionLost, throwLostConnection } from './lost-connection.ts'
import { boundSql, filledSql, numberedSql, type SqlTemplate, templateOf } from './sql-template.ts'
import { type Outcome, statementsOf } from './sqlite-statements.ts'
import { withWriteLock, writerId } from './sqlite-writes.ts'

/** A connection as Sequelize holds it: a handle of SQLite, or a client of PostgreSQL. */
type Connection = SqliteHandle | pg.PoolClient

type Running = Transaction & { connection: Connection; finished?: string }

/** The parts of Sequelize that this bypasses, and those that it uses. */
interface SequelizeInternals {
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
 * Runs statements on Sequelize's connections and in its transactions, but bypasses its query path, which scans each statement character by
 * character, captures a stack trace in case the statement fails, and copies every row: that takes longer than the database itself. A single
 * statement is its own transaction. `onWrite` is called after each statement that may have written.
 */
export function directQueries(
  sequelize: Sequelize,
  dialect: Dialect,
  {
    current,
    onWrite,
  }: { current(): Transaction | undefined; onWrite(sql: string, outer: Transaction | undefined): void },
) {
  const internals = sequelize as unknown as SequelizeInternals
  const connections = internals.connectionManager

  async function run(
    sql: string,
    values: SqlValues,
    resultKind: keyof Outcome,
    { isPrepared = false } = {},
  ): Promise<Outcome> {
    const template = templateOf(sql)
    const outer = current() as Running | undefined
    const check = (): void => {
      if (outer?.finished) throw new Error(`A statement was run after the ${outer.finished} of its transaction`)
    }
    check()
    const isWrite = template.isWrite || resultKind === 'changes'
    async function runOn(connection: Connection): Promise<Outcome> {
      try {
        if (dialect === 'postgres') {
          if (isPrepared && !outer) return toOutcome(await sendPrepared(connection as pg.PoolClient, template, values))
          const text = filledSql(template, values, 'postgres')
          return outer ? await sendBatched(outer, text) : toOutcome(await send(connection as pg.PoolClient, text))
        }
        if (internals.options.logging) log(filledSql(template, values, 'sqlite'), outer)
        const statement = sqliteStatement(template, values, resultKind)
        return await statementsOf(connection as SqliteHandle).run({ ...statement, resultKind, check })
      } catch (error) {
        return throwAsSequelizeError(connection, error as Error, sql)
      } finally {
        if (isWrite) onWrite(sql, outer)
      }
    }
    if (outer) return runOn(outer.connection)
    if (dialect === 'sqlite' && isWrite) {
      return withWriteLock(sequelize, async () =>
        runOn(await connections.getConnection({ type: 'write', uuid: writerId })),
      )
    }
    const connection = await connections.getConnection({ type: 'write' })
    try {
      return await runOn(connection)
    } finally {
      connections.releaseConnection(connection)
    }
  }

  function log(text: string, outer?: Transaction): void {
    if (internals.options.logging)
      internals.options.logging(`Executing (${outer ? 'transaction' : 'default'}): ${text}`)
  }

  function send(client: pg.PoolClient, text: string, outer?: Transaction): Promise<pg.QueryResult<object>> {
    log(text, outer)
    return client.query<object>(text)
  }

  /** Each connection parses a statement of this text once, and plans it about five times until it keeps one plan for all values. */
  function sendPrepared(
    client: pg.PoolClient,
    template: SqlTemplate,
    values: SqlValues,
  ): Promise<pg.QueryResult<object>> {
    const { sql: text, bound } = numberedSql(template, values)
    log(filledSql(template, values, 'postgres'))
    return client.query<object>({ name: createHash('sha1').update(text).digest('base64'), text, values: bound })
  }

  /** Statements that are about to be sent, by their transaction. */
  const messages = new WeakMap<Transaction, Message>()

  /**
   * Sends a statement to PostgreSQL in one message with the others of the same transaction in this turn of the event loop (see `awaitAll`), in
   * their order: writing a message to the socket costs more than most statements. A statement that fails ends the transaction, and all statements
   * of its message fail with the same error.
   */
  async function sendBatched(outer: Running, text: string): Promise<Outcome> {
    let message = messages.get(outer)
    if (!message) {
      const texts: string[] = []
      const sent = new Promise<void>((resolve) => process.nextTick(resolve)).then(async () => {
        messages.delete(outer)
        const result: unknown = await send(outer.connection as pg.PoolClient, texts.join('\n;\n'), outer)
        return (Array.isArray(result) ? result : [result]) as pg.QueryResult<object>[]
      })
      message = { texts, sent }
      messages.set(outer, message)
    }
    const index = message.texts.push(text) - 1
    return toOutcome((await message.sent)[index])
  }

  /** Throws a failure as Sequelize's error, or as an `AppError` if the disk is full or the connection is lost. */
  function throwAsSequelizeError(connection: Connection, error: Error, sql: string): never {
    try {
      return throwFullDisk(
        new internals.dialect.Query(connection, sequelize, {}).formatError(Object.assign(error, { sql })),
      )
    } catch (failure) {
      if (dialect === 'sqlite') throw failure
      // The server may announce the end of a connection in advance: the pool no longer hands it out.
      if (isConnectionLost(failure)) Object.assign(connection, { _invalid: true })
      throwLostConnection(failure)
    }
  }

  return {
    rows: async <Row extends object>(sql: string, values: SqlValues) => (await run(sql, values, 'rows')).rows as Row[],
    preparedRows: async <Row extends object>(sql: string, values: SqlValues) =>
      (await run(sql, values, 'rows', { isPrepared: true })).rows as Row[],
    changes: async (sql: string, values: SqlValues) => (await run(sql, values, 'changes')).changes,
  }
}

/** A prepared statement that returns rows stops at its first row if it is run for its changes, so such a statement is not prepared. */
function sqliteStatement(template: SqlTemplate, values: SqlValues, resultKind: keyof Outcome) {
  const bound = resultKind === 'rows' || !template.returnsRows ? boundSql(template, values) : null
  return bound ?? { sql: filledSql(template, values, 'sqlite'), bound: null }
}

/** Statements that go to PostgreSQL in one message, and the result of each. */
interface Message {
  texts: string[]
  sent: Promise<pg.QueryResult<object>[]>
}

function toOutcome(result: pg.QueryResult<object> | undefined): Outcome {
  return { rows: result?.rows ?? [], changes: result?.rowCount ?? 0 }
}
