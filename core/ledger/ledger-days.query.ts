import { LRUCache } from 'lru-cache'
import type { AppContext } from '../context.ts'
import { type Database, nonEmptyIds, type SqlValues } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { shareConcurrentReads } from '../kernel/share-concurrent-reads.ts'
import type { DayAmounts } from './ledger-days.rules.ts'
import { ledgerVersion } from './ledger-editions.rows.ts'

/** Which stored totals are read; without a publisher, those of all publishers. */
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
 * The stored totals of these days added up, per currency; without `from`, they are the totals at the end of the day `until`. A page that needs the
 * same sums more than once reads them once. A publisher's sums are cached until its ledger changes: every page of the back office shows them.
 */
export function sumDays(ctx: Pick<AppContext, 'db'>, filter: LedgerDaysFilter): Promise<readonly Totals[]> {
  return shared(ctx, JSON.stringify(filter), () => cachedSums(ctx, filter))
}

async function cachedSums(ctx: Pick<AppContext, 'db'>, filter: LedgerDaysFilter): Promise<readonly Totals[]> {
  const { publisherId } = filter
  if (publisherId === undefined || ctx.db.isInTransaction()) return readSums(ctx, filter)
  // The version is read before the sums: if an entry is made meanwhile, the sums are cached under the old version, which is not read again.
  const key = `${await ledgerVersion(ctx, publisherId)} ${JSON.stringify(filter)}`
  const cache = cached.get(ctx.db) ?? new LRUCache<string, readonly Totals[]>({ max: maxCached })
  cached.set(ctx.db, cache)
  const sums = cache.get(key) ?? (await readSums(ctx, filter))
  cache.set(key, sums)
  return sums
}

async function readSums(ctx: Pick<AppContext, 'db'>, filter: LedgerDaysFilter): Promise<readonly Totals[]> {
  const { where, values } = conditionOf(filter)
  // Grouped in the order of the primary key: grouping by currency alone makes SQLite sort all rows.
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

/** The number of orders of each publication that were sold on these days. */
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
    values.publicationIds = nonEmptyIds(publicationIds)
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
