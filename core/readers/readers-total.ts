import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { storeCount } from './reader-counts.rows.ts'

/** The name of the total among the counts of lists. */
const totalList = 'every reader'

/** How many readers a publication has, deactivated ones included. The count is cached until the readers change. */
export async function readersTotal(ctx: AppContext, publicationId: number): Promise<number> {
  return (await readersTotals(ctx, [publicationId])).get(publicationId) ?? 0
}

/** The totals of several publications: one query for all whose count is still valid. */
export async function readersTotals(
  ctx: AppContext,
  publicationIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (publicationIds.length === 0) return new Map()
  // Read before counting: the count becomes stale if there is a concurrent write.
  const rows = await ctx.db.query<{ id: number; edition: number | null; readers: number | null }>(
    `SELECT p.id, e.edition, c.readers FROM publications p
     LEFT JOIN reader_editions e ON e.publication_id = p.id
     LEFT JOIN reader_counts c ON c.publication_id = p.id AND c.list = :list AND c.edition = COALESCE(e.edition, 0)
     WHERE p.id IN (:publicationIds)`,
    { list: totalList, publicationIds: [...publicationIds] },
  )
  const totals = new Map<number, number>()
  for (const { id, edition, readers } of rows) {
    totals.set(id, readers === null ? await countNow(ctx, id, Number(edition ?? 0)) : Number(readers))
  }
  return totals
}

async function countNow(ctx: AppContext, publicationId: number, edition: number): Promise<number> {
  const [row] = await ctx.db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM readers WHERE publication_id = :publicationId`,
    { publicationId },
  )
  const readers = Number(row?.n ?? 0)
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  await storeCount(ctx, { publicationId, edition, today }, { list: totalList, readers })
  return readers
}
