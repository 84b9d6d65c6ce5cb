import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { dayOf, daysBetween } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { DayInput } from '../kernel/day-input.ts'
import { SearchText } from '../kernel/paging.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { choiceConditions, hasChoice, OrderChoices } from './order-choices.ts'

/** Which orders of the sales ledger, and how it stood: the same for the list, its sums and its file. */
export const LedgerFilter = z.object({
  publicationId: z.coerce.number().int().optional(),
  q: SearchText,
  from: DayInput,
  until: DayInput,
  /** What `from` and `until` are about: the day of the order, that of its sale (paid), or any on which something of it was entered (paid, refunded). */
  by: z.enum(['ordered', 'sold', 'entered']).default('ordered').catch('ordered'),
  /** The ledger as it stood at the end of this day; today where none is given. */
  asOf: DayInput,
  ...OrderChoices.shape,
})
export type LedgerFilter = z.output<typeof LedgerFilter>

/** The day at whose end the ledger is looked at: never one to come, of which nobody knows what will be entered. */
export function asOfDay(ctx: Pick<AppContext, 'now' | 'settings'>, asOf: Day | undefined): Day {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  return asOf !== undefined && asOf < today ? asOf : today
}

/** Whether a filter leaves out more than other titles: what is left is not kept as a sum. */
export function isNarrow({ q, from, until, ...choices }: Partial<LedgerFilter>): boolean {
  return Boolean(q?.trim() || from || until) || hasChoice(choices)
}

/** A condition, and the values it asks for. */
export interface Condition {
  where: string
  values: SqlValues
}

const noWords: Condition = { where: '', values: {} }

/** The orders of the sales ledger, `orders o`: paid, or paid once and taken back, of the acting publisher, of one publication if wanted, holding what was typed (`orderWords`). */
export function orderFilter(
  ctx: Pick<AppContext, 'actor' | 'db'>,
  filter: Partial<LedgerFilter>,
  words: Condition = noWords,
): Condition {
  const { asOf } = filter
  const own = ownFilter(ctx, filter, { table: 'o', id: 'o.id' })
  const held = orderConditions(ctx, filter, words)
  const conditions = [`o.state IN ('paid', 'refunded', 'reversed')`, own.where, held.where]
  const values: SqlValues = { ...own.values, ...held.values }
  if (asOf !== undefined) {
    // What was not paid for by then was not in the ledger.
    conditions.push(
      `EXISTS (SELECT 1 FROM ledger_entries s WHERE s.order_id = o.id AND s.kind = 'sale' AND s.entered_on <= :asOf)`,
    )
    values.asOf = asOf
  }
  return { where: conditions.filter(Boolean).join(' AND '), values }
}

/**
 * The same orders by their kept sums, `order_sums m`: an order has a row there once it is paid. Of today alone, whatever `asOf` says. With
 * `areMany` each order is looked at when its turn comes, instead of all of them first.
 */
export function sumFilter(
  ctx: Pick<AppContext, 'actor' | 'db'>,
  filter: Partial<LedgerFilter>,
  { words = noWords, areMany = false }: { words?: Condition; areMany?: boolean } = {},
): Condition {
  const own = ownFilter(ctx, filter, { table: 'm', id: 'm.order_id' })
  const held = orderConditions(ctx, filter, words)
  const { publisherId } = tenantOf(ctx)
  const ofPublisher = publisherId === undefined ? '' : 'o.publisher_id = :publisherId AND'
  const isHeld =
    held.where &&
    (areMany
      ? `EXISTS (SELECT 1 FROM orders o WHERE o.id = m.order_id AND ${held.where})`
      : `m.order_id IN (SELECT o.id FROM orders o WHERE ${ofPublisher} ${held.where})`)
  return {
    where: [own.where, isHeld].filter(Boolean).join(' AND ') || '1 = 1',
    values: { ...own.values, ...held.values },
  }
}

/** Days of entries whose orders PostgreSQL looks up one by one; of more it does better to look at all orders. */
const fewDays = 100

/** Publisher, publication and days, which stand in the row of either table. */
function ownFilter(
  ctx: Pick<AppContext, 'actor' | 'db'>,
  { publicationId, from, until, by }: Partial<LedgerFilter>,
  { table, id }: { table: string; id: string },
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
  const [first, last] = [from && 'd >= :from', until && 'd <= :until']
  const isWithin = (day: string) => [first, last].filter(Boolean).join(' AND ').replaceAll('d ', `${day} `)
  if (first || last) {
    const ofPublisher = publisherId === undefined ? '' : 'e.publisher_id = :publisherId AND'
    const kind = by === 'sold' ? `AND e.kind = 'sale'` : ''
    const entered = `(SELECT e.order_id FROM ledger_entries e WHERE ${ofPublisher} ${isWithin('e.entered_on')} ${kind})`
    // PostgreSQL would walk through the orders from the newest on, and ask of each whether it was entered then.
    const areFew = ctx.db.dialect === 'postgres' && from && until && daysBetween(from, until) < fewDays
    const isEntered = areFew ? `${id} = ANY (ARRAY${entered})` : `${id} IN ${entered}`
    conditions.push(by === 'sold' || by === 'entered' ? isEntered : isWithin(`${table}.ordered_on`))
    Object.assign(values, from && { from }, until && { until })
  }
  return { where: conditions.join(' AND '), values }
}

/** What was chosen and what was typed, in `orders o`. */
function orderConditions(
  ctx: Pick<AppContext, 'actor'>,
  { publicationId, q, from, until, by, asOf, ...choices }: Partial<LedgerFilter>,
  words: Condition,
): Condition {
  const { publisherId } = tenantOf(ctx)
  const chosen = choiceConditions(choices, (table) =>
    publisherId === undefined ? '1 = 1' : `${table}.publisher_id = :publisherId`,
  )
  return {
    where: [...chosen.conditions, words.where].filter(Boolean).join(' AND '),
    values: { ...chosen.values, ...words.values },
  }
}
