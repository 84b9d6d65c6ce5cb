import { z } from 'zod'
import { ownBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import { type InvoiceRow, Invoices } from '../invoices/invoices.rows.ts'
import { invoiceView } from '../invoices/order-invoice.query.ts'
import { DisplayLanguage } from '../kernel/form-fields.ts'
import type { Language } from '../kernel/languages.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { creditNoteDocument, type InvoiceDocument, type InvoiceFacts, invoiceDocument } from './invoice-document.ts'
import { mailTranslator } from './mail-translator.ts'
import { orderFacts } from './order-facts.query.ts'

/** The invoice of one of the acting publisher's orders and its credit notes, in the buyer's language; an empty list if it has no invoice. */
export const getInvoiceDocuments = useCase({
  permission: 'order:read',
  input: z.object({ orderId: z.coerce.number('The order was not found').int() }),
  transaction: 'none',
  async run(ctx, { orderId }): Promise<InvoiceDocument[]> {
    const invoice = await Invoices.find(ctx, { orderId, ...tenantOf(ctx) })
    return invoice ? documentsOf(ctx, invoice) : []
  },
})

/** The invoice and credit notes of the logged-in buyer's own order, by its number, in the language of the page. */
export const getOwnInvoiceDocuments = useCase({
  permission: 'buyer',
  input: z.object({ orderNumber: z.string().max(20).default(''), language: DisplayLanguage }),
  transaction: 'none',
  async run(ctx, { orderNumber, language }): Promise<InvoiceDocument[]> {
    const { id: buyerId, publicationId } = await ownBuyer(ctx)
    const [invoice] = await Invoices.rows(
      ctx,
      `SELECT ${Invoices.columns('i')} FROM invoices i JOIN orders o ON o.id = i.order_id
       WHERE o.order_number = :orderNumber AND o.buyer_id = :buyerId AND o.publication_id = :publicationId`,
      { orderNumber, buyerId, publicationId },
    )
    return invoice ? documentsOf(ctx, invoice, language) : []
  },
})

/** The facts of an invoice for its emails and pages. */
export async function invoiceFacts(ctx: AppContext, invoice: InvoiceRow): Promise<InvoiceFacts> {
  return { ...(await orderFacts(ctx, invoice.orderId)), invoice: await invoiceView(ctx, invoice) }
}

async function documentsOf(
  ctx: AppContext,
  invoice: InvoiceRow,
  requestedLanguage?: Language,
): Promise<InvoiceDocument[]> {
  const facts = await invoiceFacts(ctx, invoice)
  const { country } = facts
  const t = mailTranslator({ language: requestedLanguage ?? facts.language, country })
  return [invoiceDocument(t, facts), ...facts.invoice.creditNotes.map((note) => creditNoteDocument(t, facts, note))]
}
