import { LRUCache } from 'lru-cache'
import type { SqlValue, SqlValues } from '#core/database.ts'
import type { Dialect } from '#core/ports/bulk.ts'

/** A statement cut at its values: texts and names take turns. */
export interface SqlTemplate {
  readonly texts: readonly string[]
  readonly names: readonly string[]
  /** Changes rows, or locks them. */
  readonly isWrite: boolean
}

/** What stands in quotation marks or a comment is left alone; a name stands where a value may (Sequelize's own rule). */
const parts = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(?<=^|[\s(>,=[]):([a-z_]\w*)(?=[),\s;\]]|::|$)/gi
const templates = new LRUCache<string, SqlTemplate>({ max: 2_000 })

/** The template of a statement whose values are named; the last ones used are kept. */
export function templateOf(sql: string): SqlTemplate {
  const known = templates.get(sql)
  if (known) return known
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
  const template = { texts, names, isWrite: /\b(?:INSERT|UPDATE|DELETE)\b/i.test(sql.replace(parts, '')) }
  templates.set(sql, template)
  return template
}

/** The statement with its values in place. */
export function filledSql({ texts, names }: SqlTemplate, values: SqlValues, dialect: Dialect): string {
  let sql = texts[0] ?? ''
  for (const [index, name] of names.entries()) {
    const value = values[name]
    if (value === undefined) throw new Error(`Named replacement ":${name}" has no entry in the replacement map.`)
    sql += literal(value, dialect) + texts[index + 1]
  }
  return sql
}

/** A value as the database reads it. */
function literal(value: SqlValue, dialect: Dialect): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return dialect === 'sqlite' ? (value ? '1' : '0') : String(value)
  if (value instanceof Date) return `'${value.toISOString().replace('T', ' ').replace('Z', ' +00:00')}'`
  // PostgreSQL has no text with a zero byte in it.
  if (typeof value === 'string') {
    const text = dialect === 'postgres' ? value.replaceAll('\0', '\\0') : value
    return `'${text.replaceAll("'", "''")}'`
  }
  return value.map((one) => literal(one, dialect)).join(', ')
}
