import { expect, it } from 'vitest'
import type { Plan } from './plan-code.rules.ts'
import { pricePerIssue, savingPercent } from './plan-value.rules.ts'

const plan = (termMonths: Plan['termMonths'], price: number, product: Plan['product'] = 'print'): Plan => ({
  product,
  termMonths,
  isRecurring: false,
  price,
})
const month = plan(1, 299)
const year = plan(12, 2999)
const plans = [year, plan(12, 2500), month, plan(1, 999, 'digital'), plan(null, 0, 'digital')]

it.each([
  [month, 299, 0],
  [year, 2999, 16],
  [plan(12, 2500), 2500, 30],
  // With a promo code of 50%.
  [year, 1500, 58],
  [plan(null, 0, 'digital'), 0, 0],
])('%j for %i saves %i percent', (chosen, amount, percent) => {
  expect(savingPercent(chosen, amount, plans)).toBe(percent)
})

it('a saving of exactly 25 percent is not rounded down, and the same price saves nothing', () => {
  expect(savingPercent(plan(12, 900), 900, [plan(1, 100), plan(12, 900)])).toBe(25)
  expect(savingPercent(plan(12, 1200), 1200, [plan(1, 100), plan(12, 1200)])).toBe(0)
})

it.each([
  [year, 2999, 12, 250],
  [year, 2999, 4, 750],
  [plan(6, 1800), 1800, 4, 900],
  [plan(1, 299), 299, 52, 69],
  [month, 299, 6, null],
  [plan(null, 0), 0, 12, null],
  [year, 2999, 0, null],
])('%j for %i with %i issues a year costs %s an issue', (chosen, amount, issuesPerYear, perIssue) => {
  expect(pricePerIssue(chosen, amount, issuesPerYear)).toBe(perIssue)
})
