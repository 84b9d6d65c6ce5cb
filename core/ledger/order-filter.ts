import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { dayOf, daysBetween } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { DayInput, firstAfterLast } from '../kernel/day-input.ts'
import { SearchText } from '../kernel/paging.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { ledgerDayKinds } from './order-choices.rules.ts'
import { choiceConditions, copiedConditions, hasChoice, OrderChoices, orderChoices } from './order-choices.ts'

/** Which orders of the sales ledger are read, and as of which day: the same filter for the list, its totals and its file. */
export const LedgerFilter = z.object({
  publicationId: z.coerce.number().int().optional(),
  q: SearchText,
  from: DayInput,
  until: DayInput,
  /** What `from` and `until` refer to. */
  by: z.enum(ledgerDayKinds, 'Choose ordered, sold or entered').default('ordered'),
  /** The ledger as it stood at the end of this day; by default, today. */
  asOf: DayInput,
  ...OrderChoices.shape,
})
export type LedgerFilter = z.output<typeof LedgerFilter>

/** For `refine`: if the days were in the wrong order, the list or file would be empty without an explanation. */
export const daysInOrder = [
  ({ from, until }: Pick<LedgerFilter, 'from' | 'until'>) => !from || !until || from <= until,
  { path: ['from'] as PropertyKey[], message: firstAfterLast },
] as const

/** The day at whose end the ledger is shown: never a future day, whose entries are not known. */
export function asOfDay(ctx: Pick<AppContext, 'now' | 'settings'>, asOf: Day | undefined): Day {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  return asOf !== undefined && asOf < today ? asOf : today
}

/**
 * If a filter is as of a past day and has no other days, it selects what was sold by that day. As of today, everything counts.
 */
export function asOfFilter<Filter extends Partial<LedgerFilter>>(
  ctx: Pick<AppContext, 'now' | 'settings'>,
  filter: Filter,
): Filter {
  const { asOf, from, until } = filter
  if (asOf === undefined || asOf >= dayOf(ctx.now(), ctx.settings.timeZone)) return { ...filter, asOf: undefined }
  return from || until ? filter : { ...filter, by: 'sold', until: asOf, asOf: undefined }
}

/** Whether a filter narrows more than the title: such a selection has no stored totals. */
export function isNarrow({ q, from, until, ...choices }: Partial<LedgerFilter>): boolean {
  return Boolean(q?.trim() || from || until) || hasChoice(choices)
}

/** A condition and its parameters. */
export interface Condition {
  where: string
  values: SqlValues
}

/**
 * A condition that is evaluated row by row, in the order of the list, until the page is full: the CASE hides it from the indexes, with which a
 * database might find and sort all matches first.
 */
export function perRowCondition({ where, values }: Condition): Condition {
  return { where: `CASE WHEN ${where} THEN TRUE ELSE FALSE END`, values }
}

const noSearch: Condition = { where: '', values: {} }

/**
 * The orders of the sales ledger, `orders o`: paid, or paid once and reversed, of the acting publisher, of one publication if given, matching the
 * search text (`orderSearchCondition`). `areMany`: most orders match the days (undefined: not known). `isInOrder`: the list is in the order of an
 * index that contains none of the filtered columns.
 */
export function orderFilter(
  ctx: Pick<AppContext, 'actor' | 'db'>,
  filter: Partial<LedgerFilter>,
  {
    search = noSearch,
    areMany,
    isInOrder = false,
  }: { search?: Condition; areMany?: boolean | undefined; isInOrder?: boolean } = {},
): Condition {
  const base = baseFilter(ctx, filter, { table: 'o', areMany })
  const choices = orderConditions(ctx, filter, search)
  const matching = isInOrder && choices.where ? perRowCondition(choices) : choices
  const conditions = [`o.state IN ('paid', 'refunded', 'reversed')`, base.where, matching.where]
  return { where: conditions.filter(Boolean).join(' AND '), values: { ...base.values, ...matching.values } }
}

