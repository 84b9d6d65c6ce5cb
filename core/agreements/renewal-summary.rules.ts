import type { Day } from '../kernel/dates.ts'
import type { Money } from '../kernel/money.ts'
import type { PlanChoice } from '../pricing/plan-code.rules.ts'

/** An automatic renewal as shown to its buyer. */
export interface RenewalSummary {
  plan: PlanChoice
  /** The price that was agreed, or announced for the next charge. */
  price: Money
  /** The day it is charged. */
  on: Day
}
