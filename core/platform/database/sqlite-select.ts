import { LRUCache } from 'lru-cache'
import type { Sequelize, Transaction } from 'sequelize'
import type { Database as SqliteHandle } from 'sqlite3'
import type { SqlValue, SqlValues } from '#core/database.ts'
import { isDiskFull, throwInWords } from './full-disk.ts'

/** A statement cut at its values: texts and names take turns. */
interface Template {
  texts: string[]
  names: string[]
  /** Reads alone, and locks nothing. */
  isSelect: boolean
}

/** What stands in quotation marks or a comment is left alone; a name stands where a value may (Sequelize's own rule). */
const parts = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(?<=^|[\s(>,=[]):([a-z_]\w*)(?=[),\s;\]]|::|$)/gi
const templates = new LRUCache<string, Template>({ max: 2_000 })

function templateOf(sql: string): Template {
  const known = templates.get(sql)
  if (known) return known
  const template: Template = {
    texts: [],
    names: [],
    isSelect: /^\s*(?:SELECT|WITH)\b/i.test(sql) && !/\b(?:INSERT|UPDATE|DELETE|SHARE)\b/i.test(sql),
  }
  let end = 0
  for (const { 0: part, 1: name, index } of sql.matchAll(parts)) {
    if (name === undefined) continue
    template.texts.push(sql.slice(end, index))
    template.names.push(name)
    end = index + part.length
  }
  template.texts.push(sql.slice(end))
  templates.set(sql, template)
  return template
}

/** A value as SQLite reads it. */
function literal(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (value instanceof Date) return `'${value.toISOString().replace('T', ' ').replace('Z', ' +00:00')}'`
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return value.map(literal).join(', ')
}

function filled({ texts, names }: Template, values: SqlValues): string {
  let sql = texts[0] ?? ''
  for (const [index, name] of names.entries()) {
    const value = values[name]
    if (value === undefined) throw new Error(`Named replacement ":${name}" has no entry in the replacement map.`)
    sql += literal(value) + texts[index + 1]
  }
  return sql
}

/** The parts of Sequelize that this goes around, and those that it uses. */
interface Inside {
  options: { logging: false | ((statement: string) => void) }
  connectionManager: { getConnection(options: object): Promise<SqliteHandle> }
  dialect: {
    Query: new (on: SqliteHandle, sequelize: Sequelize, options: object) => { formatError(error: unknown): Error }
  }
}

/**
 * Runs SELECTs on Sequelize's handles of SQLite, without its own way there: it reads each statement letter by letter, makes a stack in case
 * the statement fails, and copies every row, which took more than SQLite itself. Null for any other statement, and in a transaction that
 * is over.
 */
export function sqliteSelect(sequelize: Sequelize, current: () => Transaction | undefined) {
  const { options, connectionManager, dialect } = sequelize as unknown as Inside

  async function select<Row>(template: Template, values: SqlValues): Promise<Row[]> {
    const sql = filled(template, values)
    const outer = current() as (Transaction & { connection: SqliteHandle }) | undefined
    const handle = outer ? outer.connection : await connectionManager.getConnection({})
    if (options.logging) options.logging(`Executing (${outer ? 'transaction' : 'default'}): ${sql}`)
    try {
      return await new Promise<Row[]>((resolve, reject) =>
        // One after the other: waiting for each other inside SQLite they would fill libuv's threads.
        handle.serialize(() => handle.all<Row>(sql, (error, rows) => (error ? reject(error) : resolve(rows)))),
      )
    } catch (error) {
      if (isDiskFull(error)) throwInWords(error)
      throw new dialect.Query(handle, sequelize, {}).formatError(Object.assign(error as Error, { sql }))
    }
  }

  return <Row>(sql: string, values: SqlValues): Promise<Row[]> | null => {
    const template = templateOf(sql)
    const isOver = (current() as { finished?: string } | undefined)?.finished
    return template.isSelect && !isOver ? select<Row>(template, values) : null
  }
}
