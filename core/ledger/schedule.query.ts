import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { yearMonth } from '../dialect.ts'
import { dayOf } from '../kernel/calendar.ts'
import { columnName } from '../kernel/column-name.ts'
import type { Day } from '../kernel/dates.ts'
import { invalid } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import { recordOf } from '../kernel/record-of.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { enteredDays } from './entered-days.query.ts'
import { closesInForce, type MonthClose } from './ledger-closes.rows.ts'
import type { LedgerProduct } from './ledger-products.rules.ts'
import { addMonthsTo, firstDayOf, lastDayOf, type Month, MonthFilter, monthOf, monthsFrom } from './months.rules.ts'
import { type OpeningMonth, openingMonths } from './opening-balances.query.ts'
import { scheduleParts } from './schedule-parts.rules.ts'

/**
 * One month of deferred revenue, in minor units and without VAT: `opening` + `takenOver` + `sold` - `refunded` - `earned` = `closing`. The
 * closing of a month is the opening of the next.
 */
export interface ScheduleRow {
  month: Month
  currency: Currency
  publicationId: number
  publicationName: string
  product: LedgerProduct
  opening: number
  /** Opening balances of a title that moved here: see `take-over-opening-balances.ts`. */
  takenOver: number
  sold: number
  refunded: number
  earned: number
  closing: number
  /** For a closed month: its figures are the frozen ones. */
  closedOn: Day | null
  closedBy: string | null
}

export interface Schedule {
  /** Sorted by month, currency, publication and product. A group without money in a month has no row for it. */
  rows: ScheduleRow[]
  /** The day at whose end the ledger was read. Later months show how what was sold until then will be earned if nothing changes. */
  asOf: Day
  months: Month[]
  /** The closes of these months, for the months that are closed. */
  closes: { month: Month; closedOn: Day; closedBy: string }[]
}

const ScheduleFilter = z.object({
  publicationId: z.coerce.number().int().optional(),
  /** By default, eleven months before `until`. */
  from: MonthFilter,
  /** By default, the current month; a future month shows what will be earned. */
  until: MonthFilter,
})

const maxMonths = 120

/** How deferred revenue rolls forward, month by month, for the acting publisher or one of its publications. */
export const ledgerSchedule = useCase({
  permission: 'order:read',
  input: ScheduleFilter,
  transaction: 'none',
  async run(ctx, input): Promise<Schedule> {
    const asOf = dayOf(ctx.now(), ctx.settings.timeZone)
    const until = input.until ?? monthOf(asOf)
    const from = input.from ?? addMonthsTo(until, -11)
    if (from > until) throw invalid({ from: `Enter a month that is not after ${until}` })
    const months = monthsFrom(from, until)
    if (months.length > maxMonths) throw invalid({ from: `Choose at most ${maxMonths} months at once` })
    const rows = await scheduleRows(ctx, { months, asOf, publicationId: input.publicationId })
    const { publisherId } = tenantOf(ctx)
    const closes = publisherId === undefined ? [] : [...(await closesInForce(ctx, publisherId)).values()]
    return {
      rows,
      asOf,
      months,
      closes: closes
        .filter(({ month }) => months.includes(month))
        .map(({ month, closedAt, closedBy }) => ({
          month,
          closedOn: dayOf(closedAt, ctx.settings.timeZone),
          closedBy,
        })),
    }
  },
})

interface Group {
  currency: Currency
  publicationId: number
  publicationName: string
  product: LedgerProduct
}

interface MonthsQuery {
  /** Consecutive months. */
  months: readonly Month[]
  asOf: Day
  publicationId?: number | undefined
}

/** The rows of these months: frozen where a month is closed, otherwise computed from what was entered until the end of `asOf`. */
export async function scheduleRows(
  ctx: Pick<AppContext, 'db' | 'actor' | 'settings'>,
  { publisherId = tenantOf(ctx).publisherId, months, asOf, publicationId }: MonthsQuery & { publisherId?: number },
): Promise<ScheduleRow[]> {
  // The system acts for all publishers, and each closes its own months.
  const closes = publisherId === undefined ? new Map<Month, MonthClose>() : await closesInForce(ctx, publisherId)
  const rows: ScheduleRow[] = []
  // The closed months are consecutive: there is at most one run of them, between two runs of open months.
  for (const run of runsOf(months, (month) => closes.has(month))) {
    const isClosed = closes.has(run[0] as Month)
    rows.push(
      ...(isClosed
        ? await frozenRows(ctx, { closes: run.flatMap((month) => closes.get(month) ?? []), publicationId })
        : await computedRows(ctx, { publisherId, months: run, asOf, publicationId })),
    )
  }
  return rows
}

