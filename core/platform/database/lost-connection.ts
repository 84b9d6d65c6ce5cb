import pg from 'pg'
import type { Sequelize } from 'sequelize'
import { AppError } from '#core/kernel/errors.ts'

/** The network's codes, and PostgreSQL's: class 08, shut down (57P01), crashed (57P02), starting up (57P03), too many connections. */
const codes =
  /^(08\w{3}|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const names = /^Sequelize(Connection|HostNot|AccessDenied|InvalidConnection)/
const texts = /connection terminated|connection error|not queryable|server closed the connection/i

/** Whether an error of a database query means that its connection is gone or could not be opened, at any depth of the causes. */
export function isConnectionLost(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth++) {
    const { name, message, code, parent, cause } = current as Error & { code?: unknown; parent?: unknown }
    if (names.test(name) || texts.test(message) || (typeof code === 'string' && codes.test(code))) return true
    current = parent instanceof Error ? parent : cause
  }
  return false
}

/** A server that is restarted, or fails over to another, is available again within a few seconds. */
const retryAfterSeconds = 5

/** How long a query waits for a connection of its pool. */
export const acquireSeconds = 20
export const noConnectionText = `The database gave this process no connection within ${acquireSeconds} seconds`

/** Whether a wait for a connection of the pool has timed out: they are all in use, or the server does not answer. */
export function isAcquireTimeout(error: unknown): boolean {
  const { name, cause } = error as Error
  return name === 'SequelizeConnectionAcquireTimeoutError' || (cause instanceof Error && isAcquireTimeout(cause))
}

/** Throws `unavailable` for an error whose cause is a lost connection: 503, to be retried. Rethrows other errors. */
export function throwLostConnection(error: unknown): never {
  if (!isConnectionLost(error)) throw error
  const message = isAcquireTimeout(error) ? noConnectionText : 'The database is not responding'
  throw new AppError('unavailable', message, { cause: error, retryAfterSeconds })
}

/** Makes every query whose connection is lost, and every failed wait for a connection, throw `unavailable`: 503, to be retried. */
export function reportLostConnection(sequelize: Sequelize): void {
  const query = sequelize.query.bind(sequelize) as (...args: unknown[]) => Promise<unknown>
  sequelize.query = ((...args: unknown[]) => query(...args).catch(throwLostConnection)) as typeof sequelize.query
  const { connectionManager } = sequelize as unknown as {
    connectionManager: { getConnection(options: unknown): Promise<unknown> }
  }
  const getConnection = connectionManager.getConnection.bind(connectionManager)
  connectionManager.getConnection = (options) => getConnection(options).catch(throwLostConnection)
}

/**
 * Sequelize listens to a connection's errors only once it is open. PostgreSQL may close a connection in the same packet that reports it as ready,
 * and an `error` event without a listener ends the process. The queries on it fail anyway, so there is nothing more to do here.
 */
class ListeningClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => {})
  }
}

/** The driver for Sequelize's `dialectModule`. */
export const postgresDriver = { ...pg, Client: ListeningClient, types: pg.types }
