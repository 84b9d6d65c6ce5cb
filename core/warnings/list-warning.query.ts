import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { conflict } from '../kernel/errors.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { countOf, formatCount } from '../kernel/text-format.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { type ReaderFilter, readerFilter, whereOf } from '../readers/reader-filter.rules.ts'
import {
  collectPage,
  pageOfIds,
  type ReaderSort,
  readerSort,
  type Slice,
  scanPage,
} from '../readers/reader-pages.query.ts'
import { maxSelected, tooManySelected } from '../readers/reader-selection.input.ts'
import { readersTotal } from '../readers/readers-total.ts'
import { useCase } from '../use-case.ts'
import { countInList } from './count-warnings.query.ts'
import { warningCondition } from './list-conditions.ts'
import { type ListedReader, listedReaders } from './listed-reader.ts'
import { listDays, type Warning, warningKeys, warningOf } from './warnings.rules.ts'

/** The lists of readers: one for each warning, and `all`, every reader of the publication, including deactivated ones. */
export const readerListKeys = [...warningKeys, 'all'] as const
export type ReaderListKey = (typeof readerListKeys)[number]

export function readerListLabel(list: ReaderListKey): string {
  return list === 'all' ? 'All readers' : warningOf(list).label
}

/** The condition of a list on the day `today`, of those of its readers who match a search; null if nobody can match it. */
export function readerListFilter(
  ctx: AppContext,
  publicationId: number,
  { list, q, today }: { list: ReaderListKey; q: string | undefined; today: Day },
): ReaderFilter | null {
  const filter = readerFilter(publicationId, { q })
  return filter && narrowed(ctx, filter, list === 'all' ? null : warningOf(list), today)
}

/**
 * A page of the readers in a list. `sort` is name, surname, companyName, postCode, email, reference, ends or added, with a leading minus for
 * descending order; `q` matches the beginning of a name, company, postcode, email or reference.
 */
export const listWarning = useCase({
  permission: 'reader:import',
  input: PageInput.extend({ publicationId: z.coerce.number('Required').int(), list: z.enum(readerListKeys) }),
  transaction: 'none',
  async run(ctx, input): Promise<Page<ListedReader>> {
    const { id: publicationId } = await ownPublication(ctx, { id: input.publicationId })
    const warning = input.list === 'all' ? null : warningOf(input.list)
    const filterInput = readerFilter(publicationId, { q: input.q })
    if (!filterInput) return pageOf<ListedReader>([], 0, input)
    const total = input.q ? null : await totalOf(ctx, publicationId, warning)
    const sort = readerSort({ sort: input.sort ?? warning?.sort ?? 'added' })
    const page = { limit: input.size, offset: (input.page - 1) * input.size }
    const filter = narrowed(ctx, filterInput, warning, todayOf(ctx))
    const isOwnOrder = !warning || sort.key === readerSort(warning).key
    const [ids, matching] = await Promise.all([
      total === null || isOwnOrder
        ? pageOfIds(ctx, filter, sort, page)
        : pageInOtherOrder(ctx, { publicationId, warning, length: total }, filter, sort, page),
      total ?? countFiltered(ctx, filter),
    ])
    return pageOf(await listedReaders(ctx, ids), matching, input)
  },
})

/**
 * The ids of all readers in a list that match a search, for an action on all of them. Throws `conflict` if there are too many, not as many as the
 * user was shown (`count`), or if one was added or changed after they were shown (`shownAt`).
 */
export const listedIds = useCase({
  permission: 'reader:import',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    list: z.enum(readerListKeys),
    q: PageInput.shape.q,
    count: z.coerce.number('Must be a number').int().optional(),
    shownAt: z.coerce.date('Must be a moment').optional(),
  }),
  transaction: 'none',
  async run(ctx, { publicationId, list, q, count, shownAt }): Promise<number[]> {
    const { id } = await ownPublication(ctx, { id: publicationId })
    const filter = readerListFilter(ctx, id, { list, q, today: todayOf(ctx) })
    if (!filter) return []
    const rows = await ctx.db.query<{ id: number; updated_at: Date | string }>(
      `SELECT id, updated_at FROM readers WHERE ${whereOf(filter)} LIMIT ${maxSelected + 1}`,
      filter.values,
    )
    if (rows.length > maxSelected) throw conflict(tooManySelected)
    if (count !== undefined && count !== rows.length)
      throw conflict(`The list has ${countOf(rows.length, 'reader')} now, not ${formatCount(count)}`, {
        hint: 'Nothing was changed. Check the list again.',
      })
    // As many as were shown may still be others: one has left the list and another has come into it.
    const later = rows.filter((row) => shownAt !== undefined && asInstant(row.updated_at) > shownAt).length
    if (later > 0)
      throw conflict(
        `${countOf(later, 'reader')} in this list ${later === 1 ? 'was' : 'were'} added or changed since it was shown`,
        {
          hint: 'Nothing was changed. Check the list again.',
        },
      )
    return rows.map((row) => row.id)
  },
})

interface WarningList {
  publicationId: number
  warning: Warning
  length: number
}

/**
 * A page of a list in an order other than that of its index. If the page is likely to be complete sooner than the whole list could be collected and
 * sorted, all readers are scanned in the requested order. The scan stops after as many readers as the list has, and the list is then collected after
 * all.
 */
async function pageInOtherOrder(
  ctx: AppContext,
  { publicationId, warning, length }: WarningList,
  filter: ReaderFilter,
  sort: ReaderSort,
  page: Slice,
): Promise<number[]> {
  const expectedSteps = ((page.limit + page.offset) * (await readersTotal(ctx, publicationId))) / Math.max(1, length)
  const scannedIds =
    expectedSteps < length && sort.key !== warning.blankField
      ? await scanPage(ctx, filter, sort, { ...page, steps: length })
      : null
  return scannedIds ?? collectPage(ctx, filter, sort, page)
}

function totalOf(ctx: AppContext, publicationId: number, warning: Warning | null): Promise<number> {
  return warning ? countInList(ctx, publicationId, warning.key) : readersTotal(ctx, publicationId)
}

async function countFiltered(ctx: AppContext, filter: ReaderFilter): Promise<number> {
  const [row] = await ctx.db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM readers WHERE ${whereOf(filter)}`,
    filter.values,
  )
  return Number(row?.n ?? 0)
}

const todayOf = ({ now, settings }: AppContext) => dayOf(now(), settings.timeZone)

/** The filter with the condition of the warning. */
function narrowed(ctx: AppContext, input: ReaderFilter, warning: Warning | null, today: Day): ReaderFilter {
  if (!warning) return input
  return {
    ...input,
    values: { ...input.values, ...listDays(today) },
    conditions: [
      ...input.conditions,
      { column: warning.indexedKey ?? null, alternatives: [warningCondition(ctx.db, warning)] },
    ],
  }
}