function runsOf(months: readonly Month[], isClosed: (month: Month) => boolean): Month[][] {
  const runs: Month[][] = []
  for (const month of months) {
    const run = runs.at(-1)
    if (run && isClosed(run[0] as Month) === isClosed(month)) run.push(month)
    else runs.push([month])
  }
  return runs
}

/** The figures of closed months as they were frozen. */
export async function frozenRows(
  ctx: Pick<AppContext, 'db'> & { settings: Pick<AppContext['settings'], 'timeZone'> },
  { closes, publicationId }: { closes: readonly MonthClose[]; publicationId: number | undefined },
): Promise<ScheduleRow[]> {
  const sums = scheduleParts.map((part) => `r.${columnName(part)} AS "${part}"`).join(', ')
  const rows = await ctx.db.query<Group & Record<(typeof scheduleParts)[number], number> & { close_id: number }>(
    `SELECT r.close_id, r.currency, r.publication_id AS "publicationId", p.publication_name AS "publicationName", r.product, ${sums}
     FROM ledger_close_rows r JOIN publications p ON p.id = r.publication_id
     WHERE r.close_id IN (:ids) ${publicationId === undefined ? '' : 'AND r.publication_id = :publicationId'}`,
    { ids: closes.map(({ id }) => id), publicationId: publicationId ?? null },
  )
  return closes.flatMap(({ id, month, closedAt, closedBy }) =>
    rows
      .filter((row) => Number(row.close_id) === id)
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      .map(({ close_id: _, currency, publicationId, publicationName, product, ...sums }) => ({
        month,
        currency,
        publicationId,
        publicationName,
        product,
        ...recordOf(
          scheduleParts.map((name) => ({ name })),
          ({ name }) => Number(sums[name]),
        ),
        closedOn: dayOf(closedAt, ctx.settings.timeZone),
        closedBy,
      })),
  )
}

/** The rows computed from the stored totals or from the entries, whether or not a month is closed; without a publisher, for all publishers. */
export async function computedRows(ctx: Pick<AppContext, 'db'>, query: ScheduleQuery): Promise<ScheduleRow[]> {
  return withOpenings(await soldRows(ctx, query), await openingMonths(ctx, query))
}

