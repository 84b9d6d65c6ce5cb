import type { AppContext } from '../context.ts'
import { day, defineTable, id, instant, integer, type RowOf, ref, text } from '../table.ts'
import type { Supply, VatScheme } from './vat-rates.rules.ts'

/** The rates that a publisher has set in addition to the built-in ones. */
export const VatRates = defineTable('vat_rates', {
  id: id(),
  publisherId: ref(),
  country: text(),
  supply: text<Supply>(),
  fromOn: day(),
  rate: integer(),
  scheme: text<VatScheme>(),
  createdAt: instant(),
  updatedAt: instant(),
})

export function ratesOf(ctx: Pick<AppContext, 'db'>, publisherId: number): Promise<RowOf<typeof VatRates>[]> {
  return VatRates.rows(
    ctx,
    `SELECT ${VatRates.columns()} FROM vat_rates WHERE publisher_id = :publisherId ORDER BY country, supply, from_on DESC`,
    { publisherId },
  )
}