/**
 * The same orders, selected by their stored sums `order_sums m`, which exist once an order is paid. With `areMany`, the condition is evaluated row by
 * row in the order of the list, instead of for all orders first.
 */
export function sumFilter(
  ctx: Pick<AppContext, 'actor' | 'db'>,
  filter: Partial<LedgerFilter>,
  { search = noSearch, areMany = false }: { search?: Condition; areMany?: boolean } = {},
): Condition {
  const base = baseFilter(ctx, filter, { table: 'm', areMany })
  const copied = copiedConditions(filter, 'm')
  const choices = orderConditions(ctx, orderChoices(filter), search)
  const { publisherId } = tenantOf(ctx)
  const ofPublisher = publisherId === undefined ? '' : 'o.publisher_id = :publisherId AND'
  const isMatchSql =
    choices.where &&
    (areMany
      ? `EXISTS (SELECT 1 FROM orders o WHERE o.id = m.order_id AND ${choices.where})`
      : `m.order_id IN (SELECT o.id FROM orders o WHERE ${ofPublisher} ${choices.where})`)
  return {
    where: [base.where, ...copied.conditions, isMatchSql].filter(Boolean).join(' AND ') || '1 = 1',
    values: { ...base.values, ...copied.values, ...choices.values },
  }
}

/** The longest range of days for which the entries are read first and their orders looked up; in a longer one, checking each order is cheaper. */
const maxLookedUpDays = 100

export function isShortRange({ from, until }: Pick<Partial<LedgerFilter>, 'from' | 'until'>): boolean {
  return from !== undefined && until !== undefined && daysBetween(from, until) < maxLookedUpDays
}

/**
 * The orders with an entry in a long range of days that nothing but a title narrows, as mutually exclusive conditions on `order_sums m`: those sold
 * on those days, and the few others, for which something else was entered. `areMany`: most orders match the days.
 */
export function enteredParts(
  ctx: Pick<AppContext, 'actor' | 'db'>,
  filter: Partial<LedgerFilter>,
): { sold: (areMany: boolean) => Condition; others: Condition | null } {
  const base = sumFilter(ctx, { ...filter, from: undefined, until: undefined })
  const { sold, later } = entryDays(ctx, filter)
  const { from, until, by } = filter
  const values = { ...base.values, ...(from && { from }), ...(until && { until }) }
  const withBase = (where: string): Condition => ({ where: `${base.where} AND ${where}`, values })
  return {
    sold: (areMany) => withBase(areMany ? perRowCondition({ where: sold, values }).where : sold),
    others: by === 'sold' ? null : withBase(`NOT (${sold}) AND ${isOneOfSql(ctx, 'm.order_id', later)}`),
  }
}

/** A condition for few orders. With ANY, PostgreSQL looks them up one by one; with IN, it might scan all orders and check each. */
export function isOneOfSql({ db }: Pick<AppContext, 'db'>, id: 'o.id' | 'm.order_id', select: string): string {
  return db.dialect === 'postgres' ? `${id} = ANY (ARRAY(${select}))` : `${id} IN (${select})`
}

/**
 * SQL for a range of days: `sold`, the condition that the sale of `order_sums m` was entered in them, and `later`, the ids of the orders for which
 * something else was entered in them.
 */
function entryDays(
  ctx: Pick<AppContext, 'actor'>,
  { from, until }: Partial<LedgerFilter>,
): { sold: string; later: string; publisherSql: (alias: string) => string } {
  const { publisherId } = tenantOf(ctx)
  const publisherSql = (alias: string) => (publisherId === undefined ? '' : `${alias}.publisher_id = :publisherId AND`)
  const later = `SELECT e.order_id FROM ledger_entries e WHERE ${publisherSql('e')} ${isWithinSql('e.entered_on', { from, until })} AND e.kind <> 'sale'`
  return { sold: isWithinSql('m.sold_on', { from, until }), later, publisherSql }
}

