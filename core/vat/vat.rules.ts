import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { isInEu, rateOf, type SaleScheme, type Supply, type VatRate } from './vat-rates.rules.ts'

/** Why a line has no VAT, or its VAT no amount in pounds. Empty: nothing is missing. */
export const vatProblems = {
  '': '',
  settings: 'Your VAT registration is not set',
  country: 'The country is not known',
  ratio: 'The split of a bundle into print and digital is not set',
  rate: 'No rate is set for this country and kind of supply',
  scheme: 'The rate is for the EU One Stop Shop, which is not set up',
  exchange: 'No exchange rate is set for this month',
} as const
export type VatProblem = keyof typeof vatProblems

/** The publisher's settings from which VAT lines are worked out. */
export interface VatTerms {
  /** Null: nothing was set yet. */
  settings: {
    isRegistered: boolean
    /** The first day of the registration; null: every day counts as registered. */
    registeredFrom: Day | null
    usesOss: boolean
    /** The print part of a bundle's price in basis points; null: not set. */
    bundlePrint: number | null
    vatNumber: string
    ossNumber: string
  } | null
  rates: readonly VatRate[]
  /** Units of a currency per pound, in millionths, by `2026-11 USD`. */
  exchange: ReadonlyMap<string, number>
}

/** One item of an order; amounts are minor units, VAT included. */
export interface VatItem {
  itemId: number
  supply: Supply
  gross: number
}

export interface VatPlace {
  /** Empty if unknown. */
  billingCountry: string
  shippingCountry: string
  /** The buyer gave a VAT number. */
  isBusiness?: boolean
}

/** The VAT of one part of a sale or of a refund; negative for refunds. `net` + `vat` = `gross`. */
export interface VatLine extends VatItem {
  country: string
  /** The address that the country was taken from. */
  decidedBy: 'billing' | 'shipping' | ''
  scheme: SaleScheme | null
  /** Basis points. */
  rate: number | null
  /** Null: not set. */
  net: number | null
  vat: number | null
  /** In pence. */
  netGbp: number | null
  vatGbp: number | null
  /** Units of the currency per pound, in millionths; null for pounds and if it is not set. */
  exchangeRate: number | null
  problem: VatProblem
}

const isDelivered: Record<Supply, boolean> = {
  print: true,
  digital: false,
  bundle: true,
  'back-issue': true,
  shipping: true,
}

/** Goods are taxed where they are delivered, digital editions where the buyer lives. */
function countryFor(
  supply: Supply,
  { billingCountry, shippingCountry }: VatPlace,
): Pick<VatLine, 'country' | 'decidedBy'> {
  const addresses = isDelivered[supply] ? (['shipping', 'billing'] as const) : (['billing', 'shipping'] as const)
  for (const decidedBy of addresses) {
    const country = decidedBy === 'billing' ? billingCountry : shippingCountry
    if (country !== '') return { country, decidedBy }
  }
  return { country: '', decidedBy: '' }
}

/** The VAT in an amount including VAT, rounded half up to the minor unit. */
export function vatWithin(gross: number, rate: number): number {
  const part = BigInt(gross) * BigInt(rate)
  const whole = BigInt(10_000 + rate)
  return Number((2n * part + whole) / (2n * whole))
}

/** Divides an amount into whole parts, in proportion to the shares. No part exceeds its share unless the amount exceeds all shares together. */
export function allocate(amount: number, shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0)
  if (total === 0) return shares.map((_, index) => (index === 0 ? amount : 0))
  let sharesSoFar = 0
  let allocatedSoFar = 0
  return shares.map((share) => {
    sharesSoFar += share
    const allocated = Number((BigInt(amount) * BigInt(sharesSoFar)) / BigInt(total))
    const part = allocated - allocatedSoFar
    allocatedSoFar = allocated
    return part
  })
}

/**
 * The lines of a sale of `amount`, divided over what was ordered. VAT is rounded on the sum of the lines of one rate, so that many lines
 * have the same VAT as one, to the penny.
 */
export function saleVat(
  sale: { items: readonly VatItem[]; amount: number; on: Day; currency: Currency; place: VatPlace },
  terms: VatTerms,
): VatLine[] {
  const { items, amount, on, currency, place } = sale
  const parts = allocate(
    amount,
    items.map(({ gross }) => gross),
  )
  const sums = new Map<string, number>()
  return items
    .flatMap((item, index) => partsOf({ ...item, gross: parts[index] as number }, on, terms))
    .filter(({ gross }) => gross !== 0)
    .map((item) => {
      const line = { ...item, ...countryFor(item.supply, place) }
      const tax = taxOf({ ...line, isBusiness: place.isBusiness ?? false }, on, terms)
      if ('problem' in tax) return { ...line, ...unset, problem: tax.problem }
      const key = `${tax.scheme} ${line.country} ${tax.rate}`
      const sumBefore = sums.get(key) ?? 0
      sums.set(key, sumBefore + line.gross)
      const vat = vatWithin(sumBefore + line.gross, tax.rate) - vatWithin(sumBefore, tax.rate)
      return inPounds({ ...line, ...unset, ...tax, problem: '', vat, net: line.gross - vat }, { currency, on }, terms)
    })
}

const unset = {
  scheme: null,
  rate: null,
  net: null,
  vat: null,
  netGbp: null,
  vatGbp: null,
  exchangeRate: null,
} as const

