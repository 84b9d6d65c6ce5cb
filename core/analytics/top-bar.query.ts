import { z } from 'zod'
import type { Money } from '../kernel/money.ts'
import { sumDays } from '../ledger/ledger-days.query.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { readersTotals } from '../readers/readers-total.ts'
import { useCase } from '../use-case.ts'

export interface TopBarFigures {
  titles: number
  readers: number
  /** The total of the sales ledger in pounds; the totals in other currencies are only in the ledger. */
  orders: Money
}

/** The three figures of the acting publisher: titles, readers, and orders in pounds. Readers are only counted again when they have changed. */
export const topBarFigures = useCase({
  permission: 'dashboard:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<TopBarFigures> {
    const { publisherId } = tenantOf(ctx)
    const ownSql = publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'
    const values = { publisherId: publisherId ?? null }
    const [titles, orders] = await Promise.all([
      ctx.db.query<{ id: number }>(
        `SELECT p.id FROM publications p WHERE p.removed_at IS NULL AND NOT p.is_example ${ownSql}`,
        values,
      ),
      sumDays(ctx, { publisherId, currency: 'GBP' }),
    ])
    const [inPounds] = orders
    const readers = await readersTotals(
      ctx,
      titles.map(({ id }) => id),
    )
    return {
      titles: titles.length,
      readers: [...readers.values()].reduce((sum, n) => sum + n, 0),
      orders: { amount: inPounds ? inPounds.sold - inPounds.refunded : 0, currency: 'GBP' },
    }
  },
})
