import { printDay } from '#core/kernel/dates.ts'
import { formatMoney } from '#core/kernel/money.ts'
import type { PlanStanding } from '#core/plans/plan-standing.rules.ts'

export const pounds = (amount: number) => formatMoney({ amount, currency: 'GBP' })

/** "Paid", "Unpaid since 21/11/2026". */
export function standingWords(standing: PlanStanding, cancelsAtEnd: boolean): string {
  switch (standing.kind) {
    case 'none':
      return 'Arranged with us directly'
    case 'good':
      return cancelsAtEnd ? 'Paid, and cancelled' : 'Paid'
    case 'unpaid':
      return `Unpaid since ${printDay(standing.since)}`
    case 'ended':
      return `Ended on ${printDay(standing.on)}`
  }
}

/** The message after a payment for a plan, by the plan's state before it. */
export function paidWords(before: PlanStanding): string {
  return before.kind === 'ended' ? 'Welcome back: your plan is paid' : 'Thank you: your plan is paid'
}

export const untouchedWords = 'Renewals, your readers’ data, mailing files and exports are not touched.'
