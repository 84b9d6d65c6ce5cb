import type { Currency } from '../kernel/money.ts'
import type { PaymentProvider } from '../ports/payment-gateway.ts'

/** The name of each payment method in the ledger. */
export const paymentTypes: Record<PaymentProvider, string> = {
  'stripe-card': 'Card',
  'stripe-bacs': 'Direct debit',
  paypal: 'PayPal',
  'secure-trading': 'Card (Secure Trading)',
  demo: 'Demo card',
  cheque: 'Cheque',
  'bank-transfer': 'Bank transfer',
  cash: 'Cash',
  invoice: 'Invoice',
  credit: 'Credit',
  free: 'Free',
}

/** The methods by which staff take money themselves: no gateway is called, here or for a refund. */
export const manualPaymentMethods = ['cheque', 'bank-transfer', 'cash'] as const satisfies readonly PaymentProvider[]

/** How an invoice is paid: with money that staff take, or from the credit of an earlier refund. */
export const invoicePaymentMethods = [...manualPaymentMethods, 'credit'] as const satisfies readonly PaymentProvider[]
export type InvoicePaymentMethod = (typeof invoicePaymentMethods)[number]

/** The payment methods of staff orders: money already received, credit, or an invoice. */
export type StaffProvider = InvoicePaymentMethod | 'invoice'

export function isOfStaff(provider: PaymentProvider): provider is StaffProvider {
  return provider === 'invoice' || (invoicePaymentMethods as readonly PaymentProvider[]).includes(provider)
}

/** The payment methods that a buyer can choose. `free` is for orders that cost nothing, and is never chosen. */
export type PaidProvider = Exclude<PaymentProvider, 'free' | StaffProvider>
export const paidProviders = (Object.keys(paymentTypes) as PaymentProvider[]).filter(
  (provider): provider is PaidProvider => provider !== 'free' && !isOfStaff(provider),
)

/**
 * The payment methods a buyer may choose for an order, of those its publisher has set up: PayPal and the hosted page store no agreement and are left
 * out for plans that renew; direct debit takes only pounds (spec 1, section 4.4).
 */
export function methodsFor(
  accepts: readonly PaidProvider[],
  order: { currency: Currency; isRecurring: boolean },
): PaidProvider[] {
  return accepts.filter((provider) => {
    if (provider === 'paypal' || provider === 'secure-trading') return !order.isRecurring
    return provider !== 'stripe-bacs' || order.currency === 'GBP'
  })
}
