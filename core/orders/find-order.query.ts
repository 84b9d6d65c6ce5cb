import { z } from 'zod'
import { notFound } from '../kernel/errors.ts'
import { quoted } from '../kernel/text-format.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { Orders } from './orders.rows.ts'

/** The id of one of the acting publisher's orders by its number, written in any case, with or without its "OD-". Throws `notFound`. */
export const findOrder = useCase({
  permission: 'order:read',
  input: z.object({ orderNumber: z.string().trim().max(20).default('') }),
  transaction: 'none',
  async run(ctx, { orderNumber }): Promise<{ id: number }> {
    const number = `OD-${orderNumber.toUpperCase().replace(/^OD-?/, '')}`
    const order = await Orders.find(ctx, { orderNumber: number, ...tenantOf(ctx) })
    if (!order) throw notFound(`The order ${quoted(orderNumber)}`)
    return { id: order.id }
  },
})
