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

/** Which orders of the sales ledger, and on which day it is read: the same for the list, its sums and its file. */
export const LedgerFilter = z.object({
  publicationId: z.coerce.number().int().optional(),
  q: SearchText,
  from: DayInput,
  until: DayInput,
  /** What `from` and `until` refer to. */
  by: z.enum(ledgerDayKinds, 'Choose ordered, sold or entered').default('ordered'),
  /** The ledger as it stood at the end of this day; today where none is given. */
  asOf: DayInput,
  ...OrderChoices.shape,
})
export type LedgerFilter = z.output<typeof LedgerFilter>

/** For `refine`: a list or a file of days in the wrong order would be empty without an explanation. */
export const daysInOrder = [
  ({ from, until }: Pick<LedgerFilter, 'from' | 'until'>) => !from || !until || from <= until,
  { path: ['from'] as PropertyKey[], message: firstAfterLast },
] as const

/** The day at whose end the ledger is shown: never a future one, whose entries are not known. */
export function asOfDay(ctx: Pick<AppContext, 'now' | 'settings'>, asOf: Day | undefined): Day {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  return asOf !== undefined && asOf < today ? asOf : today
}

/**
 * A filter of the ledger as of a past day without other days: what had been sold by then. As of today everything counts.
 */
export function asOfFilter<Filter extends Partial<LedgerFilter>>(
  ctx: Pick<AppContext, 'now' | 'settings'>,
  filter: Filter,
): Filter {
  const { asOf, from, until } = filter
  if (asOf === undefined || asOf >= dayOf(ctx.now(), ctx.settings.timeZone)) return { ...filter, asOf: undefined }
  return from || until ? filter : { ...filter, by: 'sold', until: asOf, asOf: undefined }
}

/** Whether a filter excludes more than other titles: the rest has no stored sum. */
export function isNarrow({ q, from, until, ...choices }: Partial<LedgerFilter>): boolean {
  return Boolean(q?.trim() || from || until) || hasChoice(choices)
}

/** A condition, and the values it needs. */
export interface Condition {
  where: string
  values: SqlValues
}

/**
 * Evaluated for each order in the order of a list, until the page is full: if it looked like an index condition, a database might look for all
 * matches first, and sort them.
 */
export function perRowCondition({ where, values }: Condition): Condition {
  return { where: `CASE WHEN ${where} THEN TRUE ELSE FALSE END`, values }
}

const noSearch: Condition = { where: '', values: {} }

/**
 * The orders of the sales ledger, `orders o`: paid, or paid once and reversed, of the acting publisher, of one publication if given, matching the
 * search text (`orderSearchCondition`). `areMany`, where it is known: most of them match the days. `isInOrder`: for a list in the order of an index that
 * contains none of the chosen columns.
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
  const found = orderConditions(ctx, filter, search)
  const scoped = isInOrder && found.where ? perRowCondition(found) : found
  const conditions = [`o.state IN ('paid', 'refunded', 'reversed')`, base.where, scoped.where]
  return { where: conditions.filter(Boolean).join(' AND '), values: { ...base.values, ...scoped.values } }
}

/**
 * The same orders by their stored sums, `order_sums m`: an order has a row there once it is paid. With `areMany` the condition is evaluated per order
 * in the order of the list, instead of for all of them first.
 */
export function sumFilter(
  ctx: Pick<AppContext, 'actor' | 'db'>,
  filter: Partial<LedgerFilter>,
  { search = noSearch, areMany = false }: { search?: Condition; areMany?: boolean } = {},
): Condition {
  const base = baseFilter(ctx, filter, { table: 'm', areMany })
  const copied = copiedConditions(filter, 'm')
  const whereParts = orderConditions(ctx, orderChoices(filter), search)
  const { publisherId } = tenantOf(ctx)
  const ofPublisher = publisherId === undefined ? '' : 'o.publisher_id = :publisherId AND'
  const isMatchSql =
    whereParts.where &&
    (areMany
      ? `EXISTS (SELECT 1 FROM orders o WHERE o.id = m.order_id AND ${whereParts.where})`
      : `m.order_id IN (SELECT o.id FROM orders o WHERE ${ofPublisher} ${whereParts.where})`)
  return {
    where: [base.where, ...copied.conditions, isMatchSql].filter(Boolean).join(' AND ') || '1 = 1',
    values: { ...base.values, ...copied.values, ...whereParts.values },
  }
}

/** Days of entries whose orders are looked up one by one; with more it costs less to check each order. */
const maxLookedUpDays = 100

export function isShortRange({ from, until }: Pick<Partial<LedgerFilter>, 'from' | 'until'>): boolean {
  return from !== undefined && until !== undefined && daysBetween(from, until) < maxLookedUpDays
}

/**
 * The orders of which something was sold, or entered, in a long range of days that nothing but a title narrows, as mutually exclusive conditions on
 * `order_sums m`: those sold then, and the few of which only something else was entered. `areMany`: most of them match the days.
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

/** A condition for few orders. PostgreSQL looks them up one by one; with IN it might walk through all orders and check each. */
export function isOneOfSql({ db }: Pick<AppContext, 'db'>, id: 'o.id' | 'm.order_id', select: string): string {
  return db.dialect === 'postgres' ? `${id} = ANY (ARRAY(${select}))` : `${id} IN (${select})`
}

/** Days of entries as SQL: whether the sale of `order_sums m` was entered in them, and the orders for which something else was. */
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
    // What was not paid by then was not in the ledger.
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
  const inDays = `SELECT m.order_id FROM order_sums m WHERE ${publisherSql('m')} ${sold} ${isSold ? '' : `UNION ALL ${later}`}`
  if (isShortRange(filter)) {
    if (table === 'm' && isSold) return sold
    return isOneOfSql(ctx, table === 'o' ? 'o.id' : 'm.order_id', inDays)
  }
  const isLaterSql = `m.order_id IN (${later})`
  // With an OR SQLite looks up both sides and sorts the matches; with many matches it costs less to scan all in their order.
  const isSoldOrLaterSql =
    areMany && !isPostgres ? `CASE WHEN ${sold} THEN TRUE ELSE ${isLaterSql} END` : `(${sold} OR ${isLaterSql})`
  const isInDaysSql = isSold ? sold : isSoldOrLaterSql
  if (table === 'm') return isInDaysSql
  return areMany === false && !isPostgres
    ? `o.id IN (${inDays})`
    : `EXISTS (SELECT 1 FROM order_sums m WHERE m.order_id = o.id AND ${isInDaysSql})`
}

/** The choices and the search text, in `orders o`. */
function orderConditions(ctx: Pick<AppContext, 'actor'>, choices: Partial<LedgerFilter>, search: Condition): Condition {
  const { publisherId } = tenantOf(ctx)
  const chosen = choiceConditions(choices, (table) =>
    publisherId === undefined ? '1 = 1' : `${table}.publisher_id = :publisherId`,
  )
  return {
    where: [...chosen.conditions, search.where].filter(Boolean).join(' AND '),
    values: { ...chosen.values, ...search.values },
  }
}
