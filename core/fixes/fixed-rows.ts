import type { AppContext } from '../context.ts'
import { rowsFromJson } from '../dialect.ts'
import { recordEdits } from '../readers/reader-events.rows.ts'
import { type RowsAsTable, writeReaderTexts } from '../readers/readers.rows.ts'

/** A row to be written: the columns of its fix, and their previous values. */
export interface FixedRow {
  id: number
  /** The version to be written. */
  version: number
  columns: Record<string, string>
  /** The previous value of every written column. */
  image: Record<string, string>
  /** The previous values of the changed fields, for the reader's history. */
  before: Record<string, string>
}

interface WriteOptions {
  /** The columns that every row has. */
  columns: readonly string[]
  publicationId: number
  /** The note in the readers' history. */
  note: string
}

/** Writes rows, each with a line in the reader's history: in two statements, whatever the number. Call it in a transaction. */
export async function writeFixedRows(ctx: AppContext, rows: readonly FixedRow[], options: WriteOptions): Promise<void> {
  if (rows.length === 0) return
  const { publicationId, note, columns } = options
  const table = fixedRowsAsTable(ctx, rows, columns)
  const modifiedBy = ctx.actor.kind === 'staff' ? ctx.actor.userId : null
  await writeReaderTexts(ctx, table, { columns, modifiedBy })
  await recordEdits(ctx, table, { publicationId, note })
}

/** The rows as a table `v`, which the engine builds from one JSON text. */
export function fixedRowsAsTable(
  { db }: AppContext,
  rows: readonly FixedRow[],
  columnNames: readonly string[],
): RowsAsTable {
  const json = JSON.stringify(rows.map(({ columns, ...row }) => ({ ...row, ...columns })))
  const texts = Object.fromEntries(columnNames.map((column) => [column, 'text' as const]))
  return {
    json,
    sql: rowsFromJson(db, ':rows', 'v', { id: 'id', version: 'integer', before: 'json', image: 'json', ...texts }),
  }
}
