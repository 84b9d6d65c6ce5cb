import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { invalid } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import { recordOf } from '../kernel/record-of.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { asOfValues, fulfilledNetSql, isRevenueSql, kindsThat, netOfVatSql } from './earned-sql.ts'
import { type MonthClose, standingCloses } from './ledger-closes.rows.ts'
import { addMonthsTo, firstDayOf, lastDayOf, type Month, MonthFilter, monthOf, monthsFrom } from './months.rules.ts'

/**
 * One month of deferred revenue, in minor units and without VAT: `opening` + `sold` - `refunded` - `earned` = `closing`. The closing of a
 * month is the opening of the next.
 */
export interface ScheduleRow {
  month: Month
  currency: Currency
  publicationId: number
  publicationName: string
  /** Null: back issues, which are earned as they are sold. */
  product: Product | null
  opening: number
  sold: number
  refunded: number
  earned: number
  closing: number
  /** Of a closed month: its figures are those that were frozen then. */
  closedOn: Day | null
  closedBy: string | null
}

/** The figures of a row, in the order they are added up. */
export const scheduleParts = ['opening', 'sold', 'refunded', 'earned', 'closing'] as const

export interface Schedule {
  /** In the order of months, currencies, publications, products. A group without money in a month has no row in it. */
  rows: ScheduleRow[]
  /** The day at whose end the ledger was read: of the months behind it, what was sold until then is earned, if nothing changes. */
  asOf: Day
  months: Month[]
  /** Those of the months that are closed. */
  closes: { month: Month; closedOn: Day; closedBy: string }[]
}

const ScheduleFilter = z.object({
  publicationId: z.coerce.number().int().optional(),
  /** Eleven months before this one, where none is given. */
  from: MonthFilter,
  /** This month, where none is given; one to come shows what is going to be earned. */
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
    if (months.length > maxMonths) throw invalid({ from: `Ask for at most ${maxMonths} months at once` })
    const rows = await scheduleRows(ctx, { months, asOf, publicationId: input.publicationId })
    const { publisherId } = tenantOf(ctx)
    const closes = publisherId === undefined ? [] : [...(await standingCloses(ctx, publisherId)).values()]
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
  product: Product | null
}

interface AskedMonths {
  /** They follow each other. */
  months: readonly Month[]
  asOf: Day
  publicationId?: number | undefined
}

/** The rows of these months: as they were frozen where a month is closed, else by what was entered until the end of `asOf`. */
export async function scheduleRows(
  ctx: Pick<AppContext, 'db' | 'actor' | 'settings'>,
  { publisherId = tenantOf(ctx).publisherId, months, asOf, publicationId }: AskedMonths & { publisherId?: number },
): Promise<ScheduleRow[]> {
  // The machine itself acts for all publishers, whose months are not closed together.
  const closes = publisherId === undefined ? new Map<Month, MonthClose>() : await standingCloses(ctx, publisherId)
  const rows: ScheduleRow[] = []
  // The closed months follow each other, too: at most one run of them, between two of others.
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
  const sums = scheduleParts.map((part) => `r.${part}`).join(', ')
  const rows = await ctx.db.query<Group & Record<(typeof scheduleParts)[number], number> & { close_id: number }>(
    `SELECT r.close_id, r.currency, r.publication_id AS "publicationId", p.publication_name AS "publicationName", r.product, ${sums}
     FROM ledger_close_rows r JOIN publications p ON p.id = r.publication_id
     WHERE r.close_id IN (:ids) ${publicationId === undefined ? '' : 'AND r.publication_id = :publicationId'}`,
    { ids: closes.map(({ id }) => id), publicationId: publicationId ?? null },
  )
  return closes.flatMap(({ id, month, closedAt, closedBy }) =>
    rows
      .filter((row) => Number(row.close_id) === id)
      .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
      .map(({ close_id: _, currency, publicationId, publicationName, product, ...sums }) => ({
        ...{ month, currency, publicationId, publicationName, product },
        ...recordOf(
          scheduleParts.map((name) => ({ name })),
          ({ name }) => Number(sums[name]),
        ),
        ...{ closedOn: dayOf(closedAt, ctx.settings.timeZone), closedBy },
      })),
  )
}

/** The rows as the ledger says them now, closed or not; of every publisher where none is named. */
export async function computedRows(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, months, asOf, publicationId }: AskedMonths & { publisherId: number | undefined },
): Promise<ScheduleRow[]> {
  const [first] = months
  const last = months.at(-1)
  if (!first || !last) return []
  const { where, values } = entriesOf(publisherId, publicationId)
  const moved = new Map(
    (await movements(ctx, { where, values, from: firstDayOf(first), until: lastDayOf(last), asOf })).map((row) => [
      `${row.month} ${keyOf(row)}`,
      row,
    ]),
  )
  const rows: ScheduleRow[] = []
  let owed = await owedAt(ctx, { where, values, on: lastDayOf(addMonthsTo(first, -1)), asOf })
  for (const month of months) {
    const opening = owed
    owed = await owedAt(ctx, { where, values, on: lastDayOf(month), asOf })
    const groups = new Map<string, Group>()
    for (const group of [...opening.values(), ...owed.values()]) groups.set(keyOf(group), group)
    for (const row of moved.values()) if (row.month === month) groups.set(keyOf(row), row)
    const inOrder = [...groups.entries()].sort(([one], [other]) => (one < other ? -1 : 1))
    for (const [key, { currency, publicationId, publicationName, product }] of inOrder) {
      const { sold = 0, refunded = 0 } = moved.get(`${month} ${key}`) ?? {}
      const [before, after] = [opening.get(key)?.owed ?? 0, owed.get(key)?.owed ?? 0]
      const earned = before + sold - refunded - after
      const row = { opening: before, sold, refunded, earned, closing: after }
      if (Object.values(row).some((amount) => amount !== 0))
        rows.push({
          ...{ month, currency, publicationId, publicationName, product, ...row },
          ...{ closedOn: null, closedBy: null },
        })
    }
  }
  return rows
}