/** Adds the opening balances to the rows of what was sold here. */
function withOpenings(rows: readonly ScheduleRow[], openings: readonly OpeningMonth[]): ScheduleRow[] {
  if (openings.length === 0) return [...rows]
  const sums = new Map(rows.map((row) => [`${row.month} ${keyOf(row)}`, { ...row }]))
  for (const { opening, takenOver, earned, closing, ...group } of openings) {
    const key = `${group.month} ${keyOf(group)}`
    const row = sums.get(key) ?? {
      ...group,
      opening: 0,
      takenOver: 0,
      sold: 0,
      refunded: 0,
      earned: 0,
      closing: 0,
      closedOn: null,
      closedBy: null,
    }
    row.opening += opening
    row.takenOver += takenOver
    row.earned += earned
    row.closing += closing
    sums.set(key, row)
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

/** The rows of what was sold here. */
async function soldRows(ctx: Pick<AppContext, 'db'>, query: ScheduleQuery): Promise<ScheduleRow[]> {
  const groups = await movementGroups(ctx, query)
  const inOrder = [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group)
  const owed = inOrder.map(({ sumsByMonth }) => closingOf(0, sumsByMonth.get('')))
  return query.months.flatMap((month) =>
    inOrder.flatMap(({ group, sumsByMonth }, index): ScheduleRow[] => {
      const opening = owed[index] ?? 0
      const amounts = sumsByMonth.get(month) ?? zeroSums
      const closing = closingOf(opening, amounts)
      owed[index] = closing
      const sums = { opening, takenOver: 0, ...amounts, closing }
      if (Object.values(sums).every((amount) => amount === 0)) return []
      return [{ month, ...group, ...sums, closedOn: null, closedBy: null }]
    }),
  )
}

interface ScheduleQuery extends MonthsQuery {
  publisherId: number | undefined
  /** Computed from every entry instead of the stored totals, to verify these. */
  isFromEntries?: boolean
}

const movementParts = ['sold', 'refunded', 'earned'] as const
type MovementSums = Record<(typeof movementParts)[number], number>
const zeroSums: MovementSums = { sold: 0, refunded: 0, earned: 0 }

function closingOf(opening: number, { sold, refunded, earned }: MovementSums = zeroSums): number {
  return opening + sold - refunded - earned
}

/** Identifies a group. Sorting by this key sorts by currency, title and product. */
function keyOf({ currency, publicationName, publicationId, product }: Group): string {
  return [
    currency,
    publicationName.toLowerCase(),
    publicationId,
    product === null ? '~' : product === 'postage' ? '~~' : product,
  ].join(' ')
}

type Movement = Omit<Group, 'publicationName'> & MovementSums & { month: Month | '' }

/** The movements, without VAT, of each title, currency and product by month; what is before the first month has an empty month. */
async function movementGroups(
  ctx: Pick<AppContext, 'db'>,
  query: ScheduleQuery,
): Promise<Map<string, { group: Group; sumsByMonth: Map<Month | '', MovementSums> }>> {
  const { publisherId, months, asOf, isFromEntries } = query
  const until = lastDayOf(months.at(-1) ?? monthOf(asOf))
  const movements = await (isFromEntries ? enteredMovements(ctx, query) : storedMovements(ctx, query))
  // Entries of future days, which exist after a clock was set back, are subtracted: a future month shows what was entered until `asOf`.
  const enteredLater = until > asOf ? await enteredMovements(ctx, query, asOf) : []
  const names = new Map(
    (
      await ctx.db.query<{ id: number; name: string }>(
        `SELECT id, publication_name AS name FROM publications ${publisherId === undefined ? '' : 'WHERE publisher_id = :publisherId'}`,
        { publisherId: publisherId ?? null },
      )
    ).map(({ id, name }) => [id, name]),
  )
  const groups = new Map<string, { group: Group; sumsByMonth: Map<Month | '', MovementSums> }>()
  for (const [rows, sign] of [[movements, 1] as const, [enteredLater, -1] as const])
    for (const { month, currency, publicationId, product, ...amounts } of rows) {
      const group = { currency, publicationId, publicationName: names.get(publicationId) ?? '', product }
      const { sumsByMonth } = groups.get(keyOf(group)) ?? { sumsByMonth: new Map<Month | '', MovementSums>() }
      const sums = { ...(sumsByMonth.get(month) ?? zeroSums) }
      for (const part of movementParts) sums[part] += sign * amounts[part]
      groups.set(keyOf(group), { group, sumsByMonth: sumsByMonth.set(month, sums) })
    }
  return groups
}

async function storedMovements(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, months, publicationId }: ScheduleQuery,
): Promise<Movement[]> {
  const first = months[0]
  const last = months.at(-1)
  if (!first || !last) return []
  const month = yearMonth(ctx.db, 'day')
  const conditions = [
    'day <= :until',
    ...(publisherId === undefined ? [] : ['publisher_id = :publisherId']),
    ...(publicationId === undefined ? [] : ['publication_id = :publicationId']),
  ]
  const rows = await ctx.db.query<Movement>(
    `SELECT CASE WHEN day < :from THEN '' ELSE ${month} END AS month, currency, publication_id AS "publicationId",
            NULLIF(product, '') AS product, SUM(sold - sold_vat) AS sold, SUM(refunded - refunded_vat) AS refunded,
            SUM(earned - earned_vat) AS earned
     FROM ledger_days WHERE ${conditions.join(' AND ')} GROUP BY 1, currency, publication_id, product`,
    {
      from: firstDayOf(first),
      until: lastDayOf(last),
      publisherId: publisherId ?? null,
      publicationId: publicationId ?? null,
    },
  )
  return rows.map(({ sold, refunded, earned, ...row }) => ({
    ...row,
    sold: Number(sold),
    refunded: Number(refunded),
    earned: Number(earned),
  }))
}

/** The movements from the entries: from all of them, or from those entered after a day. */
async function enteredMovements(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, months, publicationId }: ScheduleQuery,
  after?: Day,
): Promise<Movement[]> {
  const first = months[0]
  const last = months.at(-1)
  if (!first || !last) return []
  const days = await enteredDays(ctx, { publisherId, after })
  return days
    .filter((row) => row.day <= lastDayOf(last) && (publicationId === undefined || row.publicationId === publicationId))
    .map((row) => ({
      month: row.day < firstDayOf(first) ? '' : monthOf(row.day),
      currency: row.currency,
      publicationId: row.publicationId,
      product: (row.product || null) as LedgerProduct,
      sold: row.sold - row.soldVat,
      refunded: row.refunded - row.refundedVat,
      earned: row.earned - row.earnedVat,
    }))
}