function isTaxable({ settings }: VatTerms, on: Day): boolean {
  return settings?.isRegistered === true && (settings.registeredFrom === null || settings.registeredFrom <= on)
}

function partsOf(item: VatItem, on: Day, terms: VatTerms): VatItem[] {
  const ratio = terms.settings?.bundlePrint ?? null
  if (item.supply !== 'bundle' || ratio === null || !isTaxable(terms, on)) return [item]
  const [print = 0, digital = 0] = allocate(item.gross, [ratio, 10_000 - ratio])
  return [
    { ...item, supply: 'print', gross: print },
    { ...item, supply: 'digital', gross: digital },
  ]
}

function taxOf(
  { supply, country, isBusiness }: { supply: Supply; country: string; isBusiness: boolean },
  on: Day,
  terms: VatTerms,
): { scheme: SaleScheme; rate: number } | { problem: VatProblem } {
  if (terms.settings === null) return { problem: 'settings' }
  if (!isTaxable(terms, on)) return { scheme: 'none', rate: 0 }
  if (country === '') return { problem: 'country' }
  if (supply === 'bundle') return { problem: 'ratio' }
  // VAT Act 1994, section 7A: a service to a business is supplied where that business is. Goods are not.
  if (isBusiness && supply === 'digital' && isInEu(country)) return { scheme: 'reverse', rate: 0 }
  const vatRate = rateOf(terms.rates, { country, supply, on })
  if (!vatRate) return { problem: 'rate' }
  if (vatRate.scheme === 'eu-oss' && !terms.settings.usesOss) return { problem: 'scheme' }
  return { scheme: vatRate.scheme, rate: vatRate.rate }
}

/** A line with its amounts in pounds, at the rate of its month; "not set" if there is none. A line that already has amounts in pounds keeps them. */
export function inPounds(
  line: VatLine,
  { currency, on }: { currency: Currency; on: Day },
  { exchange }: VatTerms,
): VatLine {
  if (line.vat === null || line.net === null || line.vatGbp !== null) return line
  if (currency === 'GBP') return { ...line, netGbp: line.net, vatGbp: line.vat, problem: '' }
  const exchangeRate = exchange.get(`${on.slice(0, 7)} ${currency}`)
  if (exchangeRate === undefined) return { ...line, problem: 'exchange' }
  const vatGbp = pence(line.vat, exchangeRate)
  return { ...line, exchangeRate, vatGbp, netGbp: pence(line.gross, exchangeRate) - vatGbp, problem: '' }
}

function pence(amount: number, exchangeRate: number): number {
  const part = BigInt(amount) * 1_000_000n
  const whole = BigInt(exchangeRate)
  return Number((2n * part + whole) / (2n * whole))
}

const keyOf = ({ itemId, supply }: VatItem) => `${itemId} ${supply}`

/**
 * The lines of a refund of a sale: in proportion to the remaining amount of each line of the sale, with the VAT, rate and country of that
 * line. A refund of the whole remaining amount takes exactly the remaining VAT, also in pounds.
 */
export function refundVat(sale: readonly VatLine[], earlierRefunds: readonly VatLine[], amount: number): VatLine[] {
  const remaining = sale.map((line) => remainingOf(line, earlierRefunds))
  const total = remaining.reduce((sum, { gross }) => sum + gross, 0)
  const parts = allocate(
    Math.min(amount, total),
    remaining.map(({ gross }) => gross),
  )
  // A refund of more than was sold is an error elsewhere: it must not stop money from being recorded.
  if (amount > total && parts.length > 0) parts[0] = (parts[0] as number) + amount - total
  return remaining.flatMap((line, index) => {
    const gross = parts[index] as number
    if (gross === 0) return []
    const share = (value: number | null) => (value === null ? null : shareOf(value, gross, line.gross))
    const vatShare = share(line.vat)
    // The VAT that remains after this refund must not exceed the gross amount that remains.
    const vat = vatShare === null ? null : Math.min(Math.max(vatShare, (line.vat ?? 0) - (line.gross - gross)), gross)
    const net = vat === null ? null : gross - vat
    return opposite([{ ...line, gross, vat, net, vatGbp: share(line.vatGbp), netGbp: share(line.netGbp) }])
  })
}

/** The lines that reverse these, to the penny. */
export function opposite(lines: readonly VatLine[]): VatLine[] {
  const minus = (amount: number | null) => (amount === null ? null : 0 - amount)
  return lines.map((line) => ({
    ...line,
    gross: 0 - line.gross,
    net: minus(line.net),
    vat: minus(line.vat),
    netGbp: minus(line.netGbp),
    vatGbp: minus(line.vatGbp),
  }))
}

function remainingOf(line: VatLine, earlierRefunds: readonly VatLine[]): VatLine {
  const remaining = { ...line }
  for (const refund of earlierRefunds) {
    if (keyOf(refund) !== keyOf(line)) continue
    remaining.gross += refund.gross
    for (const name of ['net', 'vat', 'netGbp', 'vatGbp'] as const) {
      const amount = remaining[name]
      const refunded = refund[name]
      remaining[name] = amount === null || refunded === null ? null : amount + refunded
    }
  }
  return remaining
}

/** The share of an amount that belongs to a part of its gross, rounded half up; the whole amount for the whole gross. */
function shareOf(amount: number, part: number, gross: number): number {
  if (part >= gross) return amount
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(gross)) / (2n * BigInt(gross)))
}
