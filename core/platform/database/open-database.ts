import { AsyncLocalStorage } from 'node:async_hooks'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import pg from 'pg'
import { Sequelize, Transaction } from 'sequelize'
import { awaitAll, type Database } from '#core/database.ts'
import { AppError, isAppError } from '#core/kernel/errors.ts'
import { maskPasswords } from '#core/kernel/mask-passwords.rules.ts'
import { systemFailure } from '../system-failure.ts'
import { makeBulkPorts } from './bulk-ports.ts'
import { directQueries } from './direct-queries.ts'
import { reportFullDisk } from './full-disk.ts'
import { acquireSeconds, postgresDriver, reportLostConnection } from './lost-connection.ts'
import { defaultCacheKiB, serialiseSqliteWrites } from './sqlite-writes.ts'
import { watchStorefronts } from './storefront-version.ts'

/** Every query inside a transaction joins it automatically: Sequelize stores the current one here. */
const transactionStorage = new AsyncLocalStorage<Map<string, unknown>>()
let isConfigured = false

function configureDrivers(): void {
  if (isConfigured) return
  isConfigured = true
  Sequelize.useCLS({
    get: (key: string) => transactionStorage.getStore()?.get(key),
    set: (key: string, value: unknown) => void transactionStorage.getStore()?.set(key, value),
    run: (work: (context: unknown) => unknown) =>
      void transactionStorage.run(new Map(transactionStorage.getStore() ?? []), () => work(undefined)),
    bind: (work: unknown) => work,
  } as never)
  // 64-bit integers and days arrive as numbers and text, as on SQLite. Ids and minor units stay far below 2^53.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
}

/**
 * Opens a database by its address: `postgres://...`, or `sqlite:` and the path of a file. `cacheKiB` is the size of the page cache of each
 * of the two handles of SQLite, in KiB; `connections` is the size of the pool of PostgreSQL for requests and jobs; `tempFolder` is where
 * downloads from PostgreSQL wait for slow clients.
 */
export async function openDatabase(
  url: string,
  { cacheKiB = defaultCacheKiB, connections = 10, tempFolder = tmpdir() } = {},
): Promise<Database> {
  configureDrivers()
  const isPostgres = /^postgres(ql)?:\/\//.test(url)
  if (!isPostgres && !url.startsWith('sqlite:')) {
    throw new AppError('invalid', 'DATABASE_URL must begin with postgres:// or sqlite:', {
      hint: 'for example DATABASE_URL=postgres://user:password@localhost:5432/masthead',
    })
  }
  const sequelize = isPostgres
    ? postgresPool(url, connections)
    : new Sequelize({
        dialect: 'sqlite',
        storage: url.slice('sqlite:'.length),
        logging: false,
        transactionType: Transaction.TYPES.IMMEDIATE,
        retry: { max: 0 },
      })
  try {
    if (!isPostgres) makeFile(url.slice('sqlite:'.length))
    reportFullDisk(sequelize)
    if (!isPostgres) await serialiseSqliteWrites(sequelize, transactionStorage, cacheKiB)
    await sequelize.authenticate()
    if (isPostgres) reportLostConnection(sequelize)
  } catch (error) {
    await sequelize.close().catch(() => {})
    throw unreachable(error, url)
  }
  const dialect = isPostgres ? 'postgres' : 'sqlite'
  const bulkPool = isPostgres ? postgresPool(url, maxBulkConnections) : sequelize
  if (isPostgres) reportLostConnection(bulkPool)
  const bulk = makeBulkPorts({ sequelize, bulkPool, dialect, tempFolder })
  const close = async () => {
    await sequelize.close()
    if (bulkPool !== sequelize) await bulkPool.close()
  }
  return databaseOn(sequelize, { dialect, bulk, close })
}

/** Two for each of the ten jobs that a worker runs at a time (an import and the building of its indexes), the rest for downloads. */
const maxBulkConnections = 24

function postgresPool(url: string, max: number): Sequelize {
  return new Sequelize(url, {
    dialect: 'postgres',
    dialectModule: postgresDriver,
    logging: false,
    pool: { max, idle: 10_000, acquire: acquireSeconds * 1000 },
    // JIT compilation takes seconds for statements that otherwise run in a fraction of a second, such as planning renewals or the sums of a list.
    hooks: { afterConnect: (connection) => (connection as pg.Client).query('SET jit = off').then(() => {}) },
  })
}

