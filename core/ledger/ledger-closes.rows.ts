import type { AppContext } from '../context.ts'
import { asInstant, asNullableInstant } from '../database.ts'
import type { Currency } from '../kernel/money.ts'
import { defaulted, defineTable, id, instant, integer, json, nullable, ref, text } from '../table.ts'
import type { LedgerProduct } from './ledger-products.rules.ts'
import type { Month } from './months.rules.ts'

/** The sums of one provider in one currency, in minor units, as its journal posts them. */
export interface PayoutSums {
  provider: 'stripe' | 'paypal'
  currency: Currency
  /** What was paid out; `debits` and `unexplained` are parts of it. */
  amount: number
  debits: number
  unexplained: number
  /** Charges that belong to no order, and payouts that came back. */
  fees: number
  returned: number
}

/** What the payout journals of a month post (`own`), and those of all months until its end (`total`). */
export interface PostedPayouts {
  own: PayoutSums[]
  total: PayoutSums[]
  /** Only in the first close in force, which also closes the months before it: what those post. Missing in closes from before it was stored. */
  earlier?: Record<Month, PayoutSums[]>
}

/** One row for each close of a month. Reopening keeps the row; closing the month again adds another. */
export const LedgerCloses = defineTable('ledger_closes', {
  id: id(),
  publisherId: ref(),
  month: text<Month>(),
  closedAt: instant(),
  /** The user; null: the system. */
  closedBy: nullable(ref()),
  /** The recipients of the monthly pack at the time of the close. */
  packEmails: defaulted(json<string[]>()),
  /** As posted at the time of the close; null: closed before payouts were stored. */
  payouts: nullable(json<PostedPayouts>()),
  /** Null: the month is still closed. */
  reopenedAt: nullable(instant()),
  reopenedBy: nullable(ref()),
  reopenReason: defaulted(text()),
})

/** The figures of the deferred revenue schedule as they were when a month was closed. Written once. */
export const LedgerCloseRows = defineTable('ledger_close_rows', {
  id: id(),
  closeId: ref(),
  publicationId: ref(),
  currency: text<Currency>(),
  product: nullable(text<NonNullable<LedgerProduct>>()),
  opening: integer(),
  takenOver: defaulted(integer()),
  sold: integer(),
  refunded: integer(),
  earned: integer(),
  closing: integer(),
})

/** A close with the names of its users; "the system" if no user did it. */
export interface MonthClose {
  id: number
  month: Month
  closedAt: Date
  closedBy: string
  reopenedAt: Date | null
  reopenedBy: string
  reopenReason: string
}

/** Every close of a publisher, including reopened ones, ordered by month. */
export async function closesOf(ctx: Pick<AppContext, 'db'>, publisherId: number): Promise<MonthClose[]> {
  const rows = await ctx.db.query<{
    id: number
    month: Month
    closed_at: Date | string
    closed_by: string | null
    reopened_at: Date | string | null
    reopened_by: string | null
    reopen_reason: string
  }>(
    `SELECT c.id, c.month, c.closed_at, c.reopened_at, c.reopen_reason,
            TRIM(u.first_name || ' ' || u.last_name) AS closed_by, TRIM(r.first_name || ' ' || r.last_name) AS reopened_by
     FROM ledger_closes c LEFT JOIN users u ON u.id = c.closed_by LEFT JOIN users r ON r.id = c.reopened_by
     WHERE c.publisher_id = :publisherId ORDER BY c.month, c.id`,
    { publisherId },
  )
  return rows.map((row) => ({
    id: Number(row.id),
    month: row.month,
    closedAt: asInstant(row.closed_at),
    closedBy: row.closed_by || 'the system',
    reopenedAt: asNullableInstant(row.reopened_at),
    reopenedBy: row.reopened_by || 'the system',
    reopenReason: row.reopen_reason,
  }))
}

/** The closes that were not reopened, by month. */
export async function closesInForce(
  ctx: Pick<AppContext, 'db'>,
  publisherId: number,
): Promise<ReadonlyMap<Month, MonthClose>> {
  const closes = (await closesOf(ctx, publisherId)).filter(({ reopenedAt }) => reopenedAt === null)
  return new Map(closes.map((close) => [close.month, close]))
}
