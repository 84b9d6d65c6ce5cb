/**
 * The kinds of ledger entries, and what each counts as: `sold`, `returned` (refunded or reversed, and what reverts that), or `cost`, which is not
 * revenue.
 */
export const entryKinds = {
  sale: 'sold',
  /** A refund, or a part of one: `cause` is `refund:<id>`. Empty for one from a release in which an order had only one. */
  refund: 'returned',
  /** A refund that the provider had accepted and that failed later: the opposite of what it took. */
  'refund-failed': 'returned',
  /** A direct debit that failed after the order had counted as paid. */
  'debit-failed': 'returned',
  /** The bank took the money back: `cause` is `dispute:<provider's id>`. */
  dispute: 'returned',
  'dispute-won': 'returned',
  /** A provider's fee for a dispute, in the currency it charges in. */
  fee: 'cost',
  /** What is due of an invoice is written off: `cause` is `write-off:<invoice>`; above zero, as `payment:<id>`, for money received after all. */
  'write-off': 'returned',
  /**
   * A refund that is kept as credit: `cause` is `refund:<id>`; above zero for the part used (`use:<id>`) or taken by a bank (`dispute:<id>`). No VAT
   * is refunded for it.
   */
  credit: 'returned',
  /** The used part of a credit: the refund that the credit replaced, `use:<id>`, with its VAT. */
  'credit-used': 'returned',
} as const

export type EntryKind = keyof typeof entryKinds
