import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'

/** Writes a paid order into the ledger, once: what it took, and the service period it is earned over. */
export async function enterSale(
  ctx: AppContext,
  sale: {
    order: {
      id: number
      publisher_id: number
      publication_id: number
      currency: Currency
      amount: number
      /** Null for back issues. */
      product: string | null
      term_months: number | null
    }
    today: Day
    startOn: Day | null
    endOn: Day | null
  },
): Promise<void> {
  const { order } = sale
  const isEarnedOverTime = order.term_months !== null
  await ctx.db.run(
    `INSERT INTO ledger_entries (publisher_id, publication_id, order_id, kind, entered_on, currency, amount, product,
       service_start_on, service_end_on, term_months, created_at)
     VALUES (:publisherId, :publicationId, :orderId, 'sale', :today, :currency, :amount, :product, :startOn, :endOn, :termMonths, :now)`,
    {
      publisherId: order.publisher_id,
      publicationId: order.publication_id,
      orderId: order.id,
      today: sale.today,
      currency: order.currency,
      amount: order.amount,
      product: order.product,
      startOn: isEarnedOverTime ? sale.startOn : null,
      endOn: isEarnedOverTime ? sale.endOn : null,
      termMonths: order.term_months,
      now: ctx.now(),
    },
  )
}
