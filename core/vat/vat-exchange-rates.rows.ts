import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import { defineTable, id, instant, integer, type RowOf, ref, text } from '../table.ts'

/** The exchange rates of the pound by month, as HMRC publishes them: they convert VAT in another currency to pounds. */
export const VatExchangeRates = defineTable('vat_exchange_rates', {
  id: id(),
  publisherId: ref(),
  /** `2026-11`. */
  month: text(),
  currency: text<Currency>(),
  /** Units of the currency per pound, in millionths. */
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
