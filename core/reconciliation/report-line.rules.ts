import { dayOf } from '../kernel/calendar.ts'
import { type Day, dayFromParts } from '../kernel/dates.ts'
import { cutText } from '../kernel/text-format.ts'
import { type LineKind, paypalKind, settlementKind, stripeKind } from './line-kinds.rules.ts'
import { parseReportAmount } from './report-amount.rules.ts'
import { type Fields, fieldsOf, type ReportLayout } from './report-layout.rules.ts'

/** A line of a report as it is stored: amounts in minor units of `currency`, net = gross - fee. */
export interface ReportLine {
  lineKey: string
  kind: LineKind
  category: string
  description: string
  occurredOn: Day
  /** In UTC. A local time in a report is stored as if it were UTC: it is only used to order lines. */
  occurredAt: Date
  currency: string
  gross: number
  fee: number
  net: number
  balance: number | null
  customerAmount: number | null
  customerCurrency: string | null
  payoutReference: string | null
  payoutOn: Day | null
  /** The provider's ids of the payment, of the charge or capture, and of the refund or dispute. */
  paymentReference: string | null
  chargeReference: string | null
  sourceReference: string | null
  orderNumber: string | null
}

/** The result of reading a row: a line; `ignored`, why the row does not affect the balance; or its problem. */
export type RowResult = { line: ReportLine } | { ignored: string } | { problem: string }

/** The order of day and month: 31/10/2026 in some PayPal accounts, 10/31/2026 in others. */
export type DateOrder = 'day-first' | 'month-first'

const american = /^(P[SD]T|[CEM][SD]T|AKS?T|HST|America\/.*|US\/.*)$/i

/** Detects the date order of a PayPal report, by a date whose day is above 12 or, if there is none, by the time zone of its lines. */
export function makeDateOrder(): { inspect(date: string, zone: string): void; order(): DateOrder } {
  let certainOrder: DateOrder | null = null
  let isAmerican = false
  return {
    inspect(date, zone) {
      const match = /^(\d{1,2})[/.-](\d{1,2})[/.-]\d{4}$/.exec(date.trim())
      if (!match || certainOrder) return
      if (Number(match[1]) > 12) certainOrder = 'day-first'
      else if (Number(match[2]) > 12) certainOrder = 'month-first'
      else if (american.test(zone.trim())) isAmerican = true
    },
    order: () => certainOrder ?? (isAmerican ? 'month-first' : 'day-first'),
  }
}

export interface Reading {
  layout: ReportLayout
  timeZone: string
  dates: DateOrder
}

/** Reads one row. A row with another number of cells than the header is a problem. */
export function readRow(cells: readonly string[], columnCount: number, reading: Reading): RowResult {
  if (cells.length !== columnCount)
    return {
      problem: `The row has ${cells.length} cells and the header has ${columnCount}: is a quote or a comma missing?`,
    }
  const { shape } = reading.layout
  const fields = fieldsOf(cells, reading.layout)
  if (shape === 'stripe') return readStripe(fields as Fields<'stripe'>, reading)
  if (shape === 'paypal') return readPayPal(fields as Fields<'paypal'>, reading)
  return readSettlement(fields as Fields<'settlement'>, reading)
}

/** Reads a row of Stripe's `balance_change_from_activity.itemized`, `payout_reconciliation.itemized`, `payouts.itemized` or Dashboard exports. */
function readStripe(fields: Fields<'stripe'>, { timeZone }: Reading): RowResult {
  const { lineKey, category, source } = fields
  if (lineKey === '') return { problem: 'The row has no balance_transaction_id' }
  const sums = amountsOf(fields, { isFeeSigned: false, names: ['gross', 'fee', 'net'] })
  if ('problem' in sums) return sums
  const utc = momentOf(fields.createdUtc)
  const local = momentOf(fields.created)
  const at = utc ?? local
  if (!at) return { problem: `created is not a valid date and time: “${excerpt(fields.createdUtc || fields.created)}”` }
  const kind = stripeKind(category, source, sums.gross)
  // A returned payout has the failed payout as its source, but its money belongs to the next payout.
  const isPayout = kind === 'payout'
  const occurredOn = utc ? dayOf(utc, timeZone) : at.toISOString().slice(0, 10)
  const customer = customerMoney(fields.customerAmount, fields.customerCurrency.toUpperCase(), sums.currency)
  const payoutAt = momentOf(fields.payoutOn)
  return {
    line: {
      lineKey: cutText(lineKey, 100),
      kind,
      category: cutText(category, 80),
      description: cutText(fields.description, 200),
      occurredOn,
      occurredAt: at,
      ...sums,
      balance: null,
      ...customer,
      payoutReference: orNull(isPayout ? fields.payoutItself || source || fields.payout : fields.payout),
      payoutOn: isPayout ? occurredOn : (payoutAt?.toISOString().slice(0, 10) ?? null),
      paymentReference: orNull(fields.payment || (source.startsWith('pi_') ? source : '')),
      chargeReference: orNull(fields.charge || (/^(ch|py)_/.test(source) ? source : '')),
      sourceReference: orNull((kind.startsWith('dispute') ? fields.dispute : fields.refund) || source),
      orderNumber: orNull(fields.orderNumber, 40),
    },
  }
}

