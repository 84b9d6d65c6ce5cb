import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asJson, likeText, type SqlValues } from '../database.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { emailKey, postCodeKey, textKey } from '../kernel/search-keys.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { countInList } from '../warnings/count-warnings.query.ts'
import { activeOnly } from '../warnings/list-conditions.ts'
import { type ListedReader, listedReaders } from '../warnings/listed-reader.ts'
import {
  type DuplicateList,
  duplicateKeys,
  duplicateListOf,
  type GroupRow,
  type KeyColumn,
} from '../warnings/warnings.rules.ts'
import { largestGroups, maxRankedGroups } from './largest-groups.query.ts'

/** Readers that have the same keys. */
export interface DuplicateGroup {
  /** The values they share, as they are compared. */
  keys: string[]
  /** How many there are; `readers` holds the first ones. */
  count: number
  readers: ListedReader[]
}

/** Only the first readers of a larger group are shown: a postcode may have many. */
const maxMembers = 20

const keyOf: Record<KeyColumn, (text: string) => string> = {
  key_name: textKey,
  key_surname: textKey,
  key_post_code: postCodeKey,
  key_address: textKey,
  key_email: emailKey,
}

/** A page of groups of exact duplicates, by their keys (`key`, `-key`) or their size (`count`, `-count`); `q` is the beginning of a key. */
export const listDuplicates = useCase({
  permission: 'reader:import',
  input: PageInput.extend({ publicationId: z.coerce.number('Required').int(), list: z.enum(duplicateKeys) }),
  transaction: 'none',
  async run(ctx, input): Promise<Page<DuplicateGroup>> {
    const { id: publicationId } = await ownPublication(ctx, { id: input.publicationId })
    const list = duplicateListOf(input.list)
    const filter = keyFilter(ctx, list, publicationId, input.q)
    if (!filter) return pageOf<DuplicateGroup>([], 0, input)
    const page = { limit: input.size, offset: (input.page - 1) * input.size }
    const pageWith = async (groups: GroupRow[], total: number) =>
      pageOf(await withReaders(ctx, list, publicationId, groups), total, input)
    if (input.sort === '-count' && !input.q && page.offset + page.limit <= maxRankedGroups) {
      const { groups, total } = await largestGroups(ctx, publicationId, list)
      return pageWith(groups.slice(page.offset, page.offset + page.limit), total)
    }
    const [groups, total] = await Promise.all([
      groupsOf(ctx, list, filter, { ...page, order: orderOf(list, input.sort) }),
      input.q ? countGroups(ctx, list, filter) : countInList(ctx, publicationId, list.key),
    ])
    return pageWith(groups, total)
  },
})

interface GroupFilter {
  where: string
  values: SqlValues
}

/** Null when no key can begin with the search text. */
function keyFilter(
  ctx: AppContext,
  { keys }: DuplicateList,
  publicationId: number,
  q: string | undefined,
): GroupFilter | null {
  const present = keys.map((key) => `${key} <> ''`)
  const where = ['publication_id = :publicationId', activeOnly(ctx.db), ...present]
  const values: SqlValues = { publicationId }
  if (!q) return { where: where.join(' AND '), values }
  const prefixConditions = keys.flatMap((column) => {
    const key = keyOf[column](q)
    if (key === '') return []
    values[column] = `${likeText(key)}%`
    return [`${column} LIKE :${column} ESCAPE '!'`]
  })
  return prefixConditions.length === 0
    ? null
    : { where: [...where, `(${prefixConditions.join(' OR ')})`].join(' AND '), values }
}

function orderOf({ keys }: DuplicateList, sort: string | undefined): string {
  if (sort === '-count') return `n DESC, ${keys.join(', ')}`
  if (sort === 'count') return `n, ${keys.join(', ')}`
  return keys.map((key) => (sort === '-key' ? `${key} DESC` : key)).join(', ')
}

async function groupsOf(
  { db }: AppContext,
  { keys }: DuplicateList,
  { where, values }: GroupFilter,
  { order, limit, offset }: { order: string; limit: number; offset: number },
): Promise<GroupRow[]> {
  return db.query<GroupRow>(
    `SELECT ${keys.join(', ')}, COUNT(*) AS n FROM readers WHERE ${where}
     GROUP BY ${keys.join(', ')} HAVING COUNT(*) > 1 ORDER BY ${order} LIMIT :limit OFFSET :offset`,
    { ...values, limit, offset },
  )
}

async function countGroups(
  { db }: AppContext,
  { keys }: DuplicateList,
  { where, values }: GroupFilter,
): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM (
       SELECT 1 AS one FROM readers WHERE ${where} GROUP BY ${keys.join(', ')} HAVING COUNT(*) > 1) AS found`,
    values,
  )
  return Number(row?.n ?? 0)
}

/**
 * The order of a group's readers: as they were added; for a postcode, which may be a whole city's, by address as the index has them. The id is in an
 * expression, or SQLite would walk the whole publication in the order of ids.
 */
function memberOrder(keys: readonly KeyColumn[]): string {
  return keys.length === 1 && keys[0] === 'key_post_code' ? 'key_address, id' : 'id + 0'
}

/** The groups with their first readers. */
export async function withReaders(
  ctx: AppContext,
  { keys }: DuplicateList,
  publicationId: number,
  groups: GroupRow[],
  max = maxMembers,
): Promise<DuplicateGroup[]> {
  const members = await membersOf(ctx, keys, publicationId, groups, max)
  const rows = await listedReaders(ctx, members.flat())
  const byId = new Map(rows.map((row) => [row.id, row]))
  return groups.map((group, index) => ({
    keys: keys.map((key) => group[key] ?? ''),
    count: Number(group.n),
    readers: (members[index] ?? []).flatMap((id) => byId.get(id) ?? []),
  }))
}

/** The ids of each group's first readers: one query for all, with one index lookup per group. */
async function membersOf(
  { db }: AppContext,
  keys: readonly KeyColumn[],
  publicationId: number,
  groups: GroupRow[],
  max: number,
): Promise<number[][]> {
  if (groups.length === 0) return []
  const values: SqlValues = { publicationId }
  const groupValues = groups.map((group, index) => {
    for (const key of keys) values[`${key}${index}`] = group[key] ?? ''
    return `(${index}, ${keys.map((key) => `:${key}${index}`).join(', ')})`
  })
  const order = memberOrder(keys)
  const jsonArray = db.dialect === 'postgres' ? 'json_agg' : 'json_group_array'
  const rows = await db.query<{ at: number; ids: string | number[] }>(
    `WITH wanted (at, ${keys.join(', ')}) AS (VALUES ${groupValues.join(', ')})
     SELECT at, (SELECT ${jsonArray}(id ORDER BY ${order}) FROM (
       SELECT id, key_address FROM readers r
       WHERE publication_id = :publicationId AND ${activeOnly(db)}
         AND ${keys.map((key) => `r.${key} = wanted.${key} AND r.${key} <> ''`).join(' AND ')}
       ORDER BY ${order} LIMIT ${max}) members) AS ids
     FROM wanted`,
    values,
  )
  const members: number[][] = groups.map(() => [])
  for (const { at, ids } of rows) members[Number(at)] = asJson<number[] | null>(ids) ?? []
  return members
}