function isWithinSql(day: string, { from, until }: Partial<LedgerFilter>): string {
  return [from && `${day} >= :from`, until && `${day} <= :until`].filter(Boolean).join(' AND ')
}

/** Publisher, publication and days, which are columns of both tables. */
function baseFilter(
  ctx: Pick<AppContext, 'actor' | 'db'>,
  { publicationId, from, until, by, asOf }: Partial<LedgerFilter>,
  { table, areMany }: { table: 'o' | 'm'; areMany?: boolean | undefined },
): Condition {
  const { publisherId } = tenantOf(ctx)
  const conditions: string[] = []
  const values: SqlValues = {}
  if (publisherId !== undefined) {
    conditions.push(`${table}.publisher_id = :publisherId`)
    values.publisherId = publisherId
  }
  if (publicationId !== undefined) {
    conditions.push(`${table}.publication_id = :publicationId`)
    values.publicationId = publicationId
  }
  if (from || until) {
    const days = { from, until }
    conditions.push(
      by !== 'sold' && by !== 'entered'
        ? isWithinSql(`${table}.ordered_on`, days)
        : isEnteredSql(ctx, { ...days, by }, { table, areMany }),
    )
    Object.assign(values, from && { from }, until && { until })
  }
  if (asOf !== undefined) {
    // An order that was not paid by then was not in the ledger.
    const isSold = (alias: string) => `${alias}.sold_on <= :asOf`
    conditions.push(
      table === 'm' ? isSold('m') : `EXISTS (SELECT 1 FROM order_sums s WHERE s.order_id = o.id AND ${isSold('s')})`,
    )
    values.asOf = asOf
  }
  return { where: conditions.join(' AND '), values }
}

function isEnteredSql(
  ctx: Pick<AppContext, 'actor' | 'db'>,
  filter: Partial<LedgerFilter>,
  { table, areMany }: { table: 'o' | 'm'; areMany?: boolean | undefined },
): string {
  const { sold, later, publisherSql } = entryDays(ctx, filter)
  const isSold = filter.by === 'sold'
  const isPostgres = ctx.db.dialect === 'postgres'
  const inDaysSql = `SELECT m.order_id FROM order_sums m WHERE ${publisherSql('m')} ${sold} ${isSold ? '' : `UNION ALL ${later}`}`
  if (isShortRange(filter)) {
    if (table === 'm' && isSold) return sold
    return isOneOfSql(ctx, table === 'o' ? 'o.id' : 'm.order_id', inDaysSql)
  }
  const isLaterSql = `m.order_id IN (${later})`
  // With OR, SQLite looks up both sides and sorts the matches; if there are many, scanning all orders in their order costs less.
  const isSoldOrLaterSql =
    areMany && !isPostgres ? `CASE WHEN ${sold} THEN TRUE ELSE ${isLaterSql} END` : `(${sold} OR ${isLaterSql})`
  const isInDaysSql = isSold ? sold : isSoldOrLaterSql
  if (table === 'm') return isInDaysSql
  return areMany === false && !isPostgres
    ? `o.id IN (${inDaysSql})`
    : `EXISTS (SELECT 1 FROM order_sums m WHERE m.order_id = o.id AND ${isInDaysSql})`
}

/** The choices and the search text, in `orders o`. */
function orderConditions(ctx: Pick<AppContext, 'actor'>, choices: Partial<LedgerFilter>, search: Condition): Condition {
  const { publisherId } = tenantOf(ctx)
  const { conditions, values } = choiceConditions(choices, (table) =>
    publisherId === undefined ? '1 = 1' : `${table}.publisher_id = :publisherId`,
  )
  return {
    where: [...conditions, search.where].filter(Boolean).join(' AND '),
    values: { ...values, ...search.values },
  }
}
