import type { AppContext } from '../context.ts'
import { recordEdits } from '../readers/reader-events.rows.ts'
import { type RowsAsTable, writeReaderTexts } from '../readers/readers.rows.ts'

/** A row as it is to be written: the columns of its fix, and what stood there. */
export interface FixedRow {
  id: number
  /** The version it has afterwards. */
  version: number
  columns: Record<string, string>
  /** Every written column as it was. */
  image: Record<string, string>
  /** The fields that change as they were, for the reader's history. */
  before: Record<string, string>
}

interface Writing {
  /** The columns that every row has. */
  columns: readonly string[]
  publicationId: number
  /** What the readers' history says of it. */
  note: string
}

/** Writes rows, each with a line in the reader's history: three statements however many they are. Belongs in a transaction. */
export async function writeFixedRows(ctx: AppContext, rows: readonly FixedRow[], writing: Writing): Promise<void> {
  if (rows.length === 0) return
  const { publicationId, note, columns } = writing
  const from = fixedRowsAsTable(ctx, rows, columns)
  const modifiedBy = ctx.actor.kind === 'staff' ? ctx.actor.userId : null
  await writeReaderTexts(ctx, from, { columns, modifiedBy })
  await recordEdits(ctx, from, { publicationId, note })
}

/** A value with its type, which PostgreSQL cannot tell from a SELECT list. */
export function typed({ db }: AppContext, value: string, type: string): string {
  return db.dialect === 'postgres' ? `CAST(${value} AS ${type})` : value
}

/** The rows as a table `v` of the engine's own making, out of one JSON text. */
export function fixedRowsAsTable(
  { db }: AppContext,
  rows: readonly FixedRow[],
  written: readonly string[],
): RowsAsTable {
  const json = JSON.stringify(rows.map(({ columns, ...row }) => ({ ...row, ...columns })))
  if (db.dialect === 'postgres') {
    const texts = written.map((column) => `, ${column} text`).join('')
    return {
      json,
      sql: `jsonb_to_recordset(CAST(:rows AS jsonb)) AS v (id bigint, version integer, before jsonb, image jsonb${texts})`,
    }
  }
  const names = ['id', 'version', 'before', 'image', ...written]
  const cells = names.map((name) => `json_extract(value, '$.${name}') AS ${name}`).join(', ')
  return { json, sql: `(SELECT ${cells} FROM json_each(:rows)) AS v` }
}
