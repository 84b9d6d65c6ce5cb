import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { outstanding } from '../invoices/invoice.rules.ts'
import { addWriteOff, Invoices } from '../invoices/invoices.rows.ts'
import { dayOf } from '../kernel/calendar.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { CheckboxInput, requiredText } from '../kernel/form-fields.ts'
import { formatMoney } from '../kernel/money.ts'
import { enterReversal } from '../ledger/ledger-entries.rows.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { reverseTerm } from '../readers/reverse-term.ts'
import { useCase } from '../use-case.ts'
import { lockReaderOfOrder, type OrderRow, Orders } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import { endAgreementAfter } from './return-agreement.ts'

/**
 * Writes off the amount still due on the invoice of one of the acting publisher's orders: it leaves the ledger today, the unearned part
 * first. On request the subscription ends today. Throws `conflict` if the amount due is not the one that was confirmed.
 */
export const writeOffInvoice = useCase({
  permission: 'invoice:write',
  input: z.object({
    orderId: z.coerce.number('The order was not found').int(),
    reason: requiredText(300),
    endsSubscription: CheckboxInput,
    /** The amount that was confirmed, in minor units. */
    expected: z.coerce.number('Required').int(),
  }),
  async run(ctx, { orderId, reason, endsSubscription, expected }): Promise<{ writtenOff: number }> {
    const unlocked = await Orders.find(ctx, { id: orderId, ...tenantOf(ctx) })
    if (unlocked) await lockReaderOfOrder(ctx, unlocked.id)
    const order = unlocked && (await Orders.find(ctx, { id: unlocked.id }, { isLocked: true }))
    const invoice = order && (await Invoices.find(ctx, { orderId: order.id }, { isLocked: true }))
    if (!order || !invoice) throw notFound('The invoice')
    if (order.state === 'pending')
      throw conflict('Nothing of this invoice is in the ledger yet: its subscription begins when it is paid', {
        hint: 'Cancel the order instead.',
      })
    const amount = outstanding(invoice)
    if (amount <= 0) throw conflict('Nothing more is due on this invoice')
    const { currency } = invoice
    if (amount !== expected)
      throw conflict(`${formatMoney({ amount, currency })} is now due. Please check it and write it off again.`)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    await addWriteOff(ctx, invoice, amount)
    await enterReversal(ctx, { orderId, kind: 'write-off', cause: `write-off:${invoice.id}`, amount, today })
    await Payments.update(ctx, { orderId }, { state: 'written-off', declineReason: reason })
    if (endsSubscription) await endTerm(ctx, order, today)
    const { publisherId } = order
    await recordAudit(ctx, 'write-off', { type: 'order', id: orderId, publisherId }, { amount, currency, reason })
    return { writtenOff: amount }
  },
})

async function endTerm(ctx: Parameters<typeof reverseTerm>[0], order: OrderRow, today: string): Promise<void> {
  const { id: orderId, publicationId, orderNumber, product, readerId, subStartOn, subEndOn } = order
  if (!product || !readerId || !subStartOn || !subEndOn || subEndOn <= today) return
  await endAgreementAfter(ctx, order)
  await reverseTerm(ctx, {
    readerId,
    publicationId,
    orderId,
    orderNumber,
    product,
    startOn: subStartOn,
    endOn: subEndOn,
    today,
    reason: 'its invoice was written off',
    // A term that has not begun is removed entirely; a running one ends today.
    ...(subStartOn <= today ? { keptUntil: today } : {}),
  })
}
