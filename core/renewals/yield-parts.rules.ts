/** The state of a renewal in the yield of its month: to come or declined and still open, paid, lapsed, or no longer charged. */
export const yieldParts = [
  { name: 'open', title: 'Open' },
  { name: 'paid', title: 'Paid' },
  { name: 'lapsed', title: 'Lapsed' },
  { name: 'cancelled', title: 'Cancelled' },
] as const

export type YieldPart = (typeof yieldParts)[number]['name']
