import { createHash } from 'node:crypto'
import type { Database } from '#core/database.ts'

/** The names of all tables, by engine. */
export const tablesOf = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
}

/**
 * One hash over every row of every table: equal before and after means that nothing was changed. For databases of test size. When a
 * session was last seen is no change: it is written once a minute, whatever is asked. Nor is a count that is kept.
 */
export async function databaseChecksum(db: Database): Promise<string> {
  const tables = await db.query<{ name: string }>(tablesOf[db.dialect])
  const hash = createHash('sha256')
  for (const { name } of tables.filter((table) => table.name !== 'reader_counts')) {
    const rows = await db.query(`SELECT * FROM ${name}`)
    hash.update(
      rows
        .map((row) => JSON.stringify({ ...row, last_seen_at: null }))
        .sort()
        .join('\n'),
    )
  }
  return hash.digest('hex')
}
