import { type Database, instantText } from '../database.ts'

/** A row by column name. Objects go into JSON columns, instants are Dates. */
export type NewRow = Record<string, string | number | boolean | null | Date | object>

const chunkSize = 500

/**
 * Writes many rows with few statements: each chunk is passed as one JSON value. Every row must have the columns of
 * the first. Dates are written in the text format that the SQLite tables use, so that they compare correctly as text.
 */
export async function insertRows(db: Database, table: string, rows: readonly NewRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const list = columns.join(', ')
  const sql =
    db.dialect === 'sqlite'
      ? `INSERT INTO ${table} (${list}) SELECT ${columns.map((column) => `value ->> '${column}'`).join(', ')} FROM json_each(:rows)`
      : `INSERT INTO ${table} (${list}) SELECT ${list} FROM jsonb_populate_recordset(NULL::${table}, CAST(:rows AS jsonb))`
  for (let start = 0; start < rows.length; start += chunkSize) {
    await db.run(sql, { rows: JSON.stringify(rows.slice(start, start + chunkSize).map(withDatesAsText)) })
  }
}

function withDatesAsText(row: NewRow): object {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, value instanceof Date ? instantText(value) : value]),
  )
}
