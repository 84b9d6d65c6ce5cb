import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { InvoicePaymentMethod } from '../payment-methods/payment-methods.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type DocumentVat, documentVat } from '../vat/document-vat.rules.ts'
import { vatLinesOf } from '../vat/vat-lines.rows.ts'
import { CreditNotes } from './credit-notes.rows.ts'
import {
  daysOverdue,
  formatCreditNoteNumber,
  formatInvoiceNumber,
  type InvoiceState,
  invoiceState,
  outstanding,
} from './invoice.rules.ts'
import { paymentsOfOrder } from './invoice-payments.rows.ts'
import { type InvoiceRow, Invoices } from './invoices.rows.ts'

/** An invoice with its payments and credits; amounts in minor units. */
export interface InvoiceView {
  id: number
  number: string
  state: InvoiceState
  issuedOn: Day
  dueOn: Day
  daysOverdue: number
  currency: Currency
  amount: number
  paid: number
  credited: number
  writtenOff: number
  outstanding: number
  payments: { id: number; paidOn: Day; amount: number; method: InvoicePaymentMethod; reference: string }[]
  creditNotes: {
    id: number
    number: string
    issuedOn: Day
    amount: number
    reason: string
    vat: DocumentVat | null
  }[]
  /** Null where it is not set, or none is charged. */
  vat: DocumentVat | null
  /** The subscription begins when it is paid in full; until then it is not in the ledger. */
  beginsWhenPaid: boolean
}

/** The invoice of one of the acting publisher's orders; null where it has none, or belongs to another publisher. */
export const getOrderInvoice = useCase({
  permission: 'order:read',
  input: z.object({ orderId: z.coerce.number('The order was not found').int() }),
  transaction: 'none',
  async run(ctx, { orderId }): Promise<InvoiceView | null> {
    const invoice = await Invoices.find(ctx, { orderId, ...tenantOf(ctx) })
    return invoice && invoiceView(ctx, invoice)
  },
})

/** The current state of an invoice. */
export async function invoiceView(
  ctx: Pick<AppContext, 'db' | 'now' | 'settings'>,
  invoice: InvoiceRow,
): Promise<InvoiceView> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const payments = await paymentsOfOrder(ctx, invoice.orderId)
  const notes = await CreditNotes.rows(
    ctx,
    `SELECT ${CreditNotes.columns()} FROM credit_notes WHERE invoice_id = :invoiceId ORDER BY id`,
    { invoiceId: invoice.id },
  )
  const lines = await vatLinesOf(ctx, invoice.orderId)
  const { id, issuedOn, dueOn, currency, amount, paid, credited, writtenOff, beginsWhenPaid } = invoice
  return {
    id,
    issuedOn,
    dueOn,
    currency,
    amount,
    paid,
    credited,
    writtenOff,
    beginsWhenPaid,
    number: formatInvoiceNumber(invoice.number),
    state: invoiceState(invoice, today),
    daysOverdue: outstanding(invoice) > 0 ? daysOverdue(dueOn, today) : 0,
    outstanding: outstanding(invoice),
    payments: payments.map(({ id, paidOn, amount, method, reference }) => ({ id, paidOn, amount, method, reference })),
    creditNotes: notes.map(({ id, number, issuedOn, amount, reason, refundId }) => {
      const vat = documentVat(lines.filter(({ kind, cause }) => kind === 'refund' && cause === `refund:${refundId}`))
      return { id, number: formatCreditNoteNumber(number), issuedOn, amount, reason, vat }
    }),
    vat: documentVat(lines.filter(({ kind }) => kind === 'sale')),
  }
}
