import type { Actor } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import type { InvoicePaymentMethod } from '../payment-methods/payment-methods.rules.ts'
import { day, defaulted, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'
import { outstanding } from './invoice.rules.ts'
import { type InvoiceRow, Invoices } from './invoices.rows.ts'

/** Money that was received for an invoice, in parts or whole. */
export const InvoicePayments = defineTable('invoice_payments', {
  id: id(),
  publisherId: ref(),
  invoiceId: ref(),
  paidOn: day(),
  /** Minor units of the invoice's currency, above zero. */
  amount: integer(),
  method: text<InvoicePaymentMethod>(),
  reference: defaulted(text()),
  /** The key of the form it was entered with: a form that is sent again records no second payment. */
  idempotencyKey: text(),
  actorKind: text<Actor['kind']>(),
  actorId: nullable(ref()),
  createdAt: instant(),
})

/** The payments of an order's invoice, in the order they were entered. */
export function paymentsOfOrder(
  ctx: Pick<AppContext, 'db'>,
  orderId: number,
): Promise<RowOf<typeof InvoicePayments>[]> {
  return InvoicePayments.rows(
    ctx,
    `SELECT ${InvoicePayments.columns('y')} FROM invoice_payments y JOIN invoices i ON i.id = y.invoice_id
     WHERE i.order_id = :orderId ORDER BY y.id`,
    { orderId },
  )
}

/**
 * Records a payment and reduces what is due by it, then what was written off, in a transaction that locks the invoice. Returns its id, and how
 * much of it had been written off.
 */
export async function addInvoicePayment(
  ctx: AppContext,
  invoice: InvoiceRow,
  payment: Omit<Parameters<typeof InvoicePayments.insert>[1], 'publisherId' | 'invoiceId' | 'createdAt'>,
): Promise<{ id: number; recovered: number }> {
  const { id: invoiceId, publisherId, paid, writtenOff } = invoice
  const recovered = Math.max(0, payment.amount - outstanding(invoice))
  const id = await InvoicePayments.insert(ctx, { ...payment, publisherId, invoiceId })
  await Invoices.update(ctx, { id: invoiceId }, { paid: paid + payment.amount, writtenOff: writtenOff - recovered })
  return { id, recovered }
}