const withoutEffect =
  /^(pending|denied|cancell?ed|expired|failed|declined|created|removed|voided|uncleared|unclaimed|active|placed|under review|processing)\b/i

/** Reads a row of PayPal's activity download, which has all transactions with their effect on the balance. */
function readPayPal(fields: Fields<'paypal'>, { dates }: Reading): RowResult {
  const { lineKey, category, status, impact } = fields
  if (withoutEffect.test(status)) return { ignored: status }
  if (/^memo$/i.test(impact)) return { ignored: 'Memo' }
  if (lineKey === '') return { problem: 'The row has no Transaction ID' }
  const sums = amountsOf(fields, { isFeeSigned: true, names: ['Gross', 'Fee', 'Net'] })
  if ('problem' in sums) return sums
  const occurredOn = dayFrom(fields.date, dates)
  if (!occurredOn) return { problem: `Date is not a valid date: “${excerpt(fields.date)}”` }
  const time = /^(\d{1,2}):(\d{2})(?::(\d{2}))?/.exec(fields.time)
  if (fields.time !== '' && !time) return { problem: `Time is not a valid time: “${excerpt(fields.time)}”` }
  const clock = time ? `${time[1]?.padStart(2, '0')}:${time[2]}:${time[3] ?? '00'}` : '00:00:00'
  const kind = paypalKind(category, sums.gross)
  return {
    line: {
      lineKey: cutText(lineKey, 100),
      kind,
      category: cutText(category, 80),
      description: cutText(fields.title, 200),
      occurredOn,
      occurredAt: new Date(`${occurredOn}T${clock}Z`),
      ...sums,
      balance: parseReportAmount(fields.balance, sums.currency),
      customerAmount: null,
      customerCurrency: null,
      payoutReference: kind === 'payout' ? cutText(lineKey, 100) : null,
      payoutOn: kind === 'payout' ? occurredOn : null,
      paymentReference: null,
      chargeReference: orNull(kind === 'charge' ? lineKey : fields.reference),
      sourceReference: orNull(lineKey),
      // For refunds made here, the custom field is the order number followed by the refund's key.
      orderNumber: orNull(fields.invoice || (fields.custom.split('/')[0] ?? ''), 40),
    },
  }
}

/** Reads a row of PayPal's settlement report: amounts are in minor units without a sign, with a column for debit or credit; kinds are codes. */
function readSettlement(fields: Fields<'settlement'>, { timeZone }: Reading): RowResult {
  const { lineKey, category } = fields
  if (lineKey === '') return { problem: 'The row has no Transaction ID' }
  const sums = settledAmounts(fields)
  if ('problem' in sums) return sums
  const at = momentWithOffset(fields.completed || fields.begun)
  if (!at)
    return { problem: `Transaction Completion Date is not a valid date and time: “${excerpt(fields.completed)}”` }
  const kind = settlementKind(category, sums.gross)
  const occurredOn = dayOf(at, timeZone)
  const isTransaction = fields.referenceType === '' || fields.referenceType.toUpperCase() === 'TXN'
  return {
    line: {
      lineKey: cutText(lineKey, 100),
      kind,
      category: cutText(category, 80),
      description: '',
      occurredOn,
      occurredAt: at,
      ...sums,
      balance: null,
      customerAmount: null,
      customerCurrency: null,
      payoutReference: kind === 'payout' ? cutText(lineKey, 100) : null,
      payoutOn: kind === 'payout' ? occurredOn : null,
      paymentReference: null,
      chargeReference: orNull(kind === 'charge' ? lineKey : isTransaction ? fields.reference : ''),
      sourceReference: orNull(lineKey),
      orderNumber: orNull(fields.invoice || (fields.custom.split('/')[0] ?? ''), 40),
    },
  }
}