/**
 * Makes the file, and its folder, accessible only to the user of the service: it holds names and addresses. SQLite gives the files next to it
 * the same permissions.
 */
function makeFile(path: string): void {
  if (path.startsWith(':') || existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
}

/** The message for a database that does not respond: the address that was tried, without the password. */
function unreachable(error: unknown, url: string): AppError {
  if (isAppError(error)) return error
  if (url.startsWith('sqlite:'))
    return (
      systemFailure(error) ??
      openFailure(url.slice('sqlite:'.length)) ??
      new AppError('unavailable', `The database ${url} cannot be opened: ${(error as Error).message}`, {
        hint: 'Give the user that runs Masthead permission to read and write the file and its folder, or correct DATABASE_URL.',
        cause: error,
      })
    )
  return new AppError(
    'unavailable',
    `The database ${maskPasswords(url)} is not responding: ${(error as Error).message}`,
    {
      hint: 'Check DATABASE_URL and that the server runs; for details, run subscriptions doctor.',
      cause: error,
    },
  )
}

/** SQLite reports little, so this finds what the system refuses: to open the file, or to create the files that SQLite needs next to it. */
function openFailure(path: string): AppError | undefined {
  const probePath = `${path}.probe-${process.pid}`
  try {
    closeSync(openSync(path, 'r+'))
    // As large as the index of the write-ahead log.
    writeFileSync(probePath, Buffer.alloc(32 * 1024))
    return undefined
  } catch (cause) {
    return systemFailure(cause, path)
  } finally {
    try {
      rmSync(probePath, { force: true })
    } catch {
      // On a read-only disk it was never created.
    }
  }
}

/** The work that a transaction has to do before its commit, by key. */
type BeforeCommit = Map<string, () => Promise<unknown>>

/** The callbacks to run after the commit of a transaction. */
type AfterCommit = (() => void)[]

/** Runs the work of an outermost transaction, and then what was deferred to its end. */
async function withDeferredWork<T>(work: () => Promise<T>, afterCommit: AfterCommit): Promise<T> {
  const beforeCommit: BeforeCommit = new Map()
  transactionStorage.getStore()?.set('beforeCommit', beforeCommit).set('afterCommit', afterCommit)
  const result = await work()
  await awaitAll(...[...beforeCommit].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, deferred]) => deferred()))
  return result
}

function databaseOn(
  sequelize: Sequelize,
  { dialect, bulk, close }: Pick<Database, 'dialect' | 'bulk' | 'close'>,
): Database {
  const current = () => transactionStorage.getStore()?.get('transaction') as Transaction | undefined
  const storefronts = watchStorefronts(sequelize)
  const direct = directQueries(sequelize, dialect, { current, onWrite: storefronts.note })
  async function runOutermost<T>(work: () => Promise<T>): Promise<T> {
    const afterCommit: AfterCommit = []
    const result = await sequelize.transaction(() => withDeferredWork(work, afterCommit))
    // Not by Sequelize's hook, which is also called when the commit failed.
    for (const callback of afterCommit) callback()
    return result
  }
  const write = <T>(work: () => Promise<T>) => (current() ? work() : runOutermost(work))
  return {
    dialect,
    sequelize,
    transaction: (work) => {
      const outer = current()
      return outer ? sequelize.transaction({ transaction: outer }, work) : runOutermost(work)
    },
    write,
    isInTransaction: () => current() !== undefined,
    async beforeCommit(key, work) {
      const beforeCommit = transactionStorage.getStore()?.get('beforeCommit') as BeforeCommit | undefined
      if (beforeCommit) beforeCommit.set(key, work)
      else await work()
    },
    afterCommit(callback) {
      const afterCommit = transactionStorage.getStore()?.get('afterCommit') as AfterCommit | undefined
      if (afterCommit) afterCommit.push(callback)
      else callback()
    },
    query: (sql, values = {}) => direct.rows(sql, values),
    prepared: { query: (sql, values = {}) => direct.preparedRows(sql, values) },
    run: (sql, values = {}) => direct.changes(sql, values),
    storefrontVersion: storefronts.version,
    bulk,
    close,
  }
}
