import { LRUCache } from 'lru-cache'
import type { Database as SqliteHandle, Statement } from 'sqlite3'

/** The result of a statement: its rows, or how many it changed. */
export interface Outcome {
  rows: object[]
  changes: number
}

/** A statement with its values inlined, or with numbered parameters and `bound` values: then it is prepared once and cached. */
interface SqliteStatement {
  sql: string
  bound: readonly (string | number | null)[] | null
  resultKind: keyof Outcome
  /** Called when it is its turn; throws if it must no longer run. */
  check(): void
}

/** How many prepared statements a handle caches. */
const maxStatements = 300

/**
 * The statements of a handle, run one after the other: waiting for each other inside SQLite, they would occupy libuv's threads. Prepared statements
 * are cached, because preparing one takes as long as running it, in a thread-pool task of its own.
 */
class SqliteStatements {
  readonly #handle: SqliteHandle
  readonly #prepared = new LRUCache<string, Statement>({
    max: maxStatements,
    dispose: (statement) => void statement.finalize(),
  })
  #tail: Promise<unknown> = Promise.resolve()

  constructor(handle: SqliteHandle) {
    this.#handle = handle
  }

  run(statement: SqliteStatement): Promise<Outcome> {
    const turn = this.#tail.then(() => {
      statement.check()
      return statement.bound
        ? this.#runPrepared(statement.sql, statement.bound, statement.resultKind)
        : this.#runOnce(statement)
    })
    this.#tail = turn.catch(() => {})
    return turn
  }

  /** A handle with prepared statements cannot be closed. */
  async close(): Promise<void> {
    await this.#tail
    this.#prepared.clear()
  }

  async #runPrepared(sql: string, bound: readonly unknown[], resultKind: keyof Outcome): Promise<Outcome> {
    const statement = this.#prepared.get(sql) ?? (await this.#prepare(sql))
    try {
      return await new Promise<Outcome>((resolve, reject) => run(statement, [bound], resultKind, { resolve, reject }))
    } catch (error) {
      this.#prepared.delete(sql)
      throw error
    }
  }

  #prepare(sql: string): Promise<Statement> {
    return new Promise((resolve, reject) => {
      const statement = this.#handle.prepare(sql, (error) => {
        if (error) return reject(error)
        this.#prepared.set(sql, statement)
        resolve(statement)
      })
    })
  }

  #runOnce({ sql, resultKind }: SqliteStatement): Promise<Outcome> {
    return new Promise((resolve, reject) =>
      this.#handle.serialize(() => run(this.#handle, [sql], resultKind, { resolve, reject })),
    )
  }
}

interface Runs {
  all(...values: unknown[]): unknown
  run(...values: unknown[]): unknown
}

function run(
  on: Runs,
  values: unknown[],
  resultKind: keyof Outcome,
  { resolve, reject }: { resolve(outcome: Outcome): void; reject(error: Error): void },
): void {
  if (resultKind === 'rows') {
    on.all(...values, (error: Error | null, rows: object[]) => (error ? reject(error) : resolve({ rows, changes: 0 })))
  } else {
    on.run(...values, function (this: { changes: number }, error: Error | null) {
      if (error) reject(error)
      else resolve({ rows: [], changes: this.changes })
    })
  }
}

const statements = new WeakMap<SqliteHandle, SqliteStatements>()

/** The statements of a handle. */
export function statementsOf(handle: SqliteHandle): SqliteStatements {
  const cached = statements.get(handle)
  if (cached) return cached
  const created = new SqliteStatements(handle)
  statements.set(handle, created)
  return created
}

/** Call it before a handle is closed. */
export async function dropStatements(handle: SqliteHandle): Promise<void> {
  await statements.get(handle)?.close()
}