function settledAmounts(fields: Fields<'settlement'>): Sums | { problem: string } {
  const currency = fields.currency.toUpperCase()
  if (!/^[A-Z]{3}$/.test(currency))
    return { problem: `Gross Transaction Currency is not a three-letter code: “${excerpt(fields.currency)}”` }
  if (fields.feeCurrency !== '' && fields.feeCurrency.toUpperCase() !== currency)
    return { problem: `The fee is in a different currency from its transaction: ${fields.feeCurrency}, ${currency}` }
  const gross = signedBySide(fields.gross, fields.side)
  if (gross === null)
    return {
      problem: `Gross Transaction Amount is not a CR or DR amount: “${excerpt(`${fields.gross} ${fields.side}`)}”`,
    }
  const signedFee = fields.fee === '' ? 0 : signedBySide(fields.fee, fields.feeSide || 'DR')
  if (signedFee === null)
    return { problem: `Fee Amount is not a CR or DR amount: “${excerpt(`${fields.fee} ${fields.feeSide}`)}”` }
  return { currency, gross, fee: 0 - signedFee, net: gross + signedFee }
}

/** An amount in minor units with a sign: credits to the account (CR) are positive, debits (DR) negative. */
function signedBySide(text: string, side: string): number | null {
  const amount = /^\d{1,15}$/.test(text) ? Number(text) : null
  if (amount === null || !Number.isSafeInteger(amount)) return null
  if (side.toUpperCase() === 'CR') return amount
  return side.toUpperCase() === 'DR' ? 0 - amount : null
}

/** Parses a time such as `2026/10/03 14:05:11 +0100`. */
function momentWithOffset(text: string): Date | null {
  const match = /^(\d{4})[/-](\d{2})[/-](\d{2}) (\d{2}:\d{2}:\d{2}) ?([+-]\d{2}):?(\d{2})$/.exec(text)
  const day = match ? dayFromParts(Number(match[1]), Number(match[2]), Number(match[3])) : null
  if (!match || !day) return null
  const at = new Date(`${day}T${match[4]}${match[5]}:${match[6]}`)
  return Number.isNaN(at.getTime()) ? null : at
}

type Sums = Pick<ReportLine, 'currency' | 'gross' | 'fee' | 'net'>

/** The three amounts of a row, which must add up. `isFeeSigned`: fees are negative, as in PayPal's reports. */
function amountsOf(
  fields: { currency: string; gross: string; fee: string; net: string },
  { isFeeSigned, names: [gross, fee, net] }: { isFeeSigned: boolean; names: readonly [string, string, string] },
): Sums | { problem: string } {
  const currency = fields.currency.toUpperCase()
  if (!/^[A-Z]{3}$/.test(currency))
    return { problem: `Currency is not a three-letter code: “${excerpt(fields.currency)}”` }
  const texts = { [gross]: fields.gross, [fee]: fields.fee || '0', [net]: fields.net }
  const amounts: number[] = []
  for (const [name, text] of Object.entries(texts)) {
    const amount = parseReportAmount(text, currency)
    if (amount === null) return { problem: `${name} is not an amount in ${currency}: “${excerpt(text)}”` }
    amounts.push(amount)
  }
  const [grossAmount = 0, feeAmount = 0, netAmount = 0] = amounts
  const deducted = isFeeSigned ? 0 - feeAmount : feeAmount
  if (grossAmount - deducted !== netAmount)
    return { problem: `${net} is not ${gross} less the fee: ${fields.gross}, ${fields.fee}, ${fields.net}` }
  return { currency, gross: grossAmount, fee: deducted, net: netAmount }
}

/** What the buyer was charged; null if it is in the currency of the settlement, or not reported. */
function customerMoney(
  text: string,
  currency: string,
  settlementCurrency: string,
): Pick<ReportLine, 'customerAmount' | 'customerCurrency'> {
  const amount =
    /^[A-Z]{3}$/.test(currency) && currency !== settlementCurrency ? parseReportAmount(text, currency) : null
  return amount === null
    ? { customerAmount: null, customerCurrency: null }
    : { customerAmount: amount, customerCurrency: currency }
}

/** Parses a time such as `2026-10-03 14:05:11`, also with a T, without seconds, or only a day. */
function momentOf(text: string): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?/.exec(text)
  const day = match ? dayFromParts(Number(match[1]), Number(match[2]), Number(match[3])) : null
  if (!match || !day) return null
  const at = new Date(`${day}T${match[4] ?? '00'}:${match[5] ?? '00'}:${match[6] ?? '00'}Z`)
  return Number.isNaN(at.getTime()) ? null : at
}

function dayFrom(text: string, dates: DateOrder): Day | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (iso) return dayFromParts(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const match = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text)
  if (!match) return null
  const first = Number(match[1])
  const second = Number(match[2])
  const year = Number(match[3])
  return dates === 'day-first' ? dayFromParts(year, second, first) : dayFromParts(year, first, second)
}

const orNull = (text: string, length = 100) => (text === '' ? null : cutText(text, length))
const excerpt = (text: string) => cutText(text, 60)
