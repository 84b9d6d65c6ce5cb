import { countryName } from '#core/kernel/countries.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { productNames } from '#core/pricing/plan-code.rules.ts'
import type { BlanketOfferView } from '#core/series/blanket-offers.ts'

export const statusNames = { any: 'Running or ended', running: 'Running', ended: 'Ended' } as const

export const offerStates = { draft: 'Draft', sending: 'Being sent', sent: 'Sent', stopped: 'Stopped' } as const

type Who = Pick<BlanketOfferView, 'status' | 'endsFrom' | 'endsUntil' | 'product' | 'country'>

/** The segment of an offer as text: "Ended, from 01/01/2026 until 31/03/2026, print, Germany". */
export function segmentText({ status, endsFrom, endsUntil, product, country }: Who): string {
  return [
    statusNames[status],
    ...(endsFrom === null ? [] : [`from ${formatDay(endsFrom)}`]),
    ...(endsUntil === null ? [] : [`until ${formatDay(endsUntil)}`]),
    ...(product === null ? [] : [productNames[product].toLowerCase()]),
    ...(country === '' ? [] : [countryName(country)]),
  ].join(', ')
}
