import { formatDay } from '#core/kernel/dates.ts'
import { formatMoney } from '#core/kernel/money.ts'
import type { PlanBillingStatus } from '#core/plans/plan-billing-status.rules.ts'

/** An amount of a publisher's plan, which is priced in pounds; in pence. */
export const pounds = (amount: number) => formatMoney({ amount, currency: 'GBP' })

/** "Paid", "Unpaid since 21/11/2026". */
export function billingStatusText(billingStatus: PlanBillingStatus, cancelsAtEnd: boolean): string {
  switch (billingStatus.kind) {
    case 'none':
      return 'Arranged with us directly'
    case 'active':
      return cancelsAtEnd ? 'Paid, and cancelled' : 'Paid'
    case 'unpaid':
      return `Unpaid since ${formatDay(billingStatus.since)}`
    case 'ended':
      return `Ended on ${formatDay(billingStatus.on)}`
  }
}

/** The message after a payment for a plan, by the plan's state before it. */
export function paidText(before: PlanBillingStatus): string {
  return before.kind === 'ended' ? 'Welcome back: your plan is paid' : 'Thank you: your plan is paid'
}

export const unaffectedText = 'Renewals, your readers’ data, mailing files and exports are not affected.'
