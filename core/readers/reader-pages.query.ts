import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { type ReaderFilter, type ReadersQuery, rangesOf, whereOf } from './reader-filter.rules.ts'
import { readersTotal } from './readers-total.ts'

/** What a list is sorted by: `sort=name`, or `sort=-name`. Each has an index in its order, so a page out of a million is found quickly. */
const readerSorts = {
  name: ['key_name', 'key_post_code'],
  surname: ['key_surname', 'key_post_code'],
  companyName: ['key_company'],
  postCode: ['key_post_code', 'key_address'],
  email: ['key_email'],
  reference: ['unique_reference'],
  ends: ['sub_end_on'],
  added: [],
} as const satisfies Record<string, readonly string[]>
type SortKey = keyof typeof readerSorts
export const readerSortNames = Object.keys(readerSorts) as SortKey[]
const neverBlankSorts: readonly SortKey[] = ['reference', 'ends', 'added']

/** The sort order of a search that requests none: by the first of these fields that it searches, whose index it scans anyway. */
const searchSorts: readonly (readonly [keyof ReadersQuery, SortKey])[] = [
  ['uniqueReference', 'reference'],
  ['email', 'email'],
  ['lastName', 'surname'],
  ['fullName', 'name'],
  ['companyName', 'companyName'],
  ['postZip', 'postCode'],
]

/** The default sort order of a list: `surname`, or the field that is searched by. */
export function defaultReaderSort(input: ReadersQuery): SortKey {
  return searchSorts.find(([field]) => input[field]?.trim())?.[1] ?? 'surname'
}

/** The number of matching readers. */
export async function countMatches(ctx: AppContext, publicationId: number, filter: ReaderFilter): Promise<number> {
  if (filter.conditions.length === 0) return readersTotal(ctx, publicationId)
  const { publication, values } = filter
  const counts = (rangesOf(filter)?.ranges ?? []).map(
    (range) => `(SELECT COUNT(*) FROM readers WHERE ${publication} AND ${range})`,
  )
  const count = counts.length > 0 ? counts.join(' + ') : `(SELECT COUNT(*) FROM readers WHERE ${whereOf(filter)})`
  const [row] = await ctx.db.query<{ n: number }>(`SELECT ${count} AS n`, values)
  return Number(row?.n ?? 0)
}

/** The sort order of a list. */
export interface ReaderSort {
  key: SortKey
  direction: 'ASC' | 'DESC'
}

/** The requested order, or the default one. */
export function readerSort({ sort, ...filter }: ReadersQuery & { sort?: string | undefined }): ReaderSort {
  const key = (sort ?? '').replace(/^-/, '')
  const isKnown = Object.hasOwn(readerSorts, key)
  return {
    key: isKnown ? (key as SortKey) : defaultReaderSort(filter),
    direction: isKnown && sort?.startsWith('-') ? 'DESC' : 'ASC',
  }
}

function orderOf({ key, direction }: ReaderSort): { columns: readonly string[]; column: string; order: string } {
  const columns: readonly string[] = readerSorts[key]
  const order = [...columns, 'id'].map((name) => `${name} ${direction}`).join(', ')
  return { columns, column: columns[0] ?? 'id', order }
}

/** The part of a list to return. */
export interface Slice {
  limit: number
  offset: number
}

/** The ids of one page, in order. */
export async function pageOfIds(
  ctx: AppContext,
  filter: ReaderFilter,
  { key, direction }: ReaderSort,
  page: Slice,
): Promise<number[]> {
  const { columns, column, order } = orderOf({ key, direction })
  const where = whereOf(filter)
  const read = (condition: string, orderBy: string, { limit, offset }: Slice) =>
    idsOf(ctx, `SELECT id FROM readers WHERE ${where} ${condition} ORDER BY ${orderBy} LIMIT :limit OFFSET :offset`, {
      ...filter.values,
      limit,
      offset,
    })
  const filterRanges = rangesOf(filter)
  if (filterRanges?.column === column)
    return mergeRanges(ctx, filter, { ranges: filterRanges.ranges, columns, order }, page)
  if (neverBlankSorts.includes(key)) return read('', order, page)
  if (filter.conditions.length > 0) {
    const isFiltered = filter.conditions.some((condition) => condition.column === column)
    return read('', isFiltered ? order : `CASE WHEN ${column} = '' THEN 1 ELSE 0 END, ${order}`, page)
  }
  // A whole publication: first along the index, which omits blank keys, then the blank ones.
  const named = await read(`AND ${column} <> ''`, order, page)
  if (named.length === page.limit) return named
  const [count] = await ctx.db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM readers WHERE ${where} AND ${column} <> ''`,
    filter.values,
  )
  const offset = Math.max(0, page.offset - Number(count?.n ?? 0))
  return [...named, ...(await read(`AND ${column} = ''`, 'id', { limit: page.limit - named.length, offset }))]
}

/**
 * The ids of one page, found by scanning the whole publication in its order; null if the first `steps` readers do not fill it: those that
 * match may be at the far end, or have a blank sort key.
 */
export async function scanPage(
  ctx: AppContext,
  filter: ReaderFilter,
  sort: ReaderSort,
  { limit, offset, steps }: Slice & { steps: number },
): Promise<number[] | null> {
  const { column, order } = orderOf(sort)
  const named = neverBlankSorts.includes(sort.key) ? '' : `AND ${column} <> ''`
  const ids = await idsOf(
    ctx,
    `SELECT id FROM (SELECT * FROM readers WHERE ${filter.publication} ${named} ORDER BY ${order} LIMIT :steps) walked
     WHERE ${whereOf(filter)} ORDER BY ${order} LIMIT :limit OFFSET :offset`,
    { ...filter.values, steps, limit, offset },
  )
  return ids.length === limit ? ids : null
}

/** The ids of one page of the matches, which are all collected first: by default an engine may scan the publication in sort order. */
export function collectPage(
  ctx: AppContext,
  filter: ReaderFilter,
  sort: ReaderSort,
  { limit, offset }: Slice,
): Promise<number[]> {
  const { columns, column, order } = orderOf(sort)
  const blankLastSql = neverBlankSorts.includes(sort.key) ? '' : `CASE WHEN ${column} = '' THEN 1 ELSE 0 END, `
  return idsOf(
    ctx,
    `WITH gathered AS MATERIALIZED (SELECT ${[...columns, 'id'].join(', ')} FROM readers WHERE ${whereOf(filter)})
     SELECT id FROM gathered ORDER BY ${blankLastSql}${order} LIMIT :limit OFFSET :offset`,
    { ...filter.values, limit, offset },
  )
}

/** The first rows of each range along the index, merged: only those are read, however many match. */
function mergeRanges(
  ctx: AppContext,
  { publication, values }: ReaderFilter,
  { ranges, columns, order }: { ranges: string[]; columns: readonly string[]; order: string },
  { limit, offset }: Slice,
): Promise<number[]> {
  const columnList = [...columns, 'id'].join(', ')
  const parts = ranges.map(
    (range, index) =>
      `SELECT * FROM (SELECT ${columnList} FROM readers WHERE ${publication} AND ${range} ORDER BY ${order} LIMIT :needed) range${index}`,
  )
  return idsOf(
    ctx,
    `SELECT id FROM (${parts.join(' UNION ALL ')}) found ORDER BY ${order} LIMIT :limit OFFSET :offset`,
    { ...values, needed: limit + offset, limit, offset },
  )
}

async function idsOf(ctx: AppContext, sql: string, values: SqlValues): Promise<number[]> {
  return (await ctx.db.query<{ id: number }>(sql, values)).map(({ id }) => id)
}
