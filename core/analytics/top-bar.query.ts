import { z } from 'zod'
import type { Money } from '../kernel/money.ts'
import { sumDays } from '../ledger/ledger-days.query.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { readersTotals } from '../readers/readers-total.ts'
import { useCase } from '../use-case.ts'

export interface TopBarFigures {
  titles: number
  readers: number
  /** The total of the ledger in pounds; other currencies have their own sums in the sales ledger. */
  orders: Money
}

/** The acting publisher's own three figures: titles, readers, orders in pounds. Readers are counted once per version of their data. */
export const topBarFigures = useCase({
  permission: 'dashboard:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<TopBarFigures> {
    const { publisherId } = tenantOf(ctx)
    const isOwn = publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'
    const values = { publisherId: publisherId ?? null }
    const [titles, orders] = await Promise.all([
      ctx.db.query<{ id: number }>(
        `SELECT p.id FROM publications p WHERE p.removed_at IS NULL AND NOT p.is_example ${isOwn}`,
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
