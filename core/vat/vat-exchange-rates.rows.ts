import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import { defineTable, id, instant, integer, type RowOf, ref, text } from '../table.ts'

/** What a pound was worth in a month, as HMRC publishes it: VAT in another currency is converted to pounds by it. */
export const VatExchangeRates = defineTable('vat_exchange_rates', {
  id: id(),
  publisherId: ref(),
  /** `2026-11`. */
  month: text(),
  currency: text<Currency>(),
  /** Units of the currency for a pound, in millionths. */
  rate: integer(),
  createdAt: instant(),
  updatedAt: instant(),
})

export function exchangeRatesOf(
  ctx: Pick<AppContext, 'db'>,
  publisherId: number,
): Promise<RowOf<typeof VatExchangeRates>[]> {
  return VatExchangeRates.rows(
    ctx,
    `SELECT ${VatExchangeRates.columns()} FROM vat_exchange_rates WHERE publisher_id = :publisherId
     ORDER BY month DESC, currency`,
    { publisherId },
  )
}
