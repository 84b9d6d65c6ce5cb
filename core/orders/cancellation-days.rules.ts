import type { Day } from '../kernel/dates.ts'
import { isInEu } from '../vat/vat-rates.rules.ts'

/** Days in which a consumer may cancel an order and have all of it back, from a day on. Earlier orders go by the row before it. */
interface CancellationRule {
  from: Day
  /** `EU`: every member state. */
  country: 'GB' | 'EU'
  /** What the consumer ordered, or what renewed automatically. */
  of: 'order' | 'renewal'
  days: number
}

/**
 * THE table of statutory cancellation periods. This is a developer's reading of the law, not advice: a change is a further row with its own
 * day, never an edit of a row that has been used.
 */
const cancellationRules: readonly CancellationRule[] = [
  // Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013, reg. 30.
  { from: '2014-06-13', country: 'GB', of: 'order', days: 14 },
  // Directive 2011/83/EU, article 9.
  { from: '2014-06-13', country: 'EU', of: 'order', days: 14 },
  // Digital Markets, Competition and Consumers Act 2024, s. 264. Expected in force in spring 2027; its day is not fixed yet, so from the
  // first that it can be: a refund more harms nobody.
  { from: '2027-03-01', country: 'GB', of: 'renewal', days: 14 },
]

export interface CancellableOrder {
  orderedOn: Day
  /** The buyer's. */
  country: string
  termMonths: number | null
  /** Renewed by itself; what somebody ordered is not, however many terms there were before it. */
  isAutomatic: boolean
  /** The term before was free or cheaper than the usual price. */
  followsReduced: boolean
}

/** The days from the order on in which the law lets the buyer cancel it; 0 where it does not, or where no rule is known. */
export function cancellationDays(order: CancellableOrder): number {
  const { orderedOn, country, termMonths, isAutomatic, followsReduced } = order
  if (isAutomatic && !followsReduced && (termMonths ?? 0) < 12) return 0
  const place = isInEu(country) ? 'EU' : country
  const held = cancellationRules
    .filter(
      (rule) => rule.country === place && rule.of === (isAutomatic ? 'renewal' : 'order') && rule.from <= orderedOn,
    )
    .sort((one, other) => (one.from < other.from ? 1 : -1))
  return held[0]?.days ?? 0
}
