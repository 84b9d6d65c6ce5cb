import type { AppContext } from '../context.ts'
import { type Currency, currencies } from '../kernel/money.ts'

/** What a blank country and an amount without a symbol mean in a publisher's files. */
export async function publisherSettings(
  ctx: Pick<AppContext, 'db'>,
  publisherId: number,
): Promise<{ homeCountry: string; mainCurrency: Currency }> {
  const [row] = await ctx.db.query<{ country: string; main_currency: string }>(
    `SELECT country, main_currency FROM accounts WHERE user_id = :publisherId`,
    { publisherId },
  )
  return {
    homeCountry: row?.country || 'GB',
    mainCurrency: currencies.find((currency) => currency === row?.main_currency) ?? 'GBP',
  }
}
