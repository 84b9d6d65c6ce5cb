import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { CreditNotes } from '../invoices/credit-notes.rows.ts'
import { printCreditNumber } from '../invoices/invoice.rules.ts'
import { Invoices } from '../invoices/invoices.rows.ts'
import { type InvoiceView, invoiceView } from '../invoices/order-invoice.query.ts'
import { printDay } from '../kernel/dates.ts'
import { formatMoney } from '../kernel/money.ts'
import { mail } from './mail.ts'
import { fromPublication, type MailRow } from './mail-frame.rules.ts'
import { greeting } from './mail-translator.ts'
import { type OrderFacts, orderFacts } from './order-facts.query.ts'
import { sampleOrder } from './order-mails.ts'

interface InvoiceFacts extends OrderFacts {
  invoice: InvoiceView
  /** What the mail is about, where it is about a credit note. */
  credit: { number: string; amount: number; reason: string } | null
}

/**
 * What is mailed about invoices, in English: `step` is nought for the invoice, the count of a reminder, the id of a credit note.
 */
export const invoiceMails = {
  'invoice-notice': mail({
    kind: 'notice',
    about: z.object({
      invoiceId: z.number().int(),
      what: z.enum(['invoice', 'reminder', 'credit-note']),
      step: z.number().int(),
    }),
    key: ({ invoiceId, what, step }) => `${what}:invoice:${invoiceId}:${step}`,
    async facts(ctx: AppContext, { invoiceId, what, step }): Promise<InvoiceFacts | null> {
      const row = await Invoices.find(ctx, { id: invoiceId })
      if (!row) return null
      const invoice = await invoiceView(ctx, row)
      // What was paid or given up since is not asked for.
      if (what === 'reminder' && invoice.state !== 'overdue') return null
      const note = what === 'credit-note' ? await CreditNotes.find(ctx, { id: step, invoiceId }) : null
      if (what === 'credit-note' && !note) return null
      const credit = note && { number: printCreditNumber(note.number), amount: note.amount, reason: note.reason }
      return { ...(await orderFacts(ctx, row.orderId)), invoice, credit }
    },
    recipient: (facts) => ({
      ...{ to: facts.email, orderId: facts.id, publicationId: facts.publicationId },
      ...fromPublication(facts.frame),
    }),
    view(facts, { what }, _, t) {
      const { frame, invoice } = facts
      return {
        ...frame,
        ...wordsOf(facts, what),
        greeting: greeting(t, facts.name),
        rows: rowsOf(facts, what),
        help: `To pay, or if something is not right, write to ${frame.contactEmail} and quote ${invoice.number}.`,
      }
    },
    sample: {
      about: { invoiceId: 12, what: 'invoice', step: 0 },
      facts: { ...sampleOrder(), invoice: sampleInvoice(), credit: null },
    },
  }),
}

function wordsOf({ frame, invoice, credit }: InvoiceFacts, what: string) {
  const { publicationName } = frame
  const due = formatMoney({ amount: invoice.outstanding, currency: invoice.currency })
  if (what === 'reminder') {
    return {
      headline: `Reminder: invoice ${invoice.number} is overdue`,
      opening: `${due} for your subscription to ${publicationName} was due on ${printDay(invoice.dueOn)}. If you have paid it meanwhile, please ignore this reminder.`,
    }
  }
  if (credit) {
    const amount = formatMoney({ amount: credit.amount, currency: invoice.currency })
    return {
      headline: `Credit note ${credit.number}`,
      opening: `${amount} of invoice ${invoice.number} for ${publicationName} has been credited. ${invoice.outstanding > 0 ? `${due} is still due.` : 'Nothing of it is due any more.'}`,
    }
  }
  return {
    headline: `Invoice ${invoice.number}`,
    opening: `Thank you for your order of ${publicationName}. Please pay ${due} by ${printDay(invoice.dueOn)}.`,
  }
}

function rowsOf(facts: InvoiceFacts, what: string): MailRow[] {
  const { invoice, credit, productName, startOn, endOn, orderNumber } = facts
  const money = (amount: number) => `${formatMoney({ amount, currency: invoice.currency })} ${invoice.currency}`
  return [
    { label: 'Invoice', value: invoice.number },
    { label: 'Invoice date', value: printDay(invoice.issuedOn) },
    { label: 'Order', value: orderNumber },
    { label: 'Subscription', value: productName },
    { label: 'Term', value: startOn && endOn ? `${printDay(startOn)} to ${printDay(endOn)}` : '' },
    { label: 'Amount', value: money(invoice.amount) },
    { label: 'Paid', value: invoice.paid > 0 ? money(invoice.paid) : '' },
    { label: 'Credited', value: what === 'credit-note' && credit ? money(credit.amount) : '' },
    { label: 'Reason', value: credit?.reason ?? '' },
    { label: 'Still due', value: money(invoice.outstanding) },
    { label: 'Due on', value: invoice.outstanding > 0 ? printDay(invoice.dueOn) : '' },
  ].filter(({ value }) => value !== '')
}

function sampleInvoice(): InvoiceView {
  return {
    ...{ id: 12, number: 'INV-000012', state: 'unpaid', issuedOn: '2026-11-21', dueOn: '2026-12-21', daysOverdue: 0 },
    ...{ currency: 'GBP', amount: 2999, paid: 1000, credited: 0, writtenOff: 0, outstanding: 1999 },
    ...{ payments: [], creditNotes: [] },
  }
}
