import type { AppContext } from '../context.ts'
import { rowsFromJson } from '../dialect.ts'
import { columnName } from '../kernel/column-name.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { day, defineTable, integer, type RowOf, ref, text } from '../table.ts'

/** The terms of a take-over (see `Earning`): a row groups the readers with like terms, and its amounts are sums over them, in minor units. */
export const OpeningBalanceTerms = defineTable('opening_balance_terms', {
  openingId: ref(),
  currency: text<Currency>(),
  product: text<Product>(),
  serviceStartOn: day(),
  /** The last day of the term, included. */
  serviceEndOn: day(),
  readers: integer(),
  termMonths: integer(),
  anchorDay: integer(),
  amount: integer(),
  monthlyAmount: integer(),
  /** What was owed at the end of the day of the take-over. */
  takenOver: integer(),
})

export type OpeningTerm = Omit<RowOf<typeof OpeningBalanceTerms>, 'openingId'>

// biome-ignore format: a table
const kinds = {
  currency: 'text', product: 'text', service_start_on: 'day', service_end_on: 'day', readers: 'integer', term_months: 'integer',
  anchor_day: 'integer', amount: 'id', monthly_amount: 'id', taken_over: 'id',
} as const
const columns = Object.keys(kinds).join(', ')

/** Writes the terms of a take-over. Call it once, in the transaction of the take-over. */
export async function insertOpeningTerms(
  ctx: Pick<AppContext, 'db'>,
  openingId: number,
  terms: readonly OpeningTerm[],
): Promise<void> {
  const from = rowsFromJson(ctx.db, ':rows', 'terms', kinds)
  const rows = terms.map((term) =>
    Object.fromEntries(Object.entries(term).map(([name, value]) => [columnName(name), value])),
  )
  for (let first = 0; first < rows.length; first += 1000)
    await ctx.db.run(
      `INSERT INTO opening_balance_terms (opening_id, ${columns}) SELECT :openingId, ${columns} FROM ${from}`,
      { openingId, rows: JSON.stringify(rows.slice(first, first + 1000)) },
    )
}

/** Deletes the terms of an undone take-over. Call it in a transaction. */
export async function removeOpeningTerms(ctx: Pick<AppContext, 'db'>, openingId: number): Promise<void> {
  await OpeningBalanceTerms.remove(ctx, { openingId })
}
