import type { Plan } from './plan-code.rules.ts'

/**
 * What a plan saves compared with the highest price per month for the same product, in whole percent, rounded down; 0 where it saves nothing.
 * `amount` is what it costs with a promo code, in minor units.
 */
export function savingPercent(plan: Plan, amount: number, plans: readonly Plan[]): number {
  const { termMonths } = plan
  if (termMonths === null) return 0
  const highestPrice = Math.max(
    ...plans.flatMap((other) =>
      other.product === plan.product && other.termMonths !== null ? [other.price / other.termMonths] : [],
    ),
  )
  return Math.max(0, Math.floor(100 * (1 - amount / (highestPrice * termMonths)) + 1e-9))
}

/** What each issue of a term costs, in minor units; null if the term is shorter than the issue interval. */
export function pricePerIssue({ termMonths }: Plan, amount: number, issuesPerYear: number): number | null {
  const issues = ((termMonths ?? 0) * issuesPerYear) / 12
  return issues >= 1 ? Math.round(amount / issues) : null
}
