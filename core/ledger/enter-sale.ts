import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { enter } from './ledger-entries.rows.ts'

/** Writes a paid order into the ledger, once: what it took, and the service period it is earned over. */
export async function enterSale(
  ctx: AppContext,
  sale: {
    order: {
      id: number
      publisherId: number
      publicationId: number
      currency: Currency
      amount: number
      /** Null for back issues. */
      product: string | null
      termMonths: number | null
    }
    today: Day
    startOn: Day | null
    endOn: Day | null
  },
): Promise<void> {
  const { order } = sale
  const isEarnedOverTime = order.termMonths !== null
  const written = await enter(ctx, [
    {
      publisherId: order.publisherId,
      publicationId: order.publicationId,
      orderId: order.id,
      kind: 'sale',
      enteredOn: sale.today,
      currency: order.currency,
      amount: order.amount,
      product: order.product,
      serviceStartOn: isEarnedOverTime ? sale.startOn : null,
      serviceEndOn: isEarnedOverTime ? sale.endOn : null,
      termMonths: order.termMonths,
    },
  ])
  if (written === 0) throw new Error(`The sale of order ${order.id} is in the ledger already`)
}
