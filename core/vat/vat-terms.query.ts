import type { AppContext } from '../context.ts'
import { awaitAll } from '../database.ts'
import type { VatTerms } from './vat.rules.ts'
import { exchangeRatesOf } from './vat-exchange-rates.rows.ts'
import { ratesOf } from './vat-rates.rows.ts'
import { VatSettings } from './vat-settings.rows.ts'

/** Everything that a publisher has set for VAT. */
export async function vatTermsOf(ctx: Pick<AppContext, 'db'>, publisherId: number): Promise<VatTerms> {
  const [settings, rates, exchange] = await awaitAll(
    VatSettings.find(ctx, { publisherId }),
    ratesOf(ctx, publisherId),
    exchangeRatesOf(ctx, publisherId),
  )
  // Nothing is worked out until the publisher has set whether it charges VAT.
  if (settings === null) return { settings, rates: [], exchange: new Map() }
  return {
    settings,
    rates,
    exchange: new Map(exchange.map(({ month, currency, rate }) => [`${month} ${currency}`, rate])),
  }
}
