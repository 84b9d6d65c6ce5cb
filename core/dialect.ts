import type { Database } from './database.ts'

/** SQL fragments that differ between SQLite and PostgreSQL, for statements that are otherwise the same. */

export type Db = Pick<Database, 'dialect'>

interface RowLock {
  /** The alias whose rows are locked, where a query joins several tables. */
  of?: string
  /** Rows that another transaction has locked are skipped instead of waited for. */
  skipLocked?: boolean
  /** Several transactions may hold this lock concurrently; one that changes the row waits for all of them. */
  isShared?: boolean
  /** Rows that only refer to a locked row can still be added. */
  isKeyFree?: boolean
}

/**
 * The end of a SELECT that locks its rows until the transaction ends. On SQLite it is empty: one transaction writes at a time.
 */
export function rowLock(
  { dialect }: Db,
  { of, skipLocked = false, isShared = false, isKeyFree = false }: RowLock = {},
): string {
  if (dialect === 'sqlite') return ''
  const strength = isShared ? 'SHARE' : isKeyFree ? 'NO KEY UPDATE' : 'UPDATE'
  return `FOR ${strength}${of ? ` OF ${of}` : ''}${skipLocked ? ' SKIP LOCKED' : ''}`
}

const types = {
  sqlite: { id: 'INTEGER', integer: 'INTEGER', text: 'TEXT', day: 'TEXT', instant: 'TEXT', json: 'TEXT' },
  postgres: { id: 'BIGINT', integer: 'INTEGER', text: 'TEXT', day: 'DATE', instant: 'TIMESTAMPTZ', json: 'JSONB' },
} as const

export type ValueType = keyof (typeof types)['postgres']

/** A value in the list of an INSERT ... SELECT, whose type PostgreSQL cannot infer. */
export function typedValue({ dialect }: Db, value: string, type: ValueType): string {
  return `CAST(${value} AS ${types[dialect][type]})`
}

/** A flag as a literal, as in the condition of a partial index: with a bound value the index could not be used. */
export function flagLiteral({ dialect }: Db, value: boolean): string {
  if (dialect === 'postgres') return value ? 'true' : 'false'
  return value ? '1' : '0'
}

/** A text as a literal, for statements that take no values, such as COPY. */
export function textLiteral({ dialect }: Db, text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`
  // An E string treats backslashes alike, whatever the server's standard_conforming_strings is.
  return dialect === 'postgres' ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted
}

/** The number of days from the earlier day to the later one; null where either is null. */
export function daysBetween({ dialect }: Db, later: string, earlier: string): string {
  if (dialect === 'postgres') return `(${later} - ${earlier})`
  return `CAST(julianday(${later}) - julianday(${earlier}) AS INTEGER)`
}

/** The day that is a number of days after `day`. Both arguments are SQL expressions. */
export function daysAfter({ dialect }: Db, day: string, days: string): string {
  return dialect === 'postgres' ? `(${day}::date + (${days})::int)` : `date(${day}, (${days}) || ' days')`
}

/** The greatest of several numbers, none of them null. */
export function greatest({ dialect }: Db, numbers: readonly string[]): string {
  return `${dialect === 'postgres' ? 'GREATEST' : 'MAX'}(${numbers.join(', ')})`
}

/** The month of a day, counted from the year 0, so that months can be subtracted. */
export function monthNumber({ dialect }: Db, day: string): string {
  if (dialect === 'postgres') return `(EXTRACT(YEAR FROM ${day})::int * 12 + EXTRACT(MONTH FROM ${day})::int)`
  return `(CAST(substr(${day}, 1, 4) AS INTEGER) * 12 + CAST(substr(${day}, 6, 2) AS INTEGER))`
}

/** The month of a day, `2026-11`. The argument is an SQL expression. */
export function yearMonth({ dialect }: Db, day: string): string {
  return dialect === 'postgres' ? `to_char(${day}, 'YYYY-MM')` : `substr(${day}, 1, 7)`
}

/** A named value that is JSON text, an array of objects, as a table with a column for each of these properties. */
export function rowsFromJson(
  { dialect }: Db,
  value: string,
  alias: string,
  columns: Record<string, ValueType>,
): string {
  const names = Object.keys(columns)
  if (dialect === 'postgres') {
    const list = names.map((name) => `${name} ${types.postgres[columns[name] as ValueType]}`).join(', ')
    return `jsonb_to_recordset(CAST(${value} AS jsonb)) AS ${alias} (${list})`
  }
  const cells = names.map((name) => `json_extract(value, '$.${name}') AS ${name}`).join(', ')
  return `(SELECT ${cells} FROM json_each(${value})) AS ${alias}`
}

/**
 * A case-insensitive search for a typed text within stored texts: `isIn` is the condition that a text (an SQL expression) contains the named
 * value. LOWER in SQLite, and in PostgreSQL with the locale C, changes only A to Z, so the other letters of a stored text may have either case.
 */
export function caselessSearch(
  { dialect }: Db,
  typed: string,
): { value: string; isIn(text: string, name: string): string } {
  const value = typed.toLowerCase()
  const position = dialect === 'postgres' ? 'strpos' : 'instr'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
  if (/^[\x00-\x7f]*$/.test(value)) return { value, isIn: (text, name) => `${position}(LOWER(${text}), :${name}) > 0` }
  if (dialect === 'postgres')
    return {
      value: Array.from(value, regexLetter).join(''),
      isIn: (text, name) => `LOWER(${text}) ~ :${name}`,
    }
  return {
    value: `*${Array.from(value, globLetter).join('')}*`,
    isIn: (text, name) => `LOWER(${text}) GLOB :${name}`,
  }
}

/** A lower-case character as a regular expression of PostgreSQL: special characters are escaped, letters that LOWER may not change match both cases. */
function regexLetter(letter: string): string {
  return letter <= '\x7f' ? letter.replace(/[^a-z0-9 ]/, '\\$&') : bothCases(letter)
}

/** A lower-case character as a GLOB pattern of SQLite: wildcards are escaped, letters that LOWER does not change match both cases. */
function globLetter(letter: string): string {
  return '*?['.includes(letter) ? `[${letter}]` : letter <= '\x7f' ? letter : bothCases(letter)
}

/** A character class of a letter's two cases; the letter alone where its capital is two letters, as for ß. */
function bothCases(letter: string): string {
  const upper = letter.toUpperCase()
  return upper.toLowerCase() !== letter || [...upper].length > 1 ? letter : `[${letter}${upper}]`
}
