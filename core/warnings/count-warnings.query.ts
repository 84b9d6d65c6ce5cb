import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { runConcurrently } from '../kernel/run-concurrently.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { type CountCacheKey, storeCount } from '../readers/reader-counts.rows.ts'
import { readersVersion } from '../readers/reader-editions.rows.ts'
import { useCase } from '../use-case.ts'
import { activeOnly, warningCondition } from './list-conditions.ts'
import {
  type CountedKey,
  countedKeys,
  countedLists,
  type DuplicateList,
  isDuplicateList,
  listDays,
  type Warning,
} from './warnings.rules.ts'

/** How many readers (or groups of duplicates) are in each list; null if it could not be counted, or was not requested and is not cached. */
export type WarningCounts = Record<CountedKey, number | null>

/** More concurrent counts would take longer in total: on SQLite, each connection would read the same pages into its own cache. */
const concurrency = { sqlite: 1, postgres: 4 } as const

/**
 * The counts of all lists of Manage Data, or of the requested ones. Cached counts are valid until the publication's readers or the day change; a
 * count that fails does not affect the others.
 */
export const countWarnings = useCase({
  permission: 'reader:import',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    lists: z.array(z.enum(countedKeys)).optional(),
  }),
  transaction: 'none',
  async run(ctx, input): Promise<WarningCounts> {
    const { id: publicationId } = await ownPublication(ctx, { id: input.publicationId })
    const lists = input.lists ?? countedKeys
    const cacheKey = await countCacheKey(ctx, publicationId)
    const cached = await cachedCounts(ctx, cacheKey)
    const counts = Object.fromEntries(countedKeys.map((key) => [key, cached.get(key) ?? null])) as WarningCounts
    const missing = lists.filter((key) => !cached.has(key))
    await runConcurrently(missing, { max: concurrency[ctx.db.dialect] }, async (key) => {
      try {
        counts[key] = await countAndCache(ctx, cacheKey, key)
      } catch (error) {
        ctx.log.error({ error, publicationId, list: key }, 'a list of readers could not be counted')
      }
    })
    return counts
  },
})

/** The count of one list. */
export const countWarning = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int(), list: z.enum(countedKeys) }),
  transaction: 'none',
  async run(ctx, { publicationId, list }): Promise<{ count: number }> {
    const publication = await ownPublication(ctx, { id: publicationId })
    return { count: await countInList(ctx, publication.id, list) }
  },
})

/** The cached count if it is still valid; otherwise a new count, which is then cached. */
export async function countInList(ctx: AppContext, publicationId: number, key: CountedKey): Promise<number> {
  const cacheKey = await countCacheKey(ctx, publicationId)
  return (await cachedCounts(ctx, cacheKey)).get(key) ?? (await countAndCache(ctx, cacheKey, key))
}

/** The key under which counts are cached. Read it before counting, so that a concurrent write makes the cached count stale. */
export async function countCacheKey(ctx: AppContext, publicationId: number): Promise<CountCacheKey> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  return { publicationId, edition: await readersVersion(ctx.db, publicationId), today }
}

async function cachedCounts({ db }: AppContext, cacheKey: CountCacheKey): Promise<Map<string, number>> {
  const rows = await db.query<{ list: string; readers: number }>(
    `SELECT list, readers FROM reader_counts
     WHERE publication_id = :publicationId AND edition = :edition AND counted_on = :today`,
    { ...cacheKey },
  )
  return new Map(rows.map(({ list, readers }) => [list, Number(readers)]))
}

async function countAndCache(ctx: AppContext, cacheKey: CountCacheKey, key: CountedKey): Promise<number> {
  const list = countedLists.find((listed) => listed.key === key) as Warning | DuplicateList
  const readers = await countListOn(ctx, cacheKey.publicationId, list, cacheKey.today)
  await storeCount(ctx, cacheKey, { list: key, readers })
  return readers
}

/** The length of a list, computed from the current records as if it were the day `today`. */
export async function countListOn(
  { db }: Pick<AppContext, 'db'>,
  publicationId: number,
  list: Warning | DuplicateList,
  today: Day,
): Promise<number> {
  const values: SqlValues = { publicationId, ...listDays(today) }
  const sql = isDuplicateList(list)
    ? `SELECT COUNT(*) AS n FROM (
         SELECT 1 AS one FROM readers
         WHERE publication_id = :publicationId AND ${activeOnly(db)} AND ${list.keys.map((key) => `${key} <> ''`).join(' AND ')}
         GROUP BY ${list.keys.join(', ')} HAVING COUNT(*) > 1) AS found`
    : `SELECT COUNT(*) AS n FROM readers WHERE publication_id = :publicationId AND ${warningCondition(db, list)}`
  const [row] = await db.query<{ n: number }>(sql, values)
  return Number(row?.n ?? 0)
}
