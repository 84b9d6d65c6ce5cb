/**
 * The kinds of ledger entries, and what each counts as: `sold`, `returned` (a refund or reversal, or one that was undone), or `cost`, which is
 * not revenue.
 */
export const entryKinds = {
  sale: 'sold',
  /** A refund, or a part of one: `cause` is `refund:<id>`. Empty in entries of an older release, which allowed one refund per order. */
  refund: 'returned',
  /** A refund that the provider accepted but that failed later: the opposite of the entry of that refund. */
  'refund-failed': 'returned',
  /** A direct debit that failed after the order had counted as paid. */
  'debit-failed': 'returned',
  /** The bank took the money back: `cause` is `dispute:<provider's id>`, and `dispute:<id>/2` if it is lost again or more of it is taken later. */
  dispute: 'returned',
  'dispute-won': 'returned',
  /** A provider's fee for a dispute, in the currency it charges in. */
  fee: 'cost',
  /** The unpaid amount of an invoice is written off: `cause` is `write-off:<invoice>`; above zero, as `payment:<id>`, if it is paid after all. */
  'write-off': 'returned',
  /**
   * A refund as credit: `cause` is `refund:<id>`; above zero for the part that is used (`use:<id>`) or taken by a bank (`dispute:<id>`). No VAT is
   * refunded for it.
   */
  credit: 'returned',
  /** The used part of a credit: the refund that the credit replaced, `use:<id>`, with its VAT. */
  'credit-used': 'returned',
} as const

export type EntryKind = keyof typeof entryKinds
