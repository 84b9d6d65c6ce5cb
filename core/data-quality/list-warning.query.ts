import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/dates.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { type ReaderFilter, readerFilter, whereOf } from '../readers/reader-filter.rules.ts'
import { pageOfIds, readerSort } from '../readers/reader-pages.query.ts'
import { readersTotal } from '../readers/readers-total.ts'
import { useCase } from '../use-case.ts'
import { countOf } from './count-warnings.query.ts'
import { warningCondition } from './list-conditions.ts'
import { type ListedReader, listedReaders } from './listed-reader.ts'
import { listDays, type Warning, warningKeys, warningOf } from './warnings.rules.ts'

/** The readers of a warning, or with `all` every reader of the publication, deactivated ones too. */
export const readerListKeys = [...warningKeys, 'all'] as const

/**
 * A page of the readers with a warning. `sort` is name, surname, companyName, postCode, email, reference, ends or added, with a minus in
 * front for the other way round; `q` fits the beginning of a name, company, postcode, e-mail or reference.
 */
export const listWarning = useCase({
  permission: 'reader:import',
  input: PageInput.extend({ publicationId: z.coerce.number('Required').int(), list: z.enum(readerListKeys) }),
  transaction: 'none',
  async run(ctx, input): Promise<Page<ListedReader>> {
    const { id: publicationId } = await ownPublication(ctx, { id: input.publicationId })
    const warning = input.list === 'all' ? null : warningOf(input.list)
    const asked = readerFilter(publicationId, { q: input.q })
    if (!asked) return pageOf<ListedReader>([], 0, input)
    const total = input.q ? null : await totalOf(ctx, publicationId, warning)
    const sort = readerSort({ sort: input.sort ?? warning?.sort ?? 'added' })
    const page = { limit: input.size, offset: (input.page - 1) * input.size }
    const isLong = total !== null && (await isWalked(ctx, publicationId, total, page))
    const filter = narrowed(ctx, asked, warning, isLong ? sort.key : null)
    const [ids, found] = await Promise.all([pageOfIds(ctx, filter, sort, page), total ?? countFiltered(ctx, filter)])
    return pageOf(await listedReaders(ctx, ids), found, input)
  },
})

/**
 * Whether a page is found sooner by walking all readers in its order, until enough of the list have come by, than by gathering the whole
 * list and sorting it.
 */
async function isWalked(
  ctx: AppContext,
  publicationId: number,
  inList: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<boolean> {
  const steps = ((limit + offset) * (await readersTotal(ctx, publicationId))) / Math.max(1, inList)
  return steps < inList
}

function totalOf(ctx: AppContext, publicationId: number, warning: Warning | null): Promise<number> {
  return warning ? countOf(ctx, publicationId, warning.key) : readersTotal(ctx, publicationId)
}

async function countFiltered(ctx: AppContext, filter: ReaderFilter): Promise<number> {
  const [row] = await ctx.db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM readers WHERE ${whereOf(filter)}`,
    filter.values,
  )
  return Number(row?.n ?? 0)
}

/**
 * The filter with the warning's own condition: of a long list a part of the publication, so that it is walked like one; of any other one
 * condition more. A long list in another order than its own index's must not be gathered by that one.
 */
function narrowed(
  ctx: AppContext,
  asked: ReaderFilter,
  warning: Warning | null,
  walkedBy: string | null,
): ReaderFilter {
  if (!warning) return asked
  const condition = warningCondition(ctx.db, warning)
  const values = { ...asked.values, ...listDays(dayOf(ctx.now(), ctx.settings.timeZone)) }
  if (walkedBy === null) {
    return { ...asked, values, conditions: [...asked.conditions, { column: null, alternatives: [condition] }] }
  }
  const isPlain = walkedBy === 'ends' || ctx.db.dialect === 'postgres'
  // SQLite looks up no index for a column with a plus in front.
  const walked = isPlain ? condition : condition.replaceAll(/\bsub_end_on\b/g, '+sub_end_on')
  return { ...asked, values, publication: `${asked.publication} AND ${walked}` }
}
