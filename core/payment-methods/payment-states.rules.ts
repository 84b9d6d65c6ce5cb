/** The state of an order's payment, as it is stored. */
export type PaymentState =
  | 'pending'
  | 'accepted'
  | 'paid'
  | 'declined'
  | 'cancelled'
  | 'failed'
  | 'refunded'
  | 'mismatch'
  | 'invoiced'
  | 'written-off'

/** The states as text for staff. */
export const paymentStateLabels: Record<PaymentState, string> = {
  pending: 'Waiting for the buyer',
  accepted: 'Accepted: the direct debit has not cleared yet',
  paid: 'Paid',
  declined: 'Declined',
  cancelled: 'Cancelled: not paid',
  failed: 'Failed: the bank did not pay after all',
  refunded: 'Refunded in full',
  invoiced: 'Invoiced: not paid yet',
  'written-off': 'Written off: what was due is given up',
  mismatch: 'The amount paid differs from the order: please check with the provider',
}
