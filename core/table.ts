import { isDeepStrictEqual } from 'node:util'
import { asBoolean, asInstant, asJson, type Database, type SqlValue, type SqlValues } from './database.ts'
import { rowLock } from './dialect.ts'
import { columnName } from './kernel/column-name.ts'
import type { Day } from './kernel/dates.ts'
import { storableJson } from './kernel/storable-text.ts'

/** A column of a table: the type of its values, and whether an INSERT may leave it out (nullable, or with a default in the schema). */
interface Column<Value, IsOptional extends boolean = false> {
  readonly type: ColumnType
  readonly isNullable: boolean
  readonly isOptional: IsOptional
  /** Only for the compiler: the type of the values. */
  readonly value?: Value
}

type ColumnType = 'ref' | 'integer' | 'real' | 'text' | 'flag' | 'day' | 'instant' | 'json'

const column = <Value>(type: ColumnType): Column<Value> => ({ type, isNullable: false, isOptional: false })

/** The table's own primary key, assigned by the database. */
export const id = (): Column<number, true> => ({ type: 'ref', isNullable: false, isOptional: true })
/** The id of a row of another table. */
export const ref = (): Column<number> => column('ref')
/** A whole number; also an amount of money in minor units. */
export const integer = <Value extends number = number>(): Column<Value> => column('integer')
/** A number with a fraction: a share, a time in seconds. Never money. */
export const real = (): Column<number> => column('real')
export const text = <Value extends string = string>(): Column<Value> => column('text')
export const flag = (): Column<boolean> => column('flag')
/** A calendar day, `2026-11-22`. */
export const day = (): Column<Day> => column('day')
/** A moment in time. */
export const instant = (): Column<Date> => column('instant')
export const json = <Value>(): Column<Value> => column('json')

/** May be NULL, and is NULL where an INSERT leaves it out. */
export const nullable = <Value>(base: Column<Value>): Column<Value | null, true> => ({
  ...base,
  isNullable: true,
  isOptional: true,
})
/** Has a default in the schema. */
export const defaulted = <Value>(base: Column<Value>): Column<Value, true> => ({ ...base, isOptional: true })

type Columns = Record<string, Column<unknown, boolean>>
type ValueOf<C> = C extends Column<infer Value, boolean> ? Value : never
type RowWith<C extends Columns> = { [Name in keyof C]: ValueOf<C[Name]> }
type OptionalNames<C extends Columns> = {
  [Name in keyof C]: C[Name]['isOptional'] extends true ? Name : never
}[keyof C]
type Stamps = 'createdAt' | 'updatedAt'
type NewRow<C extends Columns> = Omit<RowWith<C>, OptionalNames<C> | Stamps> &
  Partial<Pick<RowWith<C>, OptionalNames<C> | Extract<keyof C, Stamps>>>

/** The row type of a table: `type PromoCodeRow = RowOf<typeof PromoCodes>`. */
export type RowOf<T> = T extends Table<infer C> ? RowWith<C> : never

/** The new values that differ from the row's: what an UPDATE has to write, and what the activity log names. */
export function changedValues<Row extends object>(row: Row, values: Partial<Row>): Partial<Row> {
  const changed = Object.entries(values).filter(([name, value]) => {
    return value !== undefined && !isDeepStrictEqual(value, row[name as keyof Row])
  })
  return Object.fromEntries(changed) as Partial<Row>
}

/** The part of the context that a table's functions need. */
export interface TableContext {
  db: Database
  now(): Date
}

/** Some columns of a table, to be read by a custom query. */
interface Selection<Row> {
  /** The SELECT list, each column under its own name: `c.id, c.code_key AS "codeKey"`. */
  columns(alias?: string): string
  /**
   * Rows of a SELECT (or RETURNING) whose list contains `columns()`, decoded alike on both engines: flags are booleans, moments are dates, JSON is
   * parsed. Further columns of the query are returned unchanged.
   */
  rows<Extra extends object = object>(
    ctx: { db: Pick<Database, 'query'> },
    sql: string,
    values?: SqlValues,
  ): Promise<(Row & Extra)[]>
}

/** A table as its own area uses it. Every other write to it is a function in the same `.rows.ts` file. */
export interface Table<C extends Columns> extends Selection<RowWith<C>> {
  readonly table: string
  /** The definition, for the test that compares it with the schema. */
  readonly definition: C
  pick<Name extends keyof C & string>(...names: readonly Name[]): Selection<Pick<RowWith<C>, Name>>
  /** The row of a raw one (`SELECT *`), also after it was stored as JSON. */
  decode(raw: Readonly<Record<string, unknown>>): RowWith<C>
  /** The row with these values; null if there is none. With `isLocked` no other transaction changes it before this one ends. */
  find(
    ctx: Pick<TableContext, 'db'>,
    where: Partial<RowWith<C>>,
    options?: { isLocked?: boolean },
  ): Promise<RowWith<C> | null>
  /** Adds a row and returns its id. `createdAt` and `updatedAt` default to the current time. */
  insert(ctx: TableContext, values: NewRow<C>): Promise<number>
  /** Adds a row and returns it, unless a unique column has its value already: then nothing is written and null returned. */
  insertNew(ctx: TableContext, values: NewRow<C>): Promise<RowWith<C> | null>
  /** Changes the rows with these values and returns their number: compare-and-set when `where` names the old state. */
  update(ctx: TableContext, where: Partial<RowWith<C>>, changes: Partial<RowWith<C>>): Promise<number>
  /** Deletes the rows with these values and returns their number. */
  remove(ctx: Pick<TableContext, 'db'>, where: Partial<RowWith<C>>): Promise<number>
}

