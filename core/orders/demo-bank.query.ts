import { notFound } from '../kernel/errors.ts'
import type { Money } from '../kernel/money.ts'
import { DemoCharges } from '../payment-methods/demo-charges.rows.ts'
import { useCase } from '../use-case.ts'
import { OrderKey, orderOfKey } from './order-by-key.ts'

/** The order that the demo bank asks the buyer about. */
export interface DemoBankQuestion {
  isOpen: boolean
  orderNumber: string
  productName: string
  money: Money
}

/** The demo bank's question for an order; `notFound` if there is no demo bank or it was never asked. */
export const demoBankQuestion = useCase({
  permission: 'public',
  input: OrderKey,
  transaction: 'none',
  async run(ctx, orderKey): Promise<DemoBankQuestion> {
    if (!ctx.payments.demo) throw notFound('This page')
    const order = await orderOfKey(ctx, orderKey)
    const charge = await DemoCharges.find(ctx, { idempotencyKey: order.idempotencyKey })
    if (!charge) throw notFound('This payment')
    return {
      isOpen: charge.state === 'needs-action',
      orderNumber: order.orderNumber,
      productName: order.productName,
      money: { amount: order.amount, currency: order.currency },
    }
  },
})
