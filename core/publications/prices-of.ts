import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { flatPriceNames } from '../pricing/flat-price-names.rules.ts'
import type { PriceRow } from '../pricing/price-table.rules.ts'

/** A publication's stored prices, in the order of the flat names. */
export async function pricesOf(ctx: Pick<AppContext, 'db'>, publicationId: number): Promise<PriceRow[]> {
  const rows = await ctx.db.query<{
    product: PriceRow['product']
    term_months: PriceRow['termMonths']
    band: PriceRow['band']
    is_recurring: unknown
    amount: number
  }>(
    `SELECT product, term_months, band, is_recurring, amount FROM publication_prices WHERE publication_id = :publicationId`,
    { publicationId },
  )
  const stored = rows.map((row) => ({
    product: row.product,
    termMonths: row.term_months,
    band: row.band,
    isRecurring: asBoolean(row.is_recurring),
    amount: Number(row.amount),
  }))
  const isSamePrice = (a: Omit<PriceRow, 'amount'>) => (b: PriceRow) =>
    a.product === b.product && a.termMonths === b.termMonths && a.band === b.band && a.isRecurring === b.isRecurring
  return flatPriceNames.flatMap((key) => stored.filter(isSamePrice(key)))
}
