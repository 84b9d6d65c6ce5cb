import type { AppContext } from '../context.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { isRevenueSql } from './earned-sql.ts'
import { closesOf } from './ledger-closes.rows.ts'

/**
 * What was entered late for these orders, until the end of a day, because its month was closed: the days as text, by order. Orders without late
 * entries are missing.
 */
export type LateEntries = (orderIds: readonly number[], asOf: Day) => Promise<ReadonlyMap<number, string>>

/** Where no month was ever closed, nothing is late and no query is made. */
export async function lateEntries(ctx: Pick<AppContext, 'actor' | 'db'>): Promise<LateEntries> {
  const { publisherId } = tenantOf(ctx)
  if (publisherId !== undefined && (await closesOf(ctx, publisherId)).length === 0) return async () => new Map()
  return async (orderIds, asOf) => {
    const rows = await ctx.db.query<{ order_id: number; occurred_on: Day; entered_on: Day }>(
      `SELECT DISTINCT l.order_id, l.occurred_on, l.entered_on FROM ledger_entries l
       WHERE l.order_id IN (:orderIds) AND l.occurred_on IS NOT NULL AND l.entered_on <= :asOf AND ${isRevenueSql('l')}
       ORDER BY l.order_id, l.entered_on, l.occurred_on`,
      { orderIds: [...orderIds], asOf },
    )
    const notes = new Map<number, string>()
    for (const { order_id: id, occurred_on: occurred, entered_on: entered } of rows) {
      const note = `${formatDay(occurred)} entered on ${formatDay(entered)}`
      notes.set(Number(id), notes.has(Number(id)) ? `${notes.get(Number(id))}; ${note}` : note)
    }
    return notes
  }
}
