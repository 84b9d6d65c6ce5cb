import { addDays } from '../kernel/calendar.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { countOf } from '../kernel/text-format.ts'
import type { RefundChoices, RefundScope } from './refund.rules.ts'

export const afterwardsChoices = {
  months: 'The unserved months',
  credit: 'The unserved months, as credit',
  none: 'Nothing',
} as const

/** The refund policy of a publication. */
export interface RefundPolicy {
  /** For how many days after the order the whole amount is refunded; 0: never. */
  wholeDays: number
  afterwards: keyof typeof afterwardsChoices
  /** Whether staff may refund more than that, with a reason. The publisher always may: consumer law takes precedence over a policy. */
  allowsMore: boolean
}

/** Applies if a publisher has set nothing: the 14 days in which a consumer may cancel, then the part that was not delivered. */
export const defaultRefundPolicy: RefundPolicy = { wholeDays: 14, afterwards: 'months', allowsMore: true }

/** The refund that the policy proposes for an order on a given day. */
export interface RefundProposal {
  /** Null: nothing. */
  scope: Extract<RefundScope, 'whole' | 'months'> | null
  /** Minor units; anything above is more than the policy allows. */
  amount: number
  /** Whether it is kept as credit for a later order: money instead is more than the policy allows. */
  isCredit: boolean
  /** The rule that decides, as text for staff. */
  rule: string
}

export function proposedRefund(
  { wholeDays, afterwards }: RefundPolicy,
  {
    orderedOn,
    statutoryDays = 0,
    today,
    choices,
  }: {
    orderedOn: Day
    /** Days in which the law lets the buyer cancel (`cancellation-days.rules.ts`): a policy with fewer days uses these. */
    statutoryDays?: number
    today: Day
    choices: Pick<RefundChoices, 'refundable' | 'months'>
  },
): RefundProposal {
  const lastDay = addDays(orderedOn, wholeDays)
  const lastStatutoryDay = addDays(orderedOn, statutoryDays)
  const days = countOf(wholeDays, 'day')
  if (wholeDays > 0 && today <= lastDay)
    return {
      scope: 'whole',
      amount: choices.refundable,
      isCredit: false,
      rule: `a refund of the whole amount within ${days} of the order, until ${formatDay(lastDay)}`,
    }
  if (statutoryDays > wholeDays && today <= lastStatutoryDay)
    return {
      scope: 'whole',
      amount: choices.refundable,
      isCredit: false,
      rule: `a refund of the whole amount until ${formatDay(lastStatutoryDay)}: the law lets consumers cancel within ${countOf(statutoryDays, 'day')}`,
    }
  const since = wholeDays > 0 ? ` after ${days}` : ''
  if (afterwards === 'none') return { scope: null, amount: 0, isCredit: false, rule: `no refund${since}` }
  const isCredit = afterwards === 'credit'
  const rule = `${isCredit ? 'a credit for' : 'a refund of'} the unserved months${since}`
  if (!choices.months)
    return { scope: null, amount: 0, isCredit, rule: `${rule}: this order has no unserved months left` }
  return { scope: 'months', amount: choices.months.amount, isCredit, rule }
}
