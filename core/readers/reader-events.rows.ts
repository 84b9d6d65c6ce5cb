import { type Actor, actorColumns } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { rowsFromJson, typedValue } from '../dialect.ts'
import type { Currency } from '../kernel/money.ts'
import { day, defaulted, defineTable, id, instant, integer, json, nullable, ref, text } from '../table.ts'
import type { RowsAsTable } from './readers.rows.ts'

/** The history of readers: what was done to each, by whom and when. */
export const ReaderEvents = defineTable('reader_events', {
  id: id(),
  readerId: ref(),
  publicationId: ref(),
  kind: text(),
  subType: nullable(text()),
  startOn: nullable(day()),
  endOn: nullable(day()),
  /** Minor units. */
  amount: nullable(integer()),
  currency: nullable(text<Currency>()),
  orderId: nullable(ref()),
  /** Field names with their previous values, for undo and for the consent record. */
  before: nullable(json<Record<string, unknown>>()),
  note: defaulted(text()),
  actorKind: text<Actor['kind']>(),
  actorId: nullable(ref()),
  createdAt: instant(),
})

/** Writes the same event into the history of many readers. */
export async function recordEvents(
  ctx: AppContext,
  readerIds: readonly number[],
  { publicationId, kind, note }: { publicationId: number; kind: string; note: string },
): Promise<void> {
  await ctx.db.run(
    `INSERT INTO reader_events (reader_id, publication_id, kind, note, actor_kind, actor_id, created_at)
     SELECT v.id, ${typedValue(ctx.db, ':publicationId', 'id')}, :kind, :note, :actorKind, ${typedValue(ctx.db, ':actorId', 'id')},
       ${typedValue(ctx.db, ':now', 'instant')}
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', { id: 'id' })} ORDER BY v.id`,
    {
      rows: JSON.stringify(readerIds.map((id) => ({ id }))),
      publicationId,
      kind,
      note,
      ...actorColumns(ctx.actor),
      now: ctx.now(),
    },
  )
}

/** Writes an edit into the history of many readers, from a table with `id` and `before`. */
export async function recordEdits(
  ctx: AppContext,
  { sql, json: rows }: RowsAsTable,
  { publicationId, note }: { publicationId: number; note: string },
): Promise<void> {
  await ctx.db.run(
    `INSERT INTO reader_events (reader_id, publication_id, kind, before, note, actor_kind, actor_id, created_at)
     SELECT v.id, :publicationId, 'edited', v.before, :note, :actorKind, ${typedValue(ctx.db, ':actorId', 'id')}, ${typedValue(ctx.db, ':now', 'instant')}
     FROM ${sql}`,
    { rows, publicationId, note, ...actorColumns(ctx.actor), now: ctx.now() },
  )
}

/** Deletes the history of the readers among these that can no longer be restored, individually or by the undo of an import. */
export async function removeHistory(ctx: AppContext, readerIds: readonly number[]): Promise<void> {
  for (let from = 0; from < readerIds.length; from += 500) {
    await ctx.db.run(
      `DELETE FROM reader_events WHERE reader_id IN (:ids) AND NOT EXISTS (SELECT 1 FROM readers r WHERE r.id = reader_events.reader_id)
         AND NOT EXISTS (SELECT 1 FROM removed_readers g WHERE g.reader_id = reader_events.reader_id)
         AND NOT EXISTS (SELECT 1 FROM reader_backups b WHERE b.id = reader_events.reader_id)`,
      { ids: readerIds.slice(from, from + 500) },
    )
  }
}
