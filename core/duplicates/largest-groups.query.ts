import type { AppContext } from '../context.ts'
import { ReaderCounts, storeCount } from '../readers/reader-counts.rows.ts'
import { countCacheKey } from '../warnings/count-warnings.query.ts'
import { activeOnly } from '../warnings/list-conditions.ts'
import type { DuplicateList, GroupRow } from '../warnings/warnings.rules.ts'

/** How many of the largest groups are cached: each page of the list that goes beyond them counts all groups again. */
export const maxRankedGroups = 500

/**
 * The largest groups of a list, at most 500, and how many there are in all. Every group must be counted to know them, so they are cached, like the
 * counts, until the publication's readers change.
 */
export async function largestGroups(
  ctx: AppContext,
  publicationId: number,
  list: DuplicateList,
): Promise<{ groups: GroupRow[]; total: number }> {
  const cacheKey = await countCacheKey(ctx, publicationId)
  const cached = await ReaderCounts.find(ctx, { publicationId, list: list.key, edition: cacheKey.edition })
  if (cached?.largest) return { groups: cached.largest as GroupRow[], total: cached.readers }
  const largest = await findLargest(ctx, publicationId, list)
  await storeCount(ctx, cacheKey, { list: list.key, readers: largest.total, largest: largest.groups })
  return largest
}

async function findLargest({ db }: AppContext, publicationId: number, { keys }: DuplicateList) {
  const columns = keys.join(', ')
  const rows = await db.query<GroupRow & { total: number }>(
    `WITH found AS MATERIALIZED (
       SELECT ${columns}, COUNT(*) AS n FROM readers
       WHERE publication_id = :publicationId AND ${activeOnly(db)} AND ${keys.map((key) => `${key} <> ''`).join(' AND ')}
       GROUP BY ${columns} HAVING COUNT(*) > 1)
     SELECT ${columns}, n, (SELECT COUNT(*) FROM found) AS total FROM found ORDER BY n DESC, ${columns} LIMIT ${maxRankedGroups}`,
    { publicationId },
  )
  return { groups: rows.map(({ total, ...group }) => group), total: Number(rows[0]?.total ?? 0) }
}
