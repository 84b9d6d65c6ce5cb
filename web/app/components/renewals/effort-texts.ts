import { currencies, formatMoney } from '#core/kernel/money.ts'
import { productNames, termName } from '#core/pricing/plan-code.rules.ts'
import { type Band, bandNames } from '#core/pricing/region.rules.ts'
import type { EffortOffer } from '#core/series/series.rules.ts'

export const channelNames = { mail: 'Email', letter: 'Letter' } as const
export const kindNames = { reminder: 'Reminder', offer: 'Offer' } as const

/** The offer of a link in text: "Print, one year, 20% off". */
export function offerText({ offerProduct, offerTermMonths, offerPercent, offerPrices }: EffortOffer): string {
  const text = [
    ...(offerProduct === null ? [] : [productNames[offerProduct]]),
    ...(offerTermMonths === null ? [] : [termName(offerTermMonths).toLowerCase()]),
    ...(offerPercent === null ? [] : [`${offerPercent}% off`]),
    ...currencies.flatMap((currency) => {
      const amount = offerPrices?.[currency]
      return amount === undefined ? [] : [formatMoney({ amount, currency })]
    }),
  ].join(', ')
  return text === '' ? 'The same plan at its current price' : text.charAt(0).toUpperCase() + text.slice(1)
}

/** The regions where an offered plan is not sold, in a sentence: "not in Euro countries". */
export function unsoldText(bands: readonly Band[]): string {
  return `not in ${bands.map((band) => bandNames[band]).join(', not in ')}`
}
