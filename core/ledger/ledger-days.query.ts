import { LRUCache } from 'lru-cache'
import type { AppContext } from '../context.ts'
import type { Database, SqlValues } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { shareConcurrentReads } from '../kernel/share-concurrent-reads.ts'
import type { DayAmounts } from './ledger-days.rules.ts'
import { ledgerVersion } from './ledger-editions.rows.ts'

/** Which of the stored totals; those of all publishers where none is given. */
export interface LedgerDaysFilter {
  publisherId?: number | undefined
  currency?: Currency | undefined
  publicationIds?: readonly number[] | undefined
  from?: Day | undefined
  until?: Day | undefined
}

type Totals = Readonly<Pick<DayAmounts, 'sales' | 'sold' | 'refunded' | 'earned'> & { currency: Currency }>

const shared = shareConcurrentReads<readonly Totals[]>()

/** Sums by query and by the version of the ledger they were read from. */
const cached = new WeakMap<Database, LRUCache<string, readonly Totals[]>>()
const maxCached = 1000

/**
 * The stored totals of these days added up, per currency: up to a day, they are the totals at its end. A page needs the same more than once, for its
 * totals and for the number of its rows: it is read once. A publisher's are cached until its ledger changes: they are on every page of the back
 * office, and adding up two years of three titles took a third of the processor time of a page.
 */
export function sumDays(ctx: Pick<AppContext, 'db'>, filter: LedgerDaysFilter): Promise<readonly Totals[]> {
  return shared(ctx, JSON.stringify(filter), () => cachedSums(ctx, filter))
}

async function cachedSums(ctx: Pick<AppContext, 'db'>, filter: LedgerDaysFilter): Promise<readonly Totals[]> {
  const { publisherId } = filter
  if (publisherId === undefined || ctx.db.isInTransaction()) return readSums(ctx, filter)
  // Read before the sums: if an entry is made meanwhile, they are cached under an old version.
  const key = `${await ledgerVersion(ctx, publisherId)} ${JSON.stringify(filter)}`
  const cache = cached.get(ctx.db) ?? new LRUCache<string, readonly Totals[]>({ max: maxCached })
  cached.set(ctx.db, cache)
  const sums = cache.get(key) ?? (await readSums(ctx, filter))
  cache.set(key, sums)
  return sums
}

async function readSums(ctx: Pick<AppContext, 'db'>, filter: LedgerDaysFilter): Promise<readonly Totals[]> {
  const { where, values } = conditionOf(filter)
  // In the order of the key: sorting only by currency cost SQLite as much again as the sums.
  const rows = await ctx.db.query<Totals>(
    `SELECT currency, SUM(sales) AS sales, SUM(sold) AS sold, SUM(refunded) AS refunded, SUM(earned) AS earned
     FROM ledger_days WHERE ${where} GROUP BY ${filter.publisherId === undefined ? '' : 'publication_id, '}currency`,
    values,
  )
  const sums = new Map<Currency, { -readonly [Part in keyof Totals]: Totals[Part] }>()
  for (const { currency, sales, sold, refunded, earned } of rows) {
    const sum = sums.get(currency) ?? { currency, sales: 0, sold: 0, refunded: 0, earned: 0 }
    // PostgreSQL returns sums of whole numbers as text.
    sum.sales += Number(sales)
    sum.sold += Number(sold)
    sum.refunded += Number(refunded)
    sum.earned += Number(earned)
    sums.set(currency, sum)
  }
  return [...sums.values()]
}

/** How many orders of each publication were sold on these days: up to a day, all that were in the ledger at its end. */
export async function salesByPublication(
  ctx: Pick<AppContext, 'db'>,
  filter: LedgerDaysFilter,
): Promise<Map<number, number>> {
  const { where, values } = conditionOf(filter)
  const rows = await ctx.db.query<{ id: number; sales: number }>(
    `SELECT publication_id AS id, SUM(sales) AS sales FROM ledger_days WHERE ${where} GROUP BY publication_id`,
    values,
  )
  return new Map(rows.map(({ id, sales }) => [id, Number(sales)]))
}

function conditionOf({ publisherId, currency, publicationIds, from, until }: LedgerDaysFilter): {
  where: string
  values: SqlValues
} {
  const conditions: string[] = []
  const values: SqlValues = {}
  if (publisherId !== undefined) {
    conditions.push('publisher_id = :publisherId')
    values.publisherId = publisherId
  }
  if (currency !== undefined) {
    conditions.push('currency = :currency')
    values.currency = currency
  }
  if (publicationIds !== undefined) {
    conditions.push('publication_id IN (:publicationIds)')
    values.publicationIds = publicationIds.length > 0 ? publicationIds : [-1]
  }
  if (from !== undefined) {
    conditions.push('day >= :from')
    values.from = from
  }
  if (until !== undefined) {
    conditions.push('day <= :until')
    values.until = until
  }
  return { where: conditions.join(' AND ') || '1 = 1', values }
}
