import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { IdempotencyKey } from '../kernel/form-fields.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { Orders } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'

const perOrder = { hits: 3, windowSeconds: 60 * 60 }

/** Sends the receipt of one of the acting publisher's paid orders again, to the order's own email. The same key sent twice sends one email. */
export const resendReceipt = useCase({
  permission: 'order:mail',
  input: z.object({
    id: z.coerce.number('The order was not found').int(),
    key: IdempotencyKey,
  }),
  async run(ctx, { id, key }): Promise<{ to: string }> {
    const order = await Orders.find(ctx, { id, ...tenantOf(ctx) })
    if (!order) throw notFound('The order')
    const payment = await Payments.find(ctx, { orderId: id })
    if (order.state !== 'paid' || payment?.state === 'invoiced' || payment?.state === 'written-off')
      throw conflict('Only a paid order has a receipt')
    await countAttempt(ctx, `resend-receipt:${id}`, perOrder)
    const { publisherId } = order
    const options = { dedupeKey: `receipt:${id}:${key}`, publisherId, isUrgent: true }
    await enqueueMail(ctx, 'order-receipt', { orderId: id, key }, options)
    await recordAudit(ctx, 'resend-receipt', { type: 'order', id, publisherId })
    return { to: order.email }
  },
})
