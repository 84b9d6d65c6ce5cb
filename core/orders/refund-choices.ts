import type { AppContext } from '../context.ts'
import type { Standing } from '../ledger/taking-back.rules.ts'
import { disputesOf } from './disputes.rows.ts'
import type { OrderRow } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import { type RefundChoices, refundChoices } from './refund.rules.ts'
import { refundsOf } from './refunds.rows.ts'

/** What can be refunded of an order, or why nothing can now. */
export async function choicesOf(
  ctx: Pick<AppContext, 'db'>,
  order: Pick<OrderRow, 'id' | 'state' | 'amount'>,
  standing: Standing | null,
): Promise<RefundChoices | { problem: string }> {
  if (order.amount === 0) return { problem: 'Nothing was paid for this order' }
  if (order.state === 'refunded') return { problem: 'The whole amount of this order was refunded' }
  if (order.state !== 'paid' || !standing) return { problem: 'This order is not paid' }
  const payment = await Payments.find(ctx, { orderId: order.id })
  if (payment?.state === 'accepted')
    return { problem: 'The bank is still processing the direct debit: it can be refunded once it is paid' }
  const disputes = await disputesOf(ctx, order.id)
  if (disputes.some(({ state }) => state === 'open'))
    return { problem: 'The buyer’s bank disputes this payment: it can be refunded when that has ended' }
  const choices = refundChoices(standing, await refundsOf(ctx, order.id))
  return choices.refundable > 0 ? choices : { problem: 'Nothing is left of this order that could be refunded' }
}
