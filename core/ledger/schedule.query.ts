import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { invalid } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { asOfValues, fulfilledSql, isRevenueSql, kindsThat } from './earned-sql.ts'
import { addMonthsTo, firstDayOf, lastDayOf, type Month, MonthFilter, monthOf, monthsFrom } from './months.rules.ts'

/**
 * One month of deferred revenue, in minor units: `opening` + `sold` - `refunded` - `earned` = `closing`. The closing of a month is the
 * opening of the next.
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
}

export interface Schedule {
  /** In the order of months, currencies, publications, products. A group without money in a month has no row in it. */
  rows: ScheduleRow[]
  /** The day at whose end the ledger was read: of the months behind it, what was sold until then is earned, if nothing changes. */
  asOf: Day
  months: Month[]
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
    return { rows: await scheduleRows(ctx, { months, asOf, publicationId: input.publicationId }), asOf, months }
  },
})

interface Group {
  currency: Currency
  publicationId: number
  publicationName: string
  product: Product | null
}

/** The rows of these months, which follow each other, by what was entered until the end of `asOf`. */
export async function scheduleRows(
  ctx: Pick<AppContext, 'db' | 'actor'>,
  { months, asOf, publicationId }: { months: Month[]; asOf: Day; publicationId?: number },
): Promise<ScheduleRow[]> {
  const [first] = months
  const last = months.at(-1)
  if (!first || !last) return []
  const { where, values } = entriesOf(ctx, publicationId)
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
        rows.push({ month, currency, publicationId, publicationName, product, ...row })
    }
  }
  return rows
}

/** Sorts by currency, then by the title's name. */
function keyOf({ currency, publicationName, publicationId, product }: Group): string {
  return [currency, publicationName.toLowerCase(), publicationId, product ?? '~'].join(' ')
}

function entriesOf(ctx: Pick<AppContext, 'actor'>, publicationId: number | undefined) {
  const { publisherId } = tenantOf(ctx)
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
    `SELECT ${group}, SUM(l.amount - ${fulfilledSql(ctx.db.dialect, 'l')}) AS owed
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
            SUM(CASE WHEN l.kind IN (${kindsThat('sold')}) THEN l.amount ELSE 0 END) AS sold,
            SUM(CASE WHEN l.kind IN (${kindsThat('returned')}) THEN -l.amount ELSE 0 END) AS refunded
     FROM ledger_entries l JOIN publications p ON p.id = l.publication_id
     WHERE ${where} AND l.entered_on >= :from AND l.entered_on <= :until GROUP BY ${month}, ${grouped}`,
    { ...values, from, until: until < asOf ? until : asOf },
  )
  return rows.map((row) => ({ ...row, sold: Number(row.sold), refunded: Number(row.refunded) }))
}
