import type { Day } from '../kernel/dates.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { firstLastDay, type NewTerm, newTerm, type SubscriptionTerm, termState } from '../terms/term.rules.ts'

/**
 * Which of a person's records a bought subscription extends, and its term: one that runs with the same product, then one that runs and
 * becomes a bundle, then one that has ended; deactivated ones last. Null if none can: each is in the middle of another product. `startOn` is the
 * first day of a term that follows none.
 */
export function recordToExtend<Candidate extends SubscriptionTerm & { isDeleted: boolean }>(
  records: readonly Candidate[],
  bought: { product: Product; termMonths: TermMonths | null },
  today: Day,
  startOn = today,
): { record: Candidate; term: NewTerm } | null {
  const rank = (record: Candidate) =>
    Number(record.isDeleted) * 4 +
    Number(['none', 'expired'].includes(termState(record, today))) * 2 +
    Number(record.subType !== bought.product)
  const choices = records
    .map((record) => ({ record, term: newTerm(record, bought, today, startOn) }))
    .filter((choice): choice is { record: Candidate; term: NewTerm } => choice.term !== null)
    .sort((a, b) => rank(a.record) - rank(b.record) || (a.record.subEndOn < b.record.subEndOn ? 1 : -1))
  return choices[0] ?? null
}

/** The last day of the term that a person with these records buys, on which a plan that renews is charged again. */
export function lastDayBought(
  records: readonly (SubscriptionTerm & { isDeleted: boolean })[],
  bought: { product: Product; termMonths: TermMonths },
  today: Day,
): Day {
  return recordToExtend(records, bought, today)?.term.endOn ?? firstLastDay(today, bought.termMonths)
}
