import type { Sequelize } from 'sequelize'
import type { BulkPorts, Dialect } from './ports/bulk.ts'

export type SqlValue = string | number | boolean | null | Date | readonly (string | number)[]
export type SqlValues = Record<string, SqlValue>

/**
 * The database port. Queries made inside `transaction` join it automatically (also through models), so a use case cannot forget to pass it on. On
 * SQLite, transactions of this process wait for each other: one writer at a time.
 */
export interface Database {
  readonly dialect: Dialect
  readonly sequelize: Sequelize
  /** Runs the work in a transaction and commits when it resolves; inside another one it becomes a savepoint. */
  transaction<T>(work: () => Promise<T>): Promise<T>
  /** Runs the work in the surrounding transaction, or else in a new one. A single statement needs none: it is atomic by itself. */
  write<T>(work: () => Promise<T>): Promise<T>
  /** Whether the caller is inside a transaction: data read there may never be committed. */
  isInTransaction(): boolean
  /**
   * Runs the work at the end of the outermost surrounding transaction, once for each key; immediately when there is none. For a row that
   * every writer changes: it stays locked until the commit, so taking it early makes all other writers wait. Runs in the order of the keys, to avoid
   * deadlocks, and even where the savepoint that requested it was rolled back.
   */
  beforeCommit(key: string, work: () => Promise<unknown>): Promise<void>
  /** Runs `callback` once the surrounding transaction has committed; immediately when there is none. */
  afterCommit(callback: () => void): void
  /** Rows of a SELECT (or a RETURNING). Values are named: `:publicationId`. On SQLite booleans come back as 0 and 1, instants as text. */
  query<Row extends object>(sql: string, values?: SqlValues): Promise<Row[]>
  /**
   * `query` as a prepared statement, for a query that runs hundreds of times a second and finds a few rows by an index, whatever its values:
   * PostgreSQL keeps its plan, and planning costs more than running it. In a transaction it is an ordinary query.
   */
  readonly prepared: { query: Database['query'] }
  /** Returns the number of rows that an INSERT, UPDATE or DELETE affected. */
  run(sql: string, values?: SqlValues): Promise<number>
  /**
   * Increases with each commit of this process that changed storefront data: values cached under an older number are stale.
   * Read it before the data. Commits of other processes are not counted.
   */
  storefrontVersion(): number
  /** Separate connections for reading or writing many rows. */
  readonly bulk: BulkPorts
  close(): Promise<void>
}

/**
 * Waits for statements that do not depend on each other and were all started already. In a transaction they run in the order in which they
 * were started, and PostgreSQL gets them in one message, which saves most of the cost of a small statement. Waits for all of them and then
 * throws the first failure, so that no statement runs after the end of its transaction.
 */
export async function awaitAll<Results extends readonly unknown[]>(
  ...statements: { [Index in keyof Results]: Promise<Results[Index]> }
): Promise<Results> {
  const results = await Promise.allSettled(statements)
  const failed = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  if (failed) throw failed.reason
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as Results
}

/** Whether a write failed because a value that must be unique is taken. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && error.name === 'SequelizeUniqueConstraintError'
}

/** A boolean of a raw row: SQLite returns 0 or 1. */
export function asBoolean(value: unknown): boolean {
  return value === true || value === 1
}

/** An instant of a raw row: SQLite returns text. */
export function asInstant(value: Date | string): Date {
  return value instanceof Date ? value : new Date(value)
}

/** The same for a column that may be null. */
export function asNullableInstant(value: Date | string | null | undefined): Date | null {
  return value === null || value === undefined ? null : asInstant(value)
}

/** A moment as SQLite stores it, in the format of the driver, so that stored moments compare as texts. PostgreSQL reads it as well. */
export function instantText(moment: Date): string {
  return moment.toISOString().replace('T', ' ').replace('Z', ' +00:00')
}

/** A JSON column of a raw row: SQLite returns text, PostgreSQL the value. */
export function asJson<T>(value: unknown): T {
  return (typeof value === 'string' ? JSON.parse(value) : value) as T
}

/** Escapes % and _ so that typed text is matched literally; use with `LIKE :q ESCAPE '!'`. */
export function likeText(text: string): string {
  return text.replace(/[!%_]/g, '!$&')
}

/** `IN ()` is not valid in SQL: an empty list becomes an id that does not exist. */
export const nonEmptyIds = (ids: readonly number[]): readonly number[] => (ids.length > 0 ? ids : [-1])
