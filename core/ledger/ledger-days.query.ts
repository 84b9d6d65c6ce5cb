import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { DayAmounts } from './ledger-days.rules.ts'

/** Which of the kept sums; of everybody where no publisher is given. */
export interface LedgerDaysFilter {
  publisherId?: number | undefined
  publicationIds?: readonly number[] | undefined
  from?: Day | undefined
  until?: Day | undefined
}

type Totals = Pick<DayAmounts, 'sales' | 'sold' | 'refunded' | 'earned'> & { currency: Currency }

/** What the kept sums of these days add up to, per currency: up to a day, they are the totals at its end. */
export async function sumDays(ctx: Pick<AppContext, 'db'>, filter: LedgerDaysFilter): Promise<Totals[]> {
  const { where, values } = conditionOf(filter)
  const rows = await ctx.db.query<Totals>(
    `SELECT currency, SUM(sales) AS sales, SUM(sold) AS sold, SUM(refunded) AS refunded, SUM(earned) AS earned
     FROM ledger_days WHERE ${where} GROUP BY currency`,
    values,
  )
  return rows.map(({ currency, sales, sold, refunded, earned }) => ({
    currency,
    // PostgreSQL gives sums of whole numbers as text.
    ...{ sales: Number(sales), sold: Number(sold), refunded: Number(refunded), earned: Number(earned) },
  }))
}

function conditionOf({ publisherId, publicationIds, from, until }: LedgerDaysFilter): {
  where: string
  values: SqlValues
} {
  const conditions: string[] = []
  const values: SqlValues = {}
  if (publisherId !== undefined) {
    conditions.push('publisher_id = :publisherId')
    values.publisherId = publisherId
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
