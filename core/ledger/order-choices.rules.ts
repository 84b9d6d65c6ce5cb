import { paymentTypes } from '../payment-methods/payment-methods.rules.ts'
import { productNames } from '../pricing/plan-code.rules.ts'

/** How an order was received: from the buyer, at a storefront or through the API; or by staff, by phone or post. */
export const orderChannels = { storefront: 'Storefront', phone: 'Phone', post: 'Post' } as const
export type OrderChannel = keyof typeof orderChannels

/** What kind of sale an order is: the first that applies. */
export const orderSources = {
  'back-issues': 'Back issues',
  gift: 'Gifts',
  renewal: 'Renewals',
  new: 'New subscriptions',
} as const
export type OrderSource = keyof typeof orderSources

/** The current state of an order, as a publisher would call it: an unpaid invoice is not "Paid". */
export const orderOutcomes = {
  paid: 'Paid',
  unpaid: 'Invoice not paid',
  'part-refunded': 'Part refunded',
  refunded: 'Refunded',
  'taken-back': 'Reversed',
  disputed: 'Dispute open',
  'written-off': 'Written off',
  free: 'Free',
} as const
export type OrderOutcome = keyof typeof orderOutcomes

export const productChoices = { ...productNames, 'back-issues': 'Back issues' } as const

/** The filters of the sales ledger that are lists: the label of each, and the labels of its values. */
export const orderChoices = {
  payment: { label: 'Payment', labels: paymentTypes },
  product: { label: 'Product', labels: productChoices },
  state: { label: 'Status', labels: orderOutcomes },
  source: { label: 'Order type', labels: orderSources },
  channel: { label: 'Channel', labels: orderChannels },
} as const
export type OrderChoice = keyof typeof orderChoices
export const orderChoiceNames = Object.keys(orderChoices) as OrderChoice[]

/**
 * What the days of a filter refer to: the day of the order, the day of its sale (when it was paid), or any day on which something was entered for it
 * (a payment, a refund).
 */
export const ledgerDayKinds = ['ordered', 'sold', 'entered'] as const