/** Sorts by currency, then by the title's name. */
function keyOf({ currency, publicationName, publicationId, product }: Group): string {
  return [currency, publicationName.toLowerCase(), publicationId, product ?? '~'].join(' ')
}

function entriesOf(publisherId: number | undefined, publicationId: number | undefined) {
  const conditions = [
    isRevenueSql('l'),
    ...(publisherId === undefined ? [] : ['l.publisher_id = :publisherId']),
    ...(publicationId === undefined ? [] : ['l.publication_id = :publicationId']),
  ]
  return {
    where: conditions.join(' AND '),
    values: { publisherId: publisherId ?? null, publicationId: publicationId ?? null },
  }
}

const group = `l.currency, l.publication_id AS "publicationId", p.publication_name AS "publicationName", l.product`
const grouped = 'l.currency, l.publication_id, p.publication_name, l.product'

interface Asked {
  where: string
  values: Record<string, number | null>
  asOf: Day
}

/** What is owed at the end of a day, of what was entered until then; of a day to come, of what is entered until today. */
async function owedAt(
  ctx: Pick<AppContext, 'db'>,
  { where, values, on, asOf }: Asked & { on: Day },
): Promise<Map<string, Group & { owed: number }>> {
  const rows = await ctx.db.query<Group & { owed: number }>(
    `SELECT ${group}, SUM(${netOfVatSql('l')} - ${fulfilledNetSql(ctx.db.dialect, 'l')}) AS owed
     FROM ledger_entries l JOIN publications p ON p.id = l.publication_id
     -- What is over by then owes nothing: an index leaves it out.
     WHERE ${where} AND (l.service_end_on > :asOf OR l.service_end_on IS NULL AND l.term_months IS NOT NULL)
       AND l.entered_on <= :enteredBy GROUP BY ${grouped}`,
    { ...values, ...asOfValues(on), enteredBy: on < asOf ? on : asOf },
  )
  return new Map(rows.map((row) => [keyOf(row), { ...row, owed: Number(row.owed) }]))
}

/** What was sold and what was given back, by the month it was entered in. */
async function movements(
  ctx: Pick<AppContext, 'db'>,
  { where, values, from, until, asOf }: Asked & { from: Day; until: Day },
): Promise<(Group & { month: Month; sold: number; refunded: number })[]> {
  const month = ctx.db.dialect === 'postgres' ? `to_char(l.entered_on, 'YYYY-MM')` : 'substr(l.entered_on, 1, 7)'
  const rows = await ctx.db.query<Group & { month: Month; sold: number; refunded: number }>(
    `SELECT ${month} AS month, ${group},
            SUM(CASE WHEN l.kind IN (${kindsThat('sold')}) THEN ${netOfVatSql('l')} ELSE 0 END) AS sold,
            SUM(CASE WHEN l.kind IN (${kindsThat('returned')}) THEN -${netOfVatSql('l')} ELSE 0 END) AS refunded
     FROM ledger_entries l JOIN publications p ON p.id = l.publication_id
     WHERE ${where} AND l.entered_on >= :from AND l.entered_on <= :until GROUP BY ${month}, ${grouped}`,
    { ...values, from, until: until < asOf ? until : asOf },
  )
  return rows.map((row) => ({ ...row, sold: Number(row.sold), refunded: Number(row.refunded) }))
}
