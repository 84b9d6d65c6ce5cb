import type { AppContext } from '../context.ts'
import { typedValue } from '../dialect.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { day, defineTable, id, instant, integer, nullable, ref, text } from '../table.ts'

/** What was earned and given back: one sale and at most one refund for an order. */
export const LedgerEntries = defineTable('ledger_entries', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  orderId: ref(),
  kind: text<'sale' | 'refund'>(),
  enteredOn: day(),
  currency: text<Currency>(),
  /** Minor units; below nought for a refund. */
  amount: integer(),
  /** Null for back issues. */
  product: nullable(text()),
  serviceStartOn: nullable(day()),
  serviceEndOn: nullable(day()),
  termMonths: nullable(integer()),
  createdAt: instant(),
})

/**
 * Writes into the ledger that a sale was given back, once: the same amount below nought, over the same service period, so that what is
 * fulfilled of both and what is owed for both come to nothing on every day.
 */
export async function enterRefund(ctx: AppContext, { orderId, today }: { orderId: number; today: Day }): Promise<void> {
  await ctx.db.run(
    `INSERT INTO ledger_entries (publisher_id, publication_id, order_id, kind, entered_on, currency, amount, product,
       service_start_on, service_end_on, term_months, created_at)
     SELECT publisher_id, publication_id, order_id, 'refund', ${typedValue(ctx.db, ':today', 'day')}, currency, -amount, product,
       service_start_on, service_end_on, term_months, ${typedValue(ctx.db, ':now', 'instant')}
     FROM ledger_entries WHERE order_id = :orderId AND kind = 'sale'
     ON CONFLICT (order_id, kind) DO NOTHING`,
    { orderId, today, now: ctx.now() },
  )
}
