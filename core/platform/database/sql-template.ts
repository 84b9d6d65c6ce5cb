import { LRUCache } from 'lru-cache'
import { instantText, type SqlValue, type SqlValues } from '#core/database.ts'
import type { Dialect } from '#core/ports/bulk.ts'

/** A statement cut at its values: texts and names alternate. */
export interface SqlTemplate {
  readonly texts: readonly string[]
  readonly names: readonly string[]
  /** Changes rows, or locks them. */
  readonly isWrite: boolean
  readonly returnsRows: boolean
}

/** Quoted text and comments are left unchanged; a name is allowed wherever a value is (Sequelize's own rule). */
const parts = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(?<=^|[\s(>,=[]):([a-z_]\w*)(?=[),\s;\]]|::|$)/gi
const templates = new LRUCache<string, SqlTemplate>({ max: 2_000 })

/** The template of a statement whose values are named; cached (LRU). */
export function templateOf(sql: string): SqlTemplate {
  const cached = templates.get(sql)
  if (cached) return cached
  const texts: string[] = []
  const names: string[] = []
  let end = 0
  for (const { 0: part, 1: name, index } of sql.matchAll(parts)) {
    if (name === undefined) continue
    texts.push(sql.slice(end, index))
    names.push(name)
    end = index + part.length
  }
  texts.push(sql.slice(end))
  const keywords = sql.replace(parts, '')
  const isWrite = /\b(?:INSERT|UPDATE|DELETE)\b/i.test(keywords)
  const template = { texts, names, isWrite, returnsRows: !isWrite || /\bRETURNING\b/i.test(keywords) }
  templates.set(sql, template)
  return template
}

/** The statement with its values in place. */
export function filledSql({ texts, names }: SqlTemplate, values: SqlValues, dialect: Dialect): string {
  let sql = texts[0] ?? ''
  for (const [index, name] of names.entries()) sql += literal(requireValue(values, name), dialect) + texts[index + 1]
  return sql
}

/** A longer list is inlined into its statement, because each length is a separate statement. */
const maxListLength = 10

/**
 * The statement with numbered parameters, and the values as the driver of SQLite binds them: the same text for all values except lists. Null for a
 * list that is too long, and for a value that the driver would bind as another type: a whole number beyond 32 bits.
 */
export function boundSql(
  template: SqlTemplate,
  values: SqlValues,
): { sql: string; bound: (string | number | null)[] } | null {
  const bound: (string | number | null)[] = []
  const sql = replacedSql(template, values, (value) => {
    const list = Array.isArray(value) ? value : [value]
    if (list.length > maxListLength) return null
    const parameters: string[] = []
    for (const item of list) {
      if (Array.isArray(value) && typeof item === 'string') {
        // A partial index on some states is used only if the list is literal in the statement, and such lists are few.
        parameters.push(literal(item, 'sqlite'))
        continue
      }
      const plain = item instanceof Date ? instantText(item) : typeof item === 'boolean' ? Number(item) : item
      if (Number.isInteger(plain) && plain !== ((plain as number) | 0)) return null
      parameters.push(`?${bound.push(plain)}`)
    }
    return parameters.join(', ')
  })
  return sql === null ? null : { sql, bound }
}

/**
 * The statement with numbered parameters, and the values as the driver of PostgreSQL sends them: always the same text, except for lists of
 * different lengths.
 */
export function numberedSql(
  template: SqlTemplate,
  values: SqlValues,
): { sql: string; bound: (string | number | boolean | null)[] } {
  const bound: (string | number | boolean | null)[] = []
  const sql = replacedSql(template, values, (value) => {
    const list = Array.isArray(value) ? value : [value]
    return list.map((item) => `$${bound.push(sentValue(item))}`).join(', ')
  })
  return { sql, bound }
}

/** The statement with `replacementOf` the value in place of each name, called once per name; null if it returns null. */
function replacedSql<T extends string | null>(
  { texts, names }: SqlTemplate,
  values: SqlValues,
  replacementOf: (value: SqlValue) => T,
): string | Exclude<T, string> {
  let sql = texts[0] ?? ''
  const replacements = new Map<string, T>()
  for (const [index, name] of names.entries()) {
    const replacement = replacements.get(name) ?? replacementOf(requireValue(values, name))
    if (replacement === null) return replacement as Exclude<T, string>
    replacements.set(name, replacement)
    sql += replacement + (texts[index + 1] ?? '')
  }
  return sql
}

function sentValue(value: string | number | boolean | Date | null): string | number | boolean | null {
  if (value instanceof Date) return instantText(value)
  return typeof value === 'string' ? value.replaceAll('\0', '\\0') : value
}

function requireValue(values: SqlValues, name: string): SqlValue {
  const value = values[name]
  if (value === undefined) throw new Error(`Named replacement ":${name}" has no entry in the replacement map.`)
  return value
}

/** A value as an SQL literal. */
function literal(value: SqlValue, dialect: Dialect): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return dialect === 'sqlite' ? (value ? '1' : '0') : String(value)
  if (value instanceof Date) return `'${instantText(value)}'`
  // PostgreSQL cannot store a text with a zero byte.
  if (typeof value === 'string') {
    const text = dialect === 'postgres' ? value.replaceAll('\0', '\\0') : value
    return `'${text.replaceAll("'", "''")}'`
  }
  return value.map((item) => literal(item, dialect)).join(', ')
}
