import type { AppContext } from '../context.ts'

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
  const actorKind = ctx.actor.kind
  const actorId = ctx.actor.kind === 'staff' ? ctx.actor.userId : null
  const from = fixedRowsAsTable(ctx, rows, columns)
  const by = { actorId, now: ctx.now() }
  await ctx.db.run(
    `UPDATE readers SET ${columns.map((column) => `${column} = v.${column}`).join(', ')}, version = v.version,
       modified_by = :editorId, updated_at = :now
     FROM ${from.sql} WHERE readers.id = v.id`,
    { rows: from.json, editorId: actorId, now: by.now },
  )
  await ctx.db.run(
    `INSERT INTO reader_events (reader_id, publication_id, kind, before, note, actor_kind, actor_id, created_at)
     SELECT v.id, :publicationId, 'edited', v.before, :note, :actorKind, ${typed(ctx, ':actorId', 'BIGINT')}, ${typed(ctx, ':now', 'TIMESTAMPTZ')}
     FROM ${from.sql}`,
    { rows: from.json, publicationId, note, actorKind, ...by },
  )
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
): { sql: string; json: string } {
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
