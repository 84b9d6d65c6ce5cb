import type { AppContext } from '../context.ts'
import { readersChanged } from '../readers/readers-changed.ts'
import { fixKinds } from './fix-kinds.ts'
import type { FixRow } from './fix-row.ts'
import { writtenColumns } from './fixable-rows.query.ts'
import { type FixedRow, writeFixedRows } from './write-fixed-rows.ts'

type Image = FixedRow['image']

/** Puts the next readers of a fix back as they were, but for those that were changed since. Belongs in a transaction. */
export async function undoFixed(ctx: AppContext, fix: FixRow, limit: number): Promise<FixRow | undefined> {
  const columns = writtenColumns(fix.kind)
  const lock = ctx.db.dialect === 'postgres' ? 'FOR UPDATE OF r' : ''
  const kept = await ctx.db.query<{ reader_id: number }>(
    `SELECT reader_id FROM reader_fix_rows WHERE fix_id = :fixId AND reader_id > :after ORDER BY reader_id LIMIT :limit`,
    { fixId: fix.id, after: fix.last_reader_id, limit },
  )
  const last = kept.at(-1)?.reader_id ?? fix.last_reader_id
  const rows = await ctx.db.query<Image & { id: number; version: number; image: string | Image }>(
    `SELECT r.id, r.version, f.before AS image, ${columns.map(([, column]) => `r.${column}`).join(', ')}
     FROM reader_fix_rows f JOIN readers r ON r.id = f.reader_id AND r.version = f.version AND r.publication_id = :publicationId
     WHERE f.fix_id = :fixId AND f.reader_id > :after AND f.reader_id <= :last ORDER BY r.id ${lock}`,
    { fixId: fix.id, publicationId: fix.publication_id, after: fix.last_reader_id, last },
  )
  const fields = new Set<string>(fixKinds[fix.kind].fields)
  const restored = rows.map((row): FixedRow => {
    const image = typeof row.image === 'string' ? (JSON.parse(row.image) as Image) : row.image
    const changed = columns.filter(([field, column]) => fields.has(field) && row[column] !== image[column])
    return {
      id: row.id,
      version: row.version + 1,
      columns: image,
      image,
      before: Object.fromEntries(changed.map(([field, column]) => [field, row[column] as string])),
    }
  })
  await writeFixedRows(ctx, restored, {
    publicationId: fix.publication_id,
    columns: columns.map(([, column]) => column),
    note: `Undone: ${fixKinds[fix.kind].note}`,
    actorKind: fix.actor_kind,
    actorId: fix.actor_id,
  })
  if (restored.length > 0) await readersChanged(ctx.db, fix.publication_id)
  const isOver = kept.length < limit
  const [done] = await ctx.db.query<FixRow>(
    `UPDATE reader_fixes SET state = :state, last_reader_id = :last, undone = undone + :undone, kept = kept + :kept
       ${isOver ? ', undone_at = :now' : ''} WHERE id = :id RETURNING *`,
    {
      id: fix.id,
      state: isOver ? 'undone' : 'undoing',
      last,
      undone: restored.length,
      kept: kept.length - restored.length,
      ...(isOver ? { now: ctx.now() } : {}),
    },
  )
  return done
}
