import type { Day } from '../kernel/dates.ts'
import type { VatLine } from './vat.rules.ts'
import type { Supply } from './vat-rates.rules.ts'

/** The parts of an amount, in minor units. */
interface Taxed {
  /** Basis points. */
  rate: number
  net: number
  vat: number
  gross: number
}

/** The VAT as an invoice or a credit note shows it; all amounts are positive, as on the document. */
export interface DocumentVat {
  taxPoint: Day
  lines: (Taxed & { supply: Supply })[]
  /** The amounts by rate, the lowest first. */
  rates: Taxed[]
  /** VAT for the UK return in pence, if the document is in another currency; null otherwise and if it is not set. */
  vatGbp: number | null
  /** The publisher's numbers as they were on that day; the one for the EU One Stop Shop if any part is declared there. */
  vatNumber: string
  ossNumber: string
  /** The buyer's number, if it is a business. */
  buyerVatNumber: string
  /** The buyer accounts for the VAT of at least one line. */
  isReverseCharged: boolean
}

type Line = Pick<VatLine, 'supply' | 'scheme' | 'rate' | 'net' | 'vat' | 'gross' | 'vatGbp'> & {
  taxPoint: Day
  currency: string
  vatNumber: string
  ossNumber: string
  buyerVatNumber: string
}

/**
 * The VAT of a document from its lines. Null if one of them is not set, as a partial sum would be a false total, and if no VAT is
 * charged at all.
 */
export function documentVat(lines: readonly Line[]): DocumentVat | null {
  const [first] = lines
  const taxed = lines.flatMap(({ supply, rate, net, vat, gross }) =>
    rate === null || net === null || vat === null
      ? []
      : [{ supply, rate, net: Math.abs(net), vat: Math.abs(vat), gross: Math.abs(gross) }],
  )
  if (!first || taxed.length < lines.length || lines.every(({ scheme }) => scheme === 'none')) return null
  const rates = new Map<number, Taxed>()
  for (const { rate, net, vat, gross } of taxed) {
    const sum = rates.get(rate) ?? { rate, net: 0, vat: 0, gross: 0 }
    rates.set(rate, { rate, net: sum.net + net, vat: sum.vat + vat, gross: sum.gross + gross })
  }
  return {
    taxPoint: first.taxPoint,
    lines: taxed,
    rates: [...rates.values()].sort((a, b) => a.rate - b.rate),
    vatGbp: inPence(lines.filter(({ scheme }) => scheme === 'uk')),
    vatNumber: first.vatNumber,
    ossNumber: lines.find(({ scheme }) => scheme === 'eu-oss')?.ossNumber ?? '',
    buyerVatNumber: first.buyerVatNumber,
    isReverseCharged: lines.some(({ scheme }) => scheme === 'reverse'),
  }
}

/** The VAT of a British invoice in another currency must be shown on it in pounds, too (VAT Regulations 1995, regulation 14(1)). */
function inPence(lines: readonly Line[]): number | null {
  if (lines.every(({ currency, vat }) => currency === 'GBP' || vat === 0)) return null
  const sum = lines.reduce<number | null>(
    (total, { vatGbp }) => (total === null || vatGbp === null ? null : total + vatGbp),
    0,
  )
  return sum === null ? null : Math.abs(sum)
}
