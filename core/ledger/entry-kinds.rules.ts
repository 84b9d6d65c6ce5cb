/**
 * THE kinds of ledger entries, and what each counts as: `sold`, `returned` (refunded or reversed, and what undoes that), or `cost`, which is
 * no revenue.
 */
export const entryKinds = {
  sale: 'sold',
  /** A refund, or a part of one: `cause` is `refund:<id>`. Empty for one of the time when there was one for an order. */
  refund: 'returned',
  /** A refund that the provider had accepted and that failed later: the opposite of what it took. */
  'refund-failed': 'returned',
  /** A direct debit that failed after the order was taken. */
  'debit-failed': 'returned',
  /** The bank took the money back: `cause` is `dispute:<provider's id>`. */
  dispute: 'returned',
  'dispute-won': 'returned',
  /** What a provider charges for a dispute, in the currency it charges in. */
  fee: 'cost',
  /** What is due of an invoice is given up: `cause` is `write-off:<invoice>`; above zero, as `payment:<id>`, for money that came after all. */
  'write-off': 'returned',
} as const

export type EntryKind = keyof typeof entryKinds
