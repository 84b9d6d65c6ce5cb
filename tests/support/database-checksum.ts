import { createHash } from 'node:crypto'
import type { Database } from '#core/database.ts'

/** The names of all tables, by engine. */
export const tablesOf = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
}

/** What is written whatever is asked, and is no change: when a session was last seen, and counts that are kept. */
const ignored = { column: 'last_seen_at', table: 'reader_counts' }

/** One hash over every row of every table: equal before and after means that nothing was changed. */
export async function databaseChecksum(db: Database): Promise<string> {
  const tables = await db.query<{ name: string }>(tablesOf[db.dialect])
  const hash = createHash('sha256')
  for (const { name } of tables.filter((table) => table.name !== ignored.table)) {
    const [first] = await db.query(`SELECT * FROM ${name} LIMIT 1`)
    if (!first) continue
    const columns = Object.keys(first).filter((column) => column !== ignored.column)
    // The database makes one text of all rows: each by itself as an object took half a minute of a run of the tests.
    const [table] = await db.query<{ content: string }>(contentOf[db.dialect](name, columns))
    hash.update(`${name} ${table?.content}`)
  }
  return hash.digest('hex')
}

const contentOf = {
  sqlite: (name: string, columns: string[]) =>
    `SELECT group_concat(line, char(10)) AS content FROM (
       SELECT ${columns.map((column) => `quote("${column}")`).join(` || ',' || `)} AS line FROM ${name} ORDER BY 1)`,
  postgres: (name: string, columns: string[]) =>
    `SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS content FROM (
       SELECT ROW(${columns.map((column) => `"${column}"`).join()})::text AS line FROM ${name}) lines`,
}
