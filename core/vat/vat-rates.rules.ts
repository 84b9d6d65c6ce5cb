import type { Day } from '../kernel/dates.ts'

/** The kinds of supply for VAT. A bundle is divided into its print and digital parts as soon as the publisher has set the ratio. */
export const supplies = ['print', 'digital', 'bundle', 'back-issue', 'shipping'] as const
export type Supply = (typeof supplies)[number]

export const supplyNames: Record<Supply, string> = {
  print: 'Print',
  digital: 'Digital',
  bundle: 'Bundle',
  'back-issue': 'Back issues',
  shipping: 'Shipping',
}

/** Where VAT is declared: the UK return, the One Stop Shop for digital sales to EU consumers, or nowhere. */
export const vatSchemes = ['uk', 'eu-oss', 'none'] as const
export type VatScheme = (typeof vatSchemes)[number]

/** The scheme of a sale. `reverse`: the buyer is a business and accounts for the VAT in its own country. No rate is set for it. */
export type SaleScheme = VatScheme | 'reverse'

export const schemeNames: Record<SaleScheme, string> = {
  uk: 'UK',
  'eu-oss': 'EU OSS',
  none: 'None',
  reverse: 'Reverse charge',
}

const memberStates = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' '),
)

/** A rate may be for a country, for every EU country without its own rate, or for every country outside the UK and the EU. */
export const countryGroups = {
  EU: 'Every other EU country',
  XX: 'Every other country outside the UK and the EU',
} as const

/** Whether a country, or a group of countries, is in the EU. */
export function isInEu(country: string): boolean {
  return country === 'EU' || memberStates.has(country)
}

function groupOf(country: string): keyof typeof countryGroups | null {
  if (memberStates.has(country)) return 'EU'
  return country === 'GB' ? null : 'XX'
}

/** A rate that applies from a given day until a later rate for the same country and kind of supply. */
export interface VatRate {
  /** ISO alpha-2, or a group. */
  country: string
  supply: Supply
  fromOn: Day
  /** Basis points: 2000 is 20%. */
  rate: number
  scheme: VatScheme
}

/**
 * The rates that are certain. Printed periodicals: VAT Act 1994, Schedule 8, Group 3, item 2; electronic ones: item 7, from 1 May 2020.
 * Publications that are mainly advertising, audio or video are not included: their publishers set their own rate, which takes precedence.
 */
export const builtInRates: readonly VatRate[] = [
  { country: 'GB', supply: 'print', fromOn: '1995-01-01', rate: 0, scheme: 'uk' },
  { country: 'GB', supply: 'back-issue', fromOn: '1995-01-01', rate: 0, scheme: 'uk' },
  { country: 'GB', supply: 'digital', fromOn: '2020-05-01', rate: 0, scheme: 'uk' },
]

/**
 * The rate of a day; null if none is set. The publisher's own rates take precedence over the built-in ones, and a
 * country's rate over that of its group.
 */
export function rateOf(
  publisherRates: readonly VatRate[],
  { country, supply, on }: { country: string; supply: Supply; on: Day },
): VatRate | null {
  const group = groupOf(country)
  for (const rates of [publisherRates, builtInRates])
    for (const area of [country, group]) {
      const [latest] = rates
        .filter((rate) => rate.country === area && rate.supply === supply && rate.fromOn <= on)
        .sort((a, b) => (a.fromOn < b.fromOn ? 1 : -1))
      if (latest) return latest
    }
  return null
}

/** 2000 as "20", 550 as "5.5": per cent, without the sign. */
export function formatRate(rate: number): string {
  return String(rate / 100)
}
