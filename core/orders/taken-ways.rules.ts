import { type StaffWay, staffWays } from '../payment-methods/payment-methods.rules.ts'

/** How staff were paid for an order that they enter, or `free`: nothing is to be paid. */
export const takenWays = [...staffWays, 'free'] as const
export type TakenWay = StaffWay | 'free'

/** The same in words for staff. */
export const takenWayWords: Record<TakenWay, string> = {
  cheque: 'Cheque received',
  'bank-transfer': 'Bank transfer received',
  cash: 'Cash received',
  free: 'Free copy',
}
