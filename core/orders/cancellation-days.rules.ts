import type { Day } from '../kernel/dates.ts'
import { isInEu } from '../vat/vat-rates.rules.ts'

/** Days in which a consumer may cancel an order and get a full refund, from a given day on. Earlier orders use the previous row. */
interface CancellationRule {
  from: Day
  /** `EU`: every member state. */
  jurisdiction: 'GB' | 'EU'
  /** Whether the consumer ordered it, or it renewed automatically. */
  appliesTo: 'order' | 'renewal'
  days: number
}

/**
 * The table of statutory cancellation periods. This is a developer's reading of the law, not advice: a change is a further row with its own
 * day, never an edit of a row that has been used.
 */
const cancellationRules: readonly CancellationRule[] = [
  // Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013, reg. 30.
  { from: '2014-06-13', jurisdiction: 'GB', appliesTo: 'order', days: 14 },
  // Directive 2011/83/EU, article 9.
  { from: '2014-06-13', jurisdiction: 'EU', appliesTo: 'order', days: 14 },
  // Digital Markets, Competition and Consumers Act 2024, s. 264. Expected in force in spring 2027; its day is not fixed yet, so the
  // earliest possible one is used: an unnecessary refund does no harm.
  { from: '2027-03-01', jurisdiction: 'GB', appliesTo: 'renewal', days: 14 },
]

export interface CancellableOrder {
  orderedOn: Day
  /** The buyer's country. */
  country: string
  termMonths: number | null
  /** Whether it renewed automatically. An order that a person placed did not, however many terms came before it. */
  isAutomatic: boolean
  /** Whether the previous term was free or cheaper than the usual price. */
  followsReducedTerm: boolean
}

/** The number of days after an order within which the law lets the buyer cancel it; 0 if it does not, or if no rule is known. */
export function cancellationDays(order: CancellableOrder): number {
  const { orderedOn, country, termMonths, isAutomatic, followsReducedTerm } = order
  if (isAutomatic && !followsReducedTerm && (termMonths ?? 0) < 12) return 0
  const jurisdiction = isInEu(country) ? 'EU' : country
  const applicable = cancellationRules
    .filter(
      (rule) =>
        rule.jurisdiction === jurisdiction &&
        rule.appliesTo === (isAutomatic ? 'renewal' : 'order') &&
        rule.from <= orderedOn,
    )
    .sort((a, b) => (a.from < b.from ? 1 : -1))
  return applicable[0]?.days ?? 0
}
