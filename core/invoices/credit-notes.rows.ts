import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { day, defaulted, defineTable, id, instant, integer, type RowOf, ref, text } from '../table.ts'
import { outstanding } from './invoice.rules.ts'
import { nextNumber } from './invoice-settings.rows.ts'
import { Invoices } from './invoices.rows.ts'

/** Documents that cancel an invoice, in part or whole: one for each refund of its order. Amounts are minor units. */
export const CreditNotes = defineTable('credit_notes', {
  id: id(),
  publisherId: ref(),
  invoiceId: ref(),
  refundId: ref(),
  number: integer(),
  issuedOn: day(),
  currency: text<Currency>(),
  amount: integer(),
  /** The part that was still due and is cancelled; the rest is to be refunded. */
  applied: integer(),
  reason: defaulted(text()),
  createdAt: instant(),
})
export type CreditNoteRow = RowOf<typeof CreditNotes>

/**
 * Issues the credit note of a refund, in the transaction that enters it and locks the order: what is still due is reduced first. Null where the order
 * has no invoice.
 */
export async function creditInvoice(
  ctx: AppContext,
  refund: { id: number; orderId: number; amount: number; reason: string; today: Day },
): Promise<CreditNoteRow | null> {
  const invoice = await Invoices.find(ctx, { orderId: refund.orderId }, { isLocked: true })
  if (!invoice) return null
  const applied = Math.min(refund.amount, outstanding(invoice))
  if (applied > 0) await Invoices.update(ctx, { id: invoice.id }, { credited: invoice.credited + applied })
  const { number } = await nextNumber(ctx, invoice.publisherId, 'credit note')
  const { publisherId, currency } = invoice
  return CreditNotes.insertNew(ctx, {
    publisherId,
    invoiceId: invoice.id,
    refundId: refund.id,
    number,
    issuedOn: refund.today,
    currency,
    amount: refund.amount,
    applied,
    reason: refund.reason,
  })
}
