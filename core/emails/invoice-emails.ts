import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { CreditNotes } from '../invoices/credit-notes.rows.ts'
import { Invoices } from '../invoices/invoices.rows.ts'
import type { InvoiceView } from '../invoices/order-invoice.query.ts'
import { Refunds } from '../orders/refunds.rows.ts'
import {
  type CreditNoteView,
  creditNoteDocument,
  documentRows,
  type InvoiceFacts,
  invoiceDocument,
  isProForma,
} from './invoice-document.ts'
import { invoiceFacts } from './invoice-documents.query.ts'
import { mail } from './mail.ts'
import { fromPublication } from './mail-frame.rules.ts'
import { greeting, type MailTranslator } from './mail-translator.ts'
import { orderPlaceholders } from './order-emails.ts'
import { orderOfPublication, sampleOrder } from './order-sample.ts'

interface Facts extends InvoiceFacts {
  /** The credit note that the email is about, if any. */
  note: CreditNoteView | null
  /** The credited amount is kept for a later order. */
  isKeptAsCredit: boolean
}

/** The emails about invoices: `step` is zero for the invoice, the count of a reminder, the id of a credit note. */
export const invoiceEmails = {
  'invoice-notice': mail({
    kind: 'notice',
    about: z.object({
      invoiceId: z.number().int(),
      what: z.enum(['invoice', 'reminder', 'credit-note']),
      step: z.number().int(),
    }),
    key: ({ invoiceId, what, step }) => `${what}:invoice:${invoiceId}:${step}`,
    async facts(ctx: AppContext, { invoiceId, what, step }): Promise<Facts | null> {
      const row = await Invoices.find(ctx, { id: invoiceId })
      if (!row) return null
      const facts = await invoiceFacts(ctx, row)
      const { state, creditNotes } = facts.invoice
      // No reminder is sent for an invoice that was paid or written off since.
      if (what === 'reminder' && state !== 'overdue') return null
      const note = (what === 'credit-note' && creditNotes.find(({ id }) => id === step)) || null
      return what === 'credit-note' && !note
        ? null
        : { ...facts, note, isKeptAsCredit: note !== null && (await isKeptAsCredit(ctx, note)) }
    },
    recipient: (facts) => ({
      to: facts.email,
      orderId: facts.id,
      publicationId: facts.publicationId,
      readerId: facts.readerId,
      ...fromPublication(facts.frame),
    }),
    reader: ({ language, country }) => ({ language, country }),
    view(facts, { what }, _, t) {
      const { frame, invoice, note, orderNumber } = facts
      return {
        ...frame,
        ...textsOf(t, facts, what),
        greeting: greeting(t, facts.name),
        rows: documentRows(t, note ? creditNoteDocument(t, facts, note) : invoiceDocument(t, facts)),
        // The account shows the order once it is paid.
        print: isProForma(invoice)
          ? ''
          : t('To print it, open it in your account: {url}', {
              url: `${frame.storefrontUrl}/account/orders/${orderNumber}`,
            }),
        help: t('To pay, or if something is not right, write to {email} and quote {number}.', {
          email: frame.contactEmail,
          number: invoice.number,
        }),
      }
    },
    custom: {
      title: 'Invoice',
      sentWhen: 'When staff order on account, with its reminders and credit notes.',
      placeholders: (facts, t) => ({
        'invoice number': facts.invoice.number,
        'due on': t.day(facts.invoice.dueOn),
        ...orderPlaceholders(t, facts),
      }),
      sampleOf: (facts, publication) => ({
        ...orderOfPublication(facts, publication),
        invoice: { ...facts.invoice, currency: publication.currency },
      }),
    },
    sample: {
      about: { invoiceId: 12, what: 'invoice', step: 0 },
      facts: { ...sampleOrder(), invoice: sampleInvoice(), note: null, isKeptAsCredit: false },
    },
  }),
}

/** Whether a credit note is for a refund that is kept as credit. */
async function isKeptAsCredit(ctx: AppContext, { id }: CreditNoteView): Promise<boolean> {
  const note = await CreditNotes.find(ctx, { id })
  return note !== null && (await Refunds.find(ctx, { id: note.refundId }))?.method === 'credit'
}

function textsOf(t: MailTranslator, { frame, invoice, note, isKeptAsCredit }: Facts, what: string) {
  const { publicationName: publication } = frame
  const { number, currency, outstanding } = invoice
  const due = t.money({ amount: outstanding, currency })
  const day = t.day(invoice.dueOn)
  if (what === 'reminder') {
    return {
      headline: t('Reminder: invoice {number} is overdue', { number }),
      opening: t(
        '{amount} for your subscription to {publication} was due on {day}. If you have already paid it, please ignore this reminder.',
        { amount: due, publication, day },
      ),
    }
  }
  if (note) {
    const amount = t.money({ amount: note.amount, currency })
    // Only a paid amount is kept as credit, so nothing is due.
    const creditText = t('It is kept as credit for a later order. To use it, please write to us before you order.')
    return {
      headline: t('Credit note {number}', { number: note.number }),
      opening:
        outstanding > 0
          ? t('{amount} of invoice {number} for {publication} has been credited. {due} is still due.', {
              amount,
              number,
              publication,
              due,
            })
          : [
              t('{amount} of invoice {number} for {publication} has been credited. Nothing more is due on it.', {
                amount,
                number,
                publication,
              }),
              ...(isKeptAsCredit ? [creditText] : []),
            ].join(' '),
    }
  }
  if (isProForma(invoice)) {
    return {
      headline: t('Pro forma invoice {number}', { number }),
      opening: t(
        'Thank you for your order for {publication}. Your subscription begins when {amount} is paid. Please pay by {day}.',
        { publication, amount: due, day },
      ),
    }
  }
  return {
    headline: t('Invoice {number}', { number }),
    opening: t('Thank you for your order for {publication}. Please pay {amount} by {day}.', {
      publication,
      amount: due,
      day,
    }),
  }
}

function sampleInvoice(): InvoiceView {
  const print = { rate: 0, net: 2099, vat: 0, gross: 2099 }
  const digital = { rate: 2000, net: 750, vat: 150, gross: 900 }
  return {
    id: 12,
    number: 'INV-000012',
    state: 'unpaid',
    issuedOn: '2026-11-21',
    dueOn: '2026-12-21',
    daysOverdue: 0,
    currency: 'GBP',
    amount: 2999,
    paid: 1000,
    credited: 0,
    writtenOff: 0,
    outstanding: 1999,
    payments: [],
    creditNotes: [],
    beginsWhenPaid: false,
    vat: {
      taxPoint: '2026-11-21',
      lines: [
        { supply: 'print', ...print },
        { supply: 'digital', ...digital },
      ],
      rates: [print, digital],
      vatGbp: null,
      vatNumber: 'GB123456789',
      ossNumber: '',
      buyerVatNumber: '',
      isReverseCharged: false,
    },
  }
}
