import type { AppContext } from '../context.ts'
import type { PriceRow } from '../pricing/price-table.rules.ts'
import { defineTable, flag, id, integer, ref, text } from '../table.ts'

export const PublicationPrices = defineTable('publication_prices', {
  id: id(),
  publicationId: ref(),
  product: text<PriceRow['product']>(),
  termMonths: integer(),
  band: text<PriceRow['band']>(),
  isRecurring: flag(),
  /** Minor units. */
  amount: integer(),
})

/** Replaces a publication's prices, in the transaction of the change. */
export async function writePrices(ctx: AppContext, publicationId: number, prices: readonly PriceRow[]): Promise<void> {
  await PublicationPrices.remove(ctx, { publicationId })
  for (const { product, termMonths, band, isRecurring, amount } of prices) {
    await PublicationPrices.insert(ctx, { publicationId, product, termMonths, band, isRecurring, amount })
  }
}
