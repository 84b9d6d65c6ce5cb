import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { rowLock } from '../dialect.ts'
import { dayOf } from '../kernel/calendar.ts'
import { conflict } from '../kernel/errors.ts'
import { type ReaderFilter, whereOf } from '../readers/reader-filter.rules.ts'
import { type ReaderListKey, readerListFilter } from '../warnings/list-warning.query.ts'

/** The readers of a list that match a search, as a user saw them at a moment. */
export interface ListedReaders {
  publicationId: number
  list: ReaderListKey
  q: string
  shownAt: Date
}

/** The list as of the day on which it was shown: a removal that runs past midnight must not include readers who expire on the next day. */
function filterOf(ctx: AppContext, { publicationId, list, q, shownAt }: ListedReaders): ReaderFilter | null {
  return readerListFilter(ctx, publicationId, { list, q, today: dayOf(shownAt, ctx.settings.timeZone) })
}

/** How many readers the list has now, and how many of them have not been added or changed since it was shown. */
export async function countListed(
  ctx: AppContext,
  listed: ListedReaders,
): Promise<{ total: number; unchanged: number }> {
  const filter = filterOf(ctx, listed)
  if (!filter) return { total: 0, unchanged: 0 }
  const [row] = await ctx.db.query<{ total: number; unchanged: number | null }>(
    `SELECT count(*) AS total, SUM(CASE WHEN updated_at > :shownAt THEN 0 ELSE 1 END) AS unchanged FROM readers WHERE ${whereOf(filter)}`,
    { ...filter.values, shownAt: listed.shownAt },
  )
  return { total: Number(row?.total ?? 0), unchanged: Number(row?.unchanged ?? 0) }
}

/** How many readers of the publication are looked at for one chunk: those of a short list may be far apart. */
const maxScanned = 2000

/**
 * The next readers of the list by id, at most `limit`, locked until the transaction ends: the ids of those that are unchanged since the list was
 * shown, and the number of the others. `last` is the id up to which the publication was searched.
 */
export async function lockListed(
  ctx: AppContext,
  listed: ListedReaders,
  { after, limit }: { after: number; limit: number },
): Promise<{ unchangedIds: number[]; changed: number; last: number; isLast: boolean }> {
  const filter = filterOf(ctx, listed)
  const scanned = await ctx.db.query<{ id: number }>(
    `SELECT id FROM readers WHERE publication_id = :publicationId AND id > :after ORDER BY id LIMIT ${maxScanned}`,
    { publicationId: listed.publicationId, after },
  )
  if (!filter || scanned.length === 0) return { unchangedIds: [], changed: 0, last: after, isLast: true }
  // The plus sign makes both engines find the readers by their ids: by an index of the condition, each chunk would collect and sort the whole list.
  const found = { ...filter, publication: '+publication_id = :publicationId AND id IN (:scanned)' }
  const rows = await ctx.db.query<{ id: number; updated_at: Date | string }>(
    `SELECT id, updated_at FROM readers WHERE ${whereOf(found)} ORDER BY id LIMIT :limit ${rowLock(ctx.db)}`,
    { ...filter.values, scanned: scanned.map(({ id }) => Number(id)), limit },
  )
  const unchanged = rows.filter(({ updated_at }) => asInstant(updated_at) <= listed.shownAt)
  const isFull = rows.length === limit
  return {
    unchangedIds: unchanged.map(({ id }) => Number(id)),
    changed: rows.length - unchanged.length,
    last: Number((isFull ? rows : scanned).at(-1)?.id),
    isLast: !isFull && scanned.length < maxScanned,
  }
}

/**
 * Throws `conflict` if readers may have come into the list unnoticed since it was shown: an import gives its readers the moment at which it began,
 * its undo gives them the moment of their earlier change, and a postcode file changes which postcodes are queried, but no reader.
 */
export async function refuseAfterImport(
  ctx: AppContext,
  { publicationId, list, shownAt }: ListedReaders,
): Promise<void> {
  const [task] = await ctx.db.query(
    `SELECT 1 AS found FROM tasks WHERE publication_id = :publicationId AND kind IN (:kinds)
       AND (state IN ('waiting', 'running') OR finished_at > :shownAt) AND (kind <> 'import-readers' OR started_at <= :shownAt) LIMIT 1`,
    {
      publicationId,
      shownAt,
      kinds: ['import-readers', 'undo-import', ...(list === 'badpostcodes' ? ['import-postcodes'] : [])],
    },
  )
  if (task)
    throw conflict('An import has changed the readers of this publication since the list was shown', {
      hint: 'Wait until no import is running, then check the list again.',
    })
}
