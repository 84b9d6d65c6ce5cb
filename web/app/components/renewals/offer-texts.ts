import { countryName } from '#core/kernel/countries.ts'
import { type Day, formatDay } from '#core/kernel/dates.ts'
import { productNames } from '#core/pricing/plan-code.rules.ts'
import type { BlanketOfferView } from '#core/series/blanket-offers.ts'

export const statusNames = { any: 'Running or ended', running: 'Running', ended: 'Ended' } as const

export const offerStates = { draft: 'Draft', sending: 'Being sent', sent: 'Sent', stopped: 'Stopped' } as const

type Segment = Pick<BlanketOfferView, 'status' | 'endsFrom' | 'endsUntil' | 'product' | 'country'>

/** The segment of an offer as text: "Ended between 01/01/2026 and 31/03/2026, print, Germany". */
export function segmentText({ status, endsFrom, endsUntil, product, country }: Segment): string {
  const days = endText(endsFrom, endsUntil)
  return [
    days !== '' && status === 'ended' ? `Ended ${days}` : statusNames[status],
    ...(days !== '' && status !== 'ended' ? [`ends ${days}`] : []),
    ...(product === null ? [] : [productNames[product].toLowerCase()]),
    ...(country === '' ? [] : [countryName(country)]),
  ].join(', ')
}

/** The days between which a subscription ends, both included. */
function endText(from: Day | null, until: Day | null): string {
  if (from !== null && until !== null) return `between ${formatDay(from)} and ${formatDay(until)}`
  if (from !== null) return `on or after ${formatDay(from)}`
  return until === null ? '' : `on or before ${formatDay(until)}`
}
