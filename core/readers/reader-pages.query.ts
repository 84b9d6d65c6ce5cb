import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { type ReaderFilter, type ReadersAsked, rangesOf, whereOf } from './reader-filter.rules.ts'
import { readersTotal } from './readers-total.ts'

/** What a list is sorted by: `sort=name`, or `sort=-name`. Each is an index in its own order, so a page of a million is found at once. */
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
const neverBlank: readonly SortKey[] = ['reference', 'ends', 'added']

/** The order of a search that names none: that of the first of these fields it asks for, whose index it walks anyway. */
const ownSorts: readonly (readonly [keyof ReadersAsked, SortKey])[] = [
  ['uniqueReference', 'reference'],
  ['email', 'email'],
  ['lastName', 'surname'],
  ['fullName', 'name'],
  ['companyName', 'companyName'],
  ['postZip', 'postCode'],
]

/** What a list is sorted by when nobody says otherwise: `surname`, or the field that is searched by. */
export function usualReaderSort(asked: ReadersAsked): SortKey {
  return ownSorts.find(([field]) => asked[field]?.trim())?.[1] ?? 'surname'
}

/** How many fit. */
export async function countFound(ctx: AppContext, publicationId: number, filter: ReaderFilter): Promise<number> {
  if (filter.conditions.length === 0) return readersTotal(ctx, publicationId)
  const { publication, values } = filter
  const counts = (rangesOf(filter)?.ranges ?? []).map(
    (range) => `(SELECT COUNT(*) FROM readers WHERE ${publication} AND ${range})`,
  )
  const count = counts.length > 0 ? counts.join(' + ') : `(SELECT COUNT(*) FROM readers WHERE ${whereOf(filter)})`
  const [row] = await ctx.db.query<{ n: number }>(`SELECT ${count} AS n`, values)
  return Number(row?.n ?? 0)
}

interface Sort {
  key: SortKey
  direction: 'ASC' | 'DESC'
}

/** The order that is asked for, or the usual one. */
export function readerSort({ sort, ...asked }: ReadersAsked & { sort?: string | undefined }): Sort {
  const key = (sort ?? '').replace(/^-/, '')
  const isKnown = Object.hasOwn(readerSorts, key)
  return {
    key: isKnown ? (key as SortKey) : usualReaderSort(asked),
    direction: isKnown && sort?.startsWith('-') ? 'DESC' : 'ASC',
  }
}

interface Slice {
  limit: number
  offset: number
}

/** The ids of one page, in order. */
export async function pageOfIds(
  ctx: AppContext,
  filter: ReaderFilter,
  { key, direction }: Sort,
  page: Slice,
): Promise<number[]> {
  const columns: readonly string[] = readerSorts[key]
  const [column = 'id'] = columns
  const order = [...columns, 'id'].map((name) => `${name} ${direction}`).join(', ')
  const where = whereOf(filter)
  const read = (condition: string, by: string, { limit, offset }: Slice) =>
    idsOf(ctx, `SELECT id FROM readers WHERE ${where} ${condition} ORDER BY ${by} LIMIT :limit OFFSET :offset`, {
      ...filter.values,
      limit,
      offset,
    })
  const own = rangesOf(filter)
  if (own?.column === column) return alongRanges(ctx, filter, { ranges: own.ranges, columns, order }, page)
  if (neverBlank.includes(key)) return read('', order, page)
  if (filter.conditions.length > 0) {
    const isAsked = filter.conditions.some((condition) => condition.column === column)
    return read('', isAsked ? order : `CASE WHEN ${column} = '' THEN 1 ELSE 0 END, ${order}`, page)
  }
  // A whole publication: first along the index, which leaves blank keys out, then the blank ones.
  const named = await read(`AND ${column} <> ''`, order, page)
  if (named.length === page.limit) return named
  const [count] = await ctx.db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM readers WHERE ${where} AND ${column} <> ''`,
    filter.values,
  )
  const offset = Math.max(0, page.offset - Number(count?.n ?? 0))
  return [...named, ...(await read(`AND ${column} = ''`, 'id', { limit: page.limit - named.length, offset }))]
}

/** The first rows of each range along the index, put together: however many fit, no more than those are looked at. */
function alongRanges(
  ctx: AppContext,
  { publication, values }: ReaderFilter,
  { ranges, columns, order }: { ranges: string[]; columns: readonly string[]; order: string },
  { limit, offset }: Slice,
): Promise<number[]> {
  const wanted = [...columns, 'id'].join(', ')
  const parts = ranges.map(
    (range, at) =>
      `SELECT * FROM (SELECT ${wanted} FROM readers WHERE ${publication} AND ${range} ORDER BY ${order} LIMIT :needed) range${at}`,
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
