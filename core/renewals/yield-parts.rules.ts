/** Where a renewal of a month stands, as far as its yield goes: to come or declined and not over, paid, lapsed, or not charged any more. */
export const yieldParts = [
  { name: 'open', title: 'Open' },
  { name: 'paid', title: 'Paid' },
  { name: 'lapsed', title: 'Lapsed' },
  { name: 'cancelled', title: 'Cancelled' },
] as const

export type YieldPart = (typeof yieldParts)[number]['name']
