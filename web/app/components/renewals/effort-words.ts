import { currencies, formatMoney } from '#core/kernel/money.ts'
import { productNames, termName } from '#core/pricing/plan-code.rules.ts'
import type { EffortOffer } from '#core/series/series.rules.ts'

export const channelNames = { mail: 'Email', letter: 'Letter' } as const
export const kindNames = { reminder: 'Reminder', offer: 'Offer' } as const

/** The offer of a link in words: "Print, one year, 20% off". */
export function offerWords({ offerProduct, offerTermMonths, offerPercent, offerPrices }: EffortOffer): string {
  const words = [
    ...(offerProduct === null ? [] : [productNames[offerProduct]]),
    ...(offerTermMonths === null ? [] : [termName(offerTermMonths).toLowerCase()]),
    ...(offerPercent === null ? [] : [`${offerPercent}% off`]),
    ...currencies.flatMap((currency) => {
      const amount = offerPrices?.[currency]
      return amount === undefined ? [] : [formatMoney({ amount, currency })]
    }),
  ].join(', ')
  return words === '' ? 'The same plan at its price' : words.charAt(0).toUpperCase() + words.slice(1)
}
