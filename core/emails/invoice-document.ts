import type { InvoiceView } from '../invoices/order-invoice.query.ts'
import { locales } from '../kernel/languages.ts'
import type { Currency } from '../kernel/money.ts'
import { postalLines } from '../kernel/postal-address.ts'
import type { DocumentVat } from '../vat/document-vat.rules.ts'
import { type MailRow, nonEmptyRows } from './mail-frame.rules.ts'
import type { MailTranslator } from './mail-translator.ts'
import type { OrderFacts } from './order-facts.query.ts'
import { orderName } from './order-texts.ts'

export interface InvoiceFacts extends OrderFacts {
  invoice: InvoiceView
}

export type CreditNoteView = InvoiceView['creditNotes'][number]

/** An invoice or a credit note, in one language: the printed content, and the table of its email. */
export interface InvoiceDocument {
  number: string
  title: string
  /** The value of the `lang` attribute, such as `de-DE`. */
  locale: string
  from: { label: string; lines: string[] }
  to: { label: string; lines: string[] }
  facts: MailRow[]
  /** The lines that were sold or credited; null where their VAT is not set or none is charged. */
  vat: { headings: VatCells; lines: VatCells[]; totals: VatCells[] } | null
  sums: MailRow[]
}

type VatCells = Record<'what' | 'rate' | 'net' | 'vat' | 'gross', string>

export function invoiceDocument(t: MailTranslator, facts: InvoiceFacts): InvoiceDocument {
  const { invoice } = facts
  const { number, issuedOn, dueOn, outstanding, paid, credited, writtenOff, vat } = invoice
  const money = moneyIn(t, facts)
  const minus = (amount: number) => (amount > 0 ? `−${money(amount)}` : '')
  return {
    ...partiesOf(t, facts),
    number,
    title: isProForma(invoice) ? t('Pro forma invoice {number}', { number }) : t('Invoice {number}', { number }),
    facts: nonEmptyRows([
      { label: t('Invoice'), value: number },
      { label: t('Invoice date'), value: t.day(issuedOn) },
      ...soldRows(t, facts),
      { label: t('Term'), value: isProForma(invoice) ? t('From the payment of this invoice') : '' },
      { label: t('Reference'), value: facts.staffNote },
      ...taxRows(t, vat),
      { label: t('Due on'), value: outstanding > 0 ? t.day(dueOn) : '' },
    ]),
    vat: vatTable(t, facts, vat),
    sums: nonEmptyRows([
      ...(facts.discount > 0
        ? [
            { label: t('Price'), value: money(facts.price) },
            { label: t('Promo code {code}', { code: facts.promoCode }), value: minus(facts.discount) },
          ]
        : []),
      { label: t('Total'), value: money(invoice.amount) },
      { label: t('Paid'), value: minus(paid) },
      { label: t('Credited'), value: minus(credited) },
      { label: t('Written off'), value: minus(writtenOff) },
      { label: t('Still due'), value: money(outstanding) },
    ]),
  }
}

/** Whether an invoice is a pro forma one. Before payment there is no sale: no VAT is due, and none is shown. */
export function isProForma({ beginsWhenPaid, outstanding }: InvoiceView): boolean {
  return beginsWhenPaid && outstanding > 0
}

export function creditNoteDocument(t: MailTranslator, facts: InvoiceFacts, note: CreditNoteView): InvoiceDocument {
  const { invoice } = facts
  const money = moneyIn(t, facts)
  return {
    ...partiesOf(t, facts),
    number: note.number,
    title: t('Credit note {number}', { number: note.number }),
    facts: nonEmptyRows([
      { label: t('Credit note'), value: note.number },
      { label: t('Credit note date'), value: t.day(note.issuedOn) },
      { label: t('Invoice'), value: invoice.number },
      { label: t('Invoice date'), value: t.day(invoice.issuedOn) },
      ...soldRows(t, facts),
      ...taxRows(t, note.vat),
      { label: t('Reason'), value: note.reason },
    ]),
    vat: vatTable(t, facts, note.vat),
    sums: [
      { label: t('Credited'), value: money(note.amount) },
      { label: t('Still due'), value: money(invoice.outstanding) },
    ],
  }
}

