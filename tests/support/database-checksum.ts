import { createHash } from 'node:crypto'
import type { Database } from '#core/database.ts'

/** The columns of all database tables, by table. */
export async function columnsOf(db: Database): Promise<Map<string, string[]>> {
  const rows = await db.query<{ table_name: string; column_name: string }>(columnQueries[db.dialect])
  const tables = new Map<string, string[]>()
  for (const { table_name, column_name } of rows) {
    tables.set(table_name, [...(tables.get(table_name) ?? []), column_name])
  }
  return tables
}

const columnQueries = {
  sqlite: `SELECT tables.name AS table_name, columns.name AS column_name
    FROM sqlite_master tables JOIN pragma_table_info(tables.name) columns
    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' ORDER BY tables.name, columns.cid`,
  postgres: `SELECT columns.table_name, columns.column_name FROM information_schema.columns
    JOIN pg_tables ON schemaname = 'public' AND tablename = columns.table_name
    WHERE columns.table_schema = 'public' ORDER BY columns.table_name, columns.ordinal_position`,
}

/** Data that any request may write and that does not count as a change: when a session was last seen, and cached counts. */
const ignored = { column: 'last_seen_at', table: 'reader_counts' }

/** The statement that returns each table as one text, by database: its schema does not change, and querying it takes longer than reading the rows. */
const statementOf = new WeakMap<Database, Promise<string>>()

/** One hash over every row of every table: equal before and after means that nothing was changed. */
export async function databaseChecksum(db: Database): Promise<string> {
  const sql = statementOf.get(db) ?? contentStatement(db)
  statementOf.set(db, sql)
  const rows = await db.query<{ name: string; content: string | null }>(await sql)
  const hash = createHash('sha256')
  for (const { name, content } of rows) hash.update(`${name} ${content}\n`)
  return hash.digest('hex')
}

/** One statement: a statement for each of more than a hundred tables, or rows as objects, would take most of a test's time. */
async function contentStatement(db: Database): Promise<string> {
  const tables = [...(await columnsOf(db))].filter(([name]) => name !== ignored.table)
  const contents = tables.map(([name, columns]) => {
    const watched = columns.filter((column) => column !== ignored.column).map((column) => `"${column}"`)
    return `SELECT '${name}' AS name, (${contentOf[db.dialect](name, watched)}) AS content`
  })
  return contents.join(' UNION ALL ')
}

const contentOf = {
  sqlite: (name: string, columns: string[]) =>
    `SELECT group_concat(line, char(10)) FROM (
       SELECT ${columns.map((column) => `quote(${column})`).join(` || ',' || `)} AS line FROM ${name} ORDER BY 1)`,
  postgres: (name: string, columns: string[]) =>
    `SELECT md5(string_agg(line, E'\\n' ORDER BY line)) FROM (
       SELECT ROW(${columns.join()})::text AS line FROM ${name}) lines`,
}
