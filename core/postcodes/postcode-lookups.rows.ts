import type { AppContext } from '../context.ts'
import { defineTable, id, instant, text } from '../table.ts'

/** The address cache: addresses by postcode as a provider returned them. */
export const PostcodeLookups = defineTable('postcode_lookups', {
  id: id(),
  provider: text(),
  postCode: text(),
  /** One address a line. */
  addresses: text(),
  lookedUpAt: instant(),
})

/**
 * A look-up costs money; the addresses of a postcode change a few times a year. A month saves most look-ups of a busy storefront and is
 * short enough that a new house is found before its first magazine. Stored in the database, for all processes and across restarts.
 */
const cacheDays = 30

/** The addresses of a postcode as the provider returned them recently, or null. */
export async function cachedAddresses(ctx: AppContext, provider: string, postCode: string): Promise<string[] | null> {
  const [row] = await ctx.db.query<{ addresses: string }>(
    `SELECT addresses FROM postcode_lookups WHERE provider = :provider AND post_code = :postCode AND looked_up_at > :oldest`,
    { provider, postCode, oldest: oldestCached(ctx) },
  )
  return row ? row.addresses.split('\n') : null
}

export async function cacheAddresses(
  ctx: AppContext,
  provider: string,
  postCode: string,
  addresses: readonly string[],
): Promise<void> {
  await ctx.db.run(
    `INSERT INTO postcode_lookups (provider, post_code, addresses, looked_up_at) VALUES (:provider, :postCode, :addresses, :now)
     ON CONFLICT (provider, post_code) DO UPDATE SET addresses = excluded.addresses, looked_up_at = excluded.looked_up_at`,
    { provider, postCode, addresses: addresses.join('\n'), now: ctx.now() },
  )
}

/** Deletes expired entries. Returns how many postcodes. */
export function clearCachedAddresses(ctx: AppContext): Promise<number> {
  return ctx.db.run(`DELETE FROM postcode_lookups WHERE looked_up_at <= :oldest`, { oldest: oldestCached(ctx) })
}

function oldestCached(ctx: AppContext): Date {
  return new Date(ctx.now().getTime() - cacheDays * 86_400_000)
}