/** The whole document as the one table of an email. */
export function documentRows(t: MailTranslator, { facts, vat, sums }: InvoiceDocument): MailRow[] {
  const row = vatRow(t)
  if (!vat) return [...facts, ...sums]
  return [...facts, ...vat.lines.map(row), ...(vat.lines.length > 1 ? vat.totals.map(row) : []), ...sums]
}

const vatRow =
  (t: MailTranslator) =>
  ({ what, rate, net, vat, gross }: VatCells): MailRow => ({
    label: t('{what}, VAT {rate}', { what, rate }),
    value: t('{net} + {vat} VAT = {gross}', { net, vat, gross }),
  })

/** The VAT rows of a receipt: by rate, with tax point and number. */
export function receiptVatRows(t: MailTranslator, { vat, currency }: OrderFacts): MailRow[] {
  if (!vat) return []
  return nonEmptyRows([
    ...vat.rates.map((rate) => vatRow(t)(vatCells(t, t('Total'), rate, currency))),
    ...taxRows(t, vat),
  ])
}

function partiesOf(t: MailTranslator, { frame, billing, country }: InvoiceFacts) {
  const { publicationName, publisherName, publisherAddress, telephone, contactEmail } = frame
  const names = [...new Set([publicationName, publisherName])]
  return {
    locale: locales[t.language],
    from: { label: t('From'), lines: [...names, publisherAddress, telephone, contactEmail].filter(Boolean) },
    to: {
      label: t('To'),
      lines: postalLines({ ...billing, country: billing.country || country }, t.language),
    },
  }
}

function soldRows(t: MailTranslator, facts: InvoiceFacts): MailRow[] {
  const { orderNumber, startOn, endOn } = facts
  return [
    { label: t('Order number'), value: orderNumber },
    {
      label: t('Subscription'),
      value: t('{publication}: {plan}', { publication: facts.frame.publicationName, plan: orderName(t, facts) }),
    },
    {
      label: t('Term'),
      value: startOn && endOn ? t('{start} to {end}', { start: t.day(startOn), end: t.day(endOn) }) : '',
    },
  ]
}

/** The details that the law requires in addition to the amounts; empty where the VAT is not set. */
function taxRows(t: MailTranslator, vat: DocumentVat | null): MailRow[] {
  if (!vat) return []
  return [
    { label: t('Tax point'), value: t.day(vat.taxPoint) },
    { label: t('VAT number'), value: vat.vatNumber },
    { label: t('One Stop Shop number'), value: vat.ossNumber },
    { label: t('Your VAT number'), value: vat.buyerVatNumber },
    { label: t('VAT'), value: vat.isReverseCharged ? t('Reverse charge: you account for the VAT') : '' },
    {
      label: t('VAT in pounds'),
      value: vat.vatGbp === null ? '' : t.money({ amount: vat.vatGbp, currency: 'GBP' }),
    },
  ]
}

function vatTable(t: MailTranslator, facts: InvoiceFacts, vat: DocumentVat | null): InvoiceDocument['vat'] {
  if (!vat) return null
  const cells = (what: string, rate: DocumentVat['rates'][number]) => vatCells(t, what, rate, facts.invoice.currency)
  const names = { print: t('Print'), digital: t('Digital'), bundle: t('Print and digital') } as const
  return {
    headings: { what: t('Subscription'), rate: t('VAT rate'), net: t('Net'), vat: t('VAT'), gross: t('Gross') },
    lines: vat.lines.map((line) =>
      cells(line.supply in names ? names[line.supply as keyof typeof names] : orderName(t, facts), line),
    ),
    totals: vat.rates.map((rate) => cells(t('Total'), rate)),
  }
}

function vatCells(
  t: MailTranslator,
  what: string,
  { rate, net, vat, gross }: DocumentVat['rates'][number],
  currency: Currency,
): VatCells {
  const percent = new Intl.NumberFormat(locales[t.language], { style: 'percent', maximumFractionDigits: 2 })
  const amount = (value: number) => t.money({ amount: value, currency })
  const rateText = percent.format(rate / 10_000).replaceAll('\u202F', '\u00A0')
  return { what, rate: rateText, net: amount(net), vat: amount(vat), gross: amount(gross) }
}

const moneyIn =
  (t: MailTranslator, { invoice: { currency } }: InvoiceFacts) =>
  (amount: number) =>
    t.moneyWithCode({ amount, currency })
