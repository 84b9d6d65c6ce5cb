import type { AppContext } from '../context.ts'
import { rowsFromJson } from '../dialect.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { day, defineTable, id, instant, integer, nullable, ref } from '../table.ts'

/** Each take-over of a title's opening balances; one that was undone stays, without its terms. */
export const OpeningBalances = defineTable('opening_balances', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  /** What is not served at the end of this day is owed. */
  takenOn: day(),
  readers: integer(),
  takenAt: instant(),
  /** The user; null: the machine itself. */
  takenBy: nullable(ref()),
  /** Null: it stands. At most one of a title does. */
  undoneAt: nullable(instant()),
  undoneBy: nullable(ref()),
})

/** Terms that are alike, of any number of readers: see `Earning`. Amounts are sums over the readers, in minor units. */
export interface OpeningTerm {
  currency: Currency
  product: Product
  serviceStartOn: Day
  serviceEndOn: Day
  readers: number
  termMonths: number
  anchorDay: number
  amount: number
  monthlyAmount: number
  /** What was owed at the end of the day of the take-over. */
  takenOver: number
}

/** Writes terms of a take-over, once. Belongs in its transaction. */
export async function insertOpeningTerms(
  ctx: Pick<AppContext, 'db'>,
  openingId: number,
  terms: readonly OpeningTerm[],
): Promise<void> {
  const columns =
    'currency, product, service_start_on, service_end_on, readers, term_months, anchor_day, amount, monthly_amount, taken_over'
  const from = rowsFromJson(ctx.db, ':rows', 'given', {
    ...{ currency: 'text', product: 'text', service_start_on: 'day', service_end_on: 'day', readers: 'integer' },
    ...{ term_months: 'integer', anchor_day: 'integer', amount: 'id', monthly_amount: 'id', taken_over: 'id' },
  })
  for (let first = 0; first < terms.length; first += 1000) {
    const rows = terms.slice(first, first + 1000).map((term) => ({
      ...{ currency: term.currency, product: term.product, readers: term.readers, amount: term.amount },
      ...{ service_start_on: term.serviceStartOn, service_end_on: term.serviceEndOn, term_months: term.termMonths },
      ...{ anchor_day: term.anchorDay, monthly_amount: term.monthlyAmount, taken_over: term.takenOver },
    }))
    await ctx.db.run(
      `INSERT INTO opening_balance_terms (opening_id, ${columns}) SELECT :openingId, ${columns} FROM ${from}`,
      { openingId, rows: JSON.stringify(rows) },
    )
  }
}

/** Takes the terms of an undone take-over away. Belongs in a transaction. */
export async function removeOpeningTerms(ctx: Pick<AppContext, 'db'>, openingId: number): Promise<void> {
  await ctx.db.run('DELETE FROM opening_balance_terms WHERE opening_id = :openingId', { openingId })
}
