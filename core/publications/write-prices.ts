import type { AppContext } from '../context.ts'
import type { PriceRow } from '../pricing/price-table.rules.ts'

/** Puts a publication's prices in place of those it had, in the transaction of the change. */
export async function writePrices(ctx: AppContext, publicationId: number, prices: readonly PriceRow[]): Promise<void> {
  await ctx.db.run(`DELETE FROM publication_prices WHERE publication_id = :publicationId`, { publicationId })
  for (const { product, termMonths, band, isRecurring, amount } of prices) {
    await ctx.db.run(
      `INSERT INTO publication_prices (publication_id, product, term_months, band, is_recurring, amount)
       VALUES (:publicationId, :product, :termMonths, :band, :isRecurring, :amount)`,
      { publicationId, product, termMonths, band, isRecurring, amount },
    )
  }
}
