import type { Day } from '../kernel/dates.ts'
import { parseTypedDay } from '../kernel/parse-typed-day.ts'
import type { ApplicableProducts } from '../pricing/discount.rules.ts'
import { maxUses, promoSentence } from './promo.rules.ts'

/** A promo code as it is being typed: text, possibly incomplete. */
export interface TypedPromo {
  discountPercent: string
  startsOn: string
  endsOn: string
  uses: string
  applicableProducts: ApplicableProducts
}

/**
 * What the typed code would do, in one sentence; or what is still missing for that. The same text on the server
 * and while typing.
 */
export function typedPromoSentence(typed: TypedPromo, today: Day): string {
  const discountPercent = parseInteger(typed.discountPercent, 1, 100)
  const uses = typed.uses.trim() === '' ? 0 : parseInteger(typed.uses, 0, maxUses)
  const startsOn = typedDay(typed.startsOn)
  const endsOn = typedDay(typed.endsOn)
  const unclear = [
    ...(discountPercent === null ? ['the discount'] : []),
    ...(startsOn.isBlank || startsOn.day ? [] : ['the start date']),
    ...(endsOn.isBlank || endsOn.day ? [] : ['the end date']),
    ...(uses === null ? ['the uses'] : []),
  ]
  if (discountPercent === null || uses === null || unclear.length > 0) {
    return `To see what this code does, fill in ${new Intl.ListFormat('en-GB').format(unclear)}.`
  }
  if (endsOn.day && startsOn.day && endsOn.day < startsOn.day)
    return 'This code would never work: it ends before it starts.'
  if (endsOn.day && endsOn.day < today) return 'This code would not work: its end date has passed.'
  const { applicableProducts } = typed
  return `${promoSentence({ discountPercent, startsOn: startsOn.day, endsOn: endsOn.day, uses, applicableProducts }, today)}.`
}

interface TypedDay {
  isBlank: boolean
  day: Day | null
}

function typedDay(text: string): TypedDay {
  return { isBlank: text.trim() === '', day: parseTypedDay(text) }
}

function parseInteger(text: string, min: number, max: number): number | null {
  const number = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
  return number >= min && number <= max ? number : null
}
