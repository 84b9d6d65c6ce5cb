import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { yearMonth } from '../dialect.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { asOfValues, fulfilledSql } from './earned-sql.ts'
import { addMonthsTo, firstDayOf, lastDayOf, type Month } from './months.rules.ts'

/** Whose opening balances; those of all publishers if none is set. */
interface OpeningScope {
  publisherId: number | undefined
  publicationId?: number | undefined
}

export interface OpeningGroup {
  currency: Currency
  publicationId: number
  publicationName: string
  product: Product
}

/** What opening balances add to a month of the schedule, in minor units: `opening` + `takenOver` - `earned` = `closing`. */
export interface OpeningMonth extends OpeningGroup {
  month: Month
  opening: number
  takenOver: number
  earned: number
  closing: number
}

/** What opening balances add to these consecutive months; a month without any has no row. */
export async function openingMonths(
  ctx: Pick<AppContext, 'db'>,
  { months, ...scope }: OpeningScope & { months: readonly Month[] },
): Promise<OpeningMonth[]> {
  const [first] = months
  const last = months.at(-1)
  if (!first || !last || !(await wereTakenOver(ctx, scope, lastDayOf(last)))) return []
  const takenOverGroups = await takenOverIn(ctx, scope, firstDayOf(first), lastDayOf(last))
  const rows: OpeningMonth[] = []
  let owed = await openingOwed(ctx, { ...scope, on: lastDayOf(addMonthsTo(first, -1)) })
  for (const month of months) {
    const owedBefore = owed
    owed = await openingOwed(ctx, { ...scope, on: lastDayOf(month) })
    const takenOverInMonth = takenOverGroups.filter((row) => row.month === month)
    const groups = new Map<string, OpeningGroup>()
    for (const group of [...owedBefore, ...owed, ...takenOverInMonth]) groups.set(keyOf(group), group)
    for (const [key, { currency, publicationId, publicationName, product }] of groups) {
      const rowIn = <Row extends OpeningGroup>(list: readonly Row[]) => list.find((row) => keyOf(row) === key)
      const opening = rowIn(owedBefore)?.owed ?? 0
      const takenOver = rowIn(takenOverInMonth)?.takenOver ?? 0
      const closing = rowIn(owed)?.owed ?? 0
      const earned = opening + takenOver - closing
      const group = { currency, publicationId, publicationName, product }
      rows.push({ month, ...group, opening, takenOver, earned, closing })
    }
  }
  return rows
}

function keyOf({ currency, publicationId, product }: OpeningGroup): string {
  return `${currency} ${publicationId} ${product}`
}

function scopeOf({ publisherId, publicationId }: OpeningScope): { where: string; values: SqlValues } {
  const conditions = [
    'b.undone_at IS NULL',
    ...(publisherId === undefined ? [] : ['b.publisher_id = :publisherId']),
    ...(publicationId === undefined ? [] : ['b.publication_id = :publicationId']),
  ]
  return {
    where: conditions.join(' AND '),
    values: { publisherId: publisherId ?? null, publicationId: publicationId ?? null },
  }
}

async function wereTakenOver(ctx: Pick<AppContext, 'db'>, scope: OpeningScope, until: Day): Promise<boolean> {
  const { where, values } = scopeOf(scope)
  const rows = await ctx.db.query(
    `SELECT b.id FROM opening_balances b WHERE ${where} AND b.taken_on <= :until LIMIT 1`,
    { ...values, until },
  )
  return rows.length > 0
}

const groupFields = `b.currency, b.publication_id AS "publicationId", p.publication_name AS "publicationName", b.product`
const groupColumns = 'b.currency, b.publication_id, p.publication_name, b.product'
const terms = (where: string) =>
  `(SELECT t.*, b.publication_id, b.taken_on FROM opening_balances b JOIN opening_balance_terms t ON t.opening_id = b.id WHERE ${where}) b
   JOIN publications p ON p.id = b.publication_id`

/** What is still owed of opening balances at the end of a day. */
export async function openingOwed(
  ctx: Pick<AppContext, 'db'>,
  { on, ...scope }: OpeningScope & { on: Day },
): Promise<(OpeningGroup & { owed: number })[]> {
  const { where, values } = scopeOf(scope)
  const rows = await ctx.db.query<OpeningGroup & { owed: number }>(
    `SELECT ${groupFields}, SUM(b.amount - ${fulfilledSql(ctx.db.dialect, 'b')}) AS owed
     FROM ${terms(`${where} AND b.taken_on <= :asOf AND t.service_end_on > :asOf`)} GROUP BY ${groupColumns}`,
    { ...values, ...asOfValues(on) },
  )
  return rows.map((row) => ({ ...row, owed: Number(row.owed) }))
}

async function takenOverIn(ctx: Pick<AppContext, 'db'>, scope: OpeningScope, from: Day, until: Day) {
  const { where, values } = scopeOf(scope)
  const month = yearMonth(ctx.db, 'b.taken_on')
  const rows = await ctx.db.query<OpeningGroup & { month: Month; takenOver: number }>(
    `SELECT ${month} AS month, ${groupFields}, SUM(b.taken_over) AS "takenOver"
     FROM ${terms(`${where} AND b.taken_on >= :from AND b.taken_on <= :until`)} GROUP BY ${month}, ${groupColumns}`,
    { ...values, from, until },
  )
  return rows.map((row) => ({ ...row, takenOver: Number(row.takenOver) }))
}
