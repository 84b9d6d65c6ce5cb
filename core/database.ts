import type { Sequelize } from 'sequelize'
import type { BulkPorts, Dialect } from './ports/bulk.ts'

export type SqlValue = string | number | boolean | null | Date | readonly (string | number)[]
export type SqlValues = Record<string, SqlValue>

/**
 * The database port. Queries made inside `transaction` join it by themselves (also through models), so a use-case
 * cannot forget to pass it on. On SQLite transactions of this process wait for each other: one writer at a time.
 */
export interface Database {
  readonly dialect: Dialect
  readonly sequelize: Sequelize
  /** Runs the work in a transaction and commits when it resolves; inside another one it becomes a savepoint. */
  transaction<T>(work: () => Promise<T>): Promise<T>
  /** Runs the work in the surrounding transaction, or in one of its own. One statement alone needs none: it is its own. */
  write<T>(work: () => Promise<T>): Promise<T>
  /** Whether a transaction surrounds this: what it reads may never be committed. */
  isInTransaction(): boolean
  /**
   * Runs the work as the last thing of the surrounding (outermost) transaction, once for each key; at once when there is none. For a row that
   * every writer changes: it is locked until the commit, so that whoever takes it early makes all the others wait. In the order of the keys,
   * or two transactions could wait for each other. It runs also where the savepoint that asked for it was rolled back.
   */
  beforeCommit(key: string, work: () => Promise<unknown>): Promise<void>
  /** Runs `then` once the surrounding transaction has committed; at once when there is none. */
  afterCommit(then: () => void): void
  /** Rows of a SELECT (or a RETURNING). Values are named: `:publicationId`. On SQLite booleans come back as 0 and 1, instants as text. */
  query<Row extends object>(sql: string, values?: SqlValues): Promise<Row[]>
  /**
   * The same for a question that is asked hundreds of times a second and finds a few rows by an index, whatever its values: PostgreSQL keeps
   * its plan, which costs more than all the rest of it. In a transaction it is an ordinary query.
   */
  readonly prepared: { query: Database['query'] }
  /** Number of rows an INSERT, UPDATE or DELETE touched. */
  run(sql: string, values?: SqlValues): Promise<number>
  /**
   * Grows with each commit of this process that touched what storefronts show: what is kept under an older number is out of date.
   * Take it before reading; other processes are not seen.
   */
  storefrontVersion(): number
  /** Connections of one's own for what reads or writes many rows. */
  readonly bulk: BulkPorts
  close(): Promise<void>
}

/**
 * Waits for statements of which none needs what another gives, all of them asked for already. In a transaction they run in the order in which
 * they were asked for, and PostgreSQL is sent them in one message, which is most of what a small statement costs. Ends when all of them have,
 * and throws the first failure: nothing of a transaction runs after its end.
 */
export async function together<Results extends readonly unknown[]>(
  ...asked: { [Index in keyof Results]: Promise<Results[Index]> }
): Promise<Results> {
  const ended = await Promise.allSettled(asked)
  const failed = ended.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  if (failed) throw failed.reason
  return ended.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as Results
}

/** A boolean of a raw row: SQLite says 0 and 1. */
export function asBoolean(value: unknown): boolean {
  return value === true || value === 1
}

/** An instant of a raw row: SQLite says text. */
export function asInstant(value: Date | string): Date {
  return value instanceof Date ? value : new Date(value)
}

/** A JSON column: SQLite gives text, PostgreSQL the value. */
export function asJson<T>(value: unknown): T {
  return (typeof value === 'string' ? JSON.parse(value) : value) as T
}

/** Escapes % and _ so that what people type is searched as it stands; use with `LIKE :q ESCAPE '!'`. */
export function likeText(text: string): string {
  return text.replace(/[!%_]/g, '!$&')
}
