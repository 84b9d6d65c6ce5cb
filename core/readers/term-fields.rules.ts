import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { SubscriptionTerm } from '../terms/term.rules.ts'

/** The fields of a reader's record that an order overwrites with its term, and that its reversal restores. */
export interface TermFields extends SubscriptionTerm {
  subRenewOn: Day
  /** Minor units; null is free. */
  subPaid: number | null
  subCurrency: Currency
}

const names = ['subType', 'subStartOn', 'subEndOn', 'subRenewOn', 'subPaid', 'subCurrency', 'subAnchorDay'] as const

export function termFields(reader: TermFields): TermFields {
  return storedTerm({ ...reader }) as TermFields
}

/** The term fields that a history entry contains; older entries contain only some. */
export function storedTerm(before: Record<string, unknown>): Partial<TermFields> {
  return Object.fromEntries(names.filter((name) => name in before).map((name) => [name, before[name]]))
}