/** How a value of a raw row is decoded. Values of types that are not listed are the same from both engines. */
const decoders: Partial<Record<ColumnType, (value: unknown) => unknown>> = {
  flag: asBoolean,
  instant: (value) => asInstant(value as Date | string),
  json: asJson,
}

/**
 * Defines a table: its columns by their camelCase names (snake_case in the database), from which the row type, the SELECT list, the
 * decoder and the statements for single rows follow.
 */
export function defineTable<C extends Columns>(table: string, definition: C): Table<C> {
  const names = Object.keys(definition)

  function select<Row>(chosen: readonly string[]): Selection<Row> {
    const decoded = chosen.flatMap((name) => {
      const decode = decoders[definition[name]?.type ?? 'text']
      return decode ? [[name, decode] as const] : []
    })
    return {
      columns: (alias) =>
        chosen
          .map((name) => {
            const qualified = `${alias ? `${alias}.` : ''}${columnName(name)}`
            return columnName(name) === name ? qualified : `${qualified} AS "${name}"`
          })
          .join(', '),
      async rows<Extra extends object>(ctx: Pick<TableContext, 'db'>, sql: string, values: SqlValues = {}) {
        const rows = await ctx.db.query<Record<string, unknown>>(sql, values)
        for (const row of rows) {
          for (const [name, decode] of decoded) if (row[name] != null) row[name] = decode(row[name])
        }
        return rows as (Row & Extra)[]
      },
    }
  }

  const allColumns = select<RowWith<C>>(names)

  /** The values, encoded for the database; undefined ones are left out. */
  function encoded(values: object): [name: string, value: SqlValue][] {
    return Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined) return []
      const { type } = columnOf(name)
      return [[name, type === 'json' && value !== null ? storableJson(value) : (value as SqlValue)] as const]
    }) as [string, SqlValue][]
  }

  function columnOf(name: string): Column<unknown, boolean> {
    const column = definition[name]
    if (!column) throw new Error(`The table ${table} has no column ${name}`)
    return column
  }

  /** A condition on the values, which are named `where_<column>`. Throws if a value is undefined: without it the condition would match more rows. */
  function condition(where: Partial<RowWith<C>>): { sql: string; values: SqlValues } {
    const pairs = encoded(where)
    if (pairs.length === 0 || pairs.length < Object.keys(where).length) {
      throw new Error(`A condition on ${table} lacks a value`)
    }
    return {
      sql: pairs
        .map(([name, value]) => `${columnName(name)} ${value === null ? 'IS NULL' : `= :where_${name}`}`)
        .join(' AND '),
      values: Object.fromEntries(pairs.map(([name, value]) => [`where_${name}`, value])),
    }
  }

  function insertion(ctx: TableContext, values: NewRow<C>): { sql: string; values: SqlValues } {
    const stamped: Record<string, unknown> = { ...values }
    for (const name of ['createdAt', 'updatedAt']) if (name in definition) stamped[name] ??= ctx.now()
    const pairs = encoded(stamped)
    return {
      sql: `INSERT INTO ${table} (${pairs.map(([name]) => columnName(name)).join(', ')})
            VALUES (${pairs.map(([name]) => `:${name}`).join(', ')})`,
      values: Object.fromEntries(pairs),
    }
  }

  return {
    ...allColumns,
    table,
    definition,
    pick: (...chosen) => select(chosen),
    decode(raw) {
      const decoded = names.map((name) => {
        const value = raw[columnName(name)] ?? null
        const decode = decoders[columnOf(name).type]
        return [name, decode && value !== null ? decode(value) : value] as const
      })
      return Object.fromEntries(decoded) as RowWith<C>
    },
    async find(ctx, where, { isLocked = false } = {}) {
      const { sql, values } = condition(where)
      const [row] = await allColumns.rows(
        ctx,
        `SELECT ${allColumns.columns()} FROM ${table} WHERE ${sql} LIMIT 1 ${isLocked ? rowLock(ctx.db) : ''}`,
        values,
      )
      return row ?? null
    },
    async insert(ctx, row) {
      const { sql, values } = insertion(ctx, row)
      const [inserted] = await ctx.db.query<{ id: number }>(`${sql} RETURNING id`, values)
      return inserted?.id as number
    },
    async insertNew(ctx, row) {
      const { sql, values } = insertion(ctx, row)
      const [inserted] = await allColumns.rows(
        ctx,
        `${sql} ON CONFLICT DO NOTHING RETURNING ${allColumns.columns()}`,
        values,
      )
      return inserted ?? null
    },
    async update(ctx, where, changes) {
      const stamped: Record<string, unknown> = { ...changes }
      if ('updatedAt' in definition) stamped.updatedAt ??= ctx.now()
      const pairs = encoded(stamped)
      const { sql, values } = condition(where)
      return ctx.db.run(
        `UPDATE ${table} SET ${pairs.map(([name]) => `${columnName(name)} = :${name}`).join(', ')} WHERE ${sql}`,
        { ...Object.fromEntries(pairs), ...values },
      )
    },
    async remove(ctx, where) {
      const { sql, values } = condition(where)
      return ctx.db.run(`DELETE FROM ${table} WHERE ${sql}`, values)
    },
  }
}
