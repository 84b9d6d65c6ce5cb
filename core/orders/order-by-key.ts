import { z } from 'zod'
import { sameText } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import { addressPart } from '../kernel/form-fields.ts'
import { confirmationKey } from './order-number.ts'
import { type OrderRow, Orders } from './orders.rows.ts'

/** The number and key that open an order to the person who placed it: the number alone is not enough. */
export const OrderKey = z.object({
  orderNumber: addressPart(20),
  key: addressPart(60),
})

/** The order of a number and its key. Throws `notFound`. */
export async function orderOfKey(ctx: AppContext, { orderNumber, key }: z.output<typeof OrderKey>): Promise<OrderRow> {
  if (!sameText(key, confirmationKey(ctx.settings.appSecret, orderNumber))) throw notFound('The order')
  const order = await Orders.find(ctx, { orderNumber })
  if (!order) throw notFound('The order')
  return order
}
