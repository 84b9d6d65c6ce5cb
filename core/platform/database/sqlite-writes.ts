import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Sequelize } from 'sequelize'
import type { Database as SqliteHandle } from 'sqlite3'
import { dropStatements } from './sqlite-statements.ts'

interface SqliteConnections {
  connections: Record<string, SqliteHandle>
  getConnection(options: { uuid?: string }): Promise<SqliteHandle>
  releaseConnection(connection: SqliteHandle): void
  destroyConnection(connection: SqliteHandle): Promise<void>
}

/** The name under which Sequelize stores the handle that writes. */
export const writerId = 'writer'

/**
 * How long a write waits for another process (CLI, worker) to finish its own, in milliseconds. Longer than the longest write: the commit
 * that replaces a million readers. A sale is delayed rather than lost.
 */
const busyTimeout = 60_000

/** Sequelize's connection manager, with the parts that its types hide. */
function sqliteConnections(sequelize: Sequelize): SqliteConnections {
  return (sequelize as unknown as { connectionManager: SqliteConnections }).connectionManager
}

/** The page cache of a handle, in KiB. */
export const defaultCacheKiB = 32_768

/** Sets up a handle: a long lock timeout, fast and still crash-safe commits, and the size of its page cache. */
export function prepareHandle(handle: SqliteHandle, cacheKiB = defaultCacheKiB): Promise<void> {
  handle.configure('busyTimeout', busyTimeout)
  return new Promise((resolve, reject) => {
    handle.exec(`PRAGMA synchronous=NORMAL; PRAGMA cache_size=-${cacheKiB};`, (error) =>
      error ? reject(error) : resolve(),
    )
  })
}

const turns = new WeakMap<Sequelize, <T>(work: () => Promise<T>) => Promise<T>>()

/** Runs a write outside Sequelize's transactions, when it is its turn among the writes of this process; on PostgreSQL immediately. */
export function withWriteLock<T>(sequelize: Sequelize, work: () => Promise<T>): Promise<T> {
  return (turns.get(sequelize) ?? ((run) => run()))(work)
}

/**
 * Makes SQLite usable by many concurrent requests. Transactions of this process run one by one: waiting inside SQLite would fill libuv's
 * four threads until the holder of the lock could not commit (docs/decisions/002). So one handle writes for all of them, in addition to the one
 * that reads. Sequelize would open a handle for each transaction, and each would read the whole schema: 4 ms of CPU time.
 */
export async function serialiseSqliteWrites(
  sequelize: Sequelize,
  transactionStorage: AsyncLocalStorage<Map<string, unknown>>,
  cacheKiB: number,
): Promise<void> {
  const connections = sqliteConnections(sequelize)
  const open = connections.getConnection.bind(connections)
  const prepared = new WeakMap<SqliteHandle, Promise<void>>()
  connections.getConnection = async ({ uuid = 'default' }) => {
    const name = uuid === 'default' ? uuid : writerId
    const handle = await open({ uuid: name }).catch((error) => {
      delete connections.connections[name]
      throw error
    })
    let ready = prepared.get(handle)
    if (!ready) {
      ready = prepareHandle(handle, cacheKiB)
      prepared.set(handle, ready)
    }
    await ready
    return handle
  }
  connections.releaseConnection = () => {}
  // After a transaction that could neither be committed nor rolled back.
  connections.destroyConnection = async (handle) => {
    if (connections.connections[writerId] === handle) delete connections.connections[writerId]
    await dropStatements(handle)
    await new Promise<void>((resolve) => handle.close(() => resolve()))
  }
  const close = sequelize.close.bind(sequelize)
  sequelize.close = async () => {
    for (const handle of Object.values(connections.connections)) await dropStatements(handle)
    await close()
  }

  let tail: Promise<unknown> = Promise.resolve()
  const serialized = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = tail.then(work)
    tail = turn.catch(() => {})
    return turn
  }
  turns.set(sequelize, serialized)
  const begin = sequelize.transaction.bind(sequelize) as (...args: unknown[]) => Promise<unknown>
  sequelize.transaction = ((options: unknown, work?: unknown) => {
    const [settings, body] = typeof options === 'function' ? [{}, options] : [options ?? {}, work]
    if (transactionStorage.getStore()?.get('transaction')) return begin(settings, body)
    return serialized(() => begin(settings, body))
  }) as typeof sequelize.transaction

  await sequelize.query('PRAGMA journal_mode=WAL')
}
