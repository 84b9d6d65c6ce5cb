import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { enter } from './ledger-entries.rows.ts'
import { untilPosted } from './posted-copies.rules.ts'

const noServicePeriod = { serviceStartOn: null, serviceEndOn: null, termMonths: null }

/**
 * Enters a paid order in the ledger, once: its amount, and the service period over which it is earned. Back issues are earned when they are posted
 * (`setServicePeriod`).
 */
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
    /** The postage in a back issue's amount. */
    postage?: number
    today: Day
    startOn: Day | null
    endOn: Day | null
  },
): Promise<void> {
  const { order, postage = 0 } = sale
  const { product, termMonths } = order
  const isEarnedOverTime = termMonths !== null
  const service =
    product === null
      ? untilPosted
      : isEarnedOverTime
        ? { serviceStartOn: sale.startOn, serviceEndOn: sale.endOn, termMonths }
        : noServicePeriod
  const written = await enter(ctx, [
    {
      publisherId: order.publisherId,
      publicationId: order.publicationId,
      orderId: order.id,
      kind: 'sale',
      enteredOn: sale.today,
      currency: order.currency,
      amount: order.amount,
      product,
      postage,
      ...service,
    },
  ])
  if (written === 0) throw new Error(`The sale of order ${order.id} is already in the ledger`)
}
