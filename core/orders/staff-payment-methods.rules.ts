import { invoicePaymentMethods, type StaffProvider } from '../payment-methods/payment-methods.rules.ts'

/** How staff were paid for an order that they enter, or `free`: nothing is to be paid. */
export const staffPaymentMethods = [...invoicePaymentMethods, 'invoice', 'free'] as const
export type StaffPaymentMethod = StaffProvider | 'free'

/** The payment methods as text for staff. */
export const staffPaymentMethodNames: Record<StaffPaymentMethod, string> = {
  cheque: 'Paid by cheque',
  'bank-transfer': 'Paid by bank transfer',
  cash: 'Paid in cash',
  credit: 'From the credit of an earlier refund',
  invoice: 'Bill me: send an invoice',
  free: 'Free copy',
}

/** When the subscription of a billed order begins, as text for staff. */
export const termStarts = { now: 'With the order', paid: 'When the invoice is paid' } as const
export type TermStart = keyof typeof termStarts
export const termStartNames = Object.keys(termStarts) as [TermStart, ...TermStart[]]
