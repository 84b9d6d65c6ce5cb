import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { cancelInvoice, Invoices } from '../invoices/invoices.rows.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { requiredText } from '../kernel/form-fields.ts'
import { releasePromoUse } from '../promos/promo-uses.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { moveOrder, Orders } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'

/**
 * Cancels an unpaid order of the acting publisher whose subscription was to begin when its invoice is paid: it has no entries in the
 * ledger, so nothing is reversed there. Its number is kept. Throws `conflict` for an order that has begun.
 */
export const cancelUnpaidOrder = useCase({
  permission: 'invoice:write',
  input: z.object({ orderId: z.coerce.number('The order was not found').int(), reason: requiredText(300) }),
  async run(ctx, { orderId, reason }): Promise<void> {
    const order = await Orders.find(ctx, { id: orderId, ...tenantOf(ctx) }, { isLocked: true })
    const invoice = order && (await Invoices.find(ctx, { orderId: order.id }, { isLocked: true }))
    if (!order || !invoice) throw notFound('The invoice')
    if (!(await moveOrder(ctx, orderId, { from: ['pending'], to: 'cancelled' })))
      throw conflict(
        order.state === 'cancelled'
          ? 'This order is already cancelled'
          : 'This order is paid, and its subscription has begun',
      )
    const { publisherId, currency } = order
    const amount = await cancelInvoice(ctx, invoice)
    await Payments.update(ctx, { orderId }, { state: 'cancelled', declineReason: reason })
    await releasePromoUse(ctx, orderId)
    await recordAudit(ctx, 'cancel-order', { type: 'order', id: orderId, publisherId }, { amount, currency, reason })
  },
})
