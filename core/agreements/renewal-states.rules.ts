/**
 * The state of a renewal. `planned`: announced, and charged on its day. `charging`: the request to the provider is in progress. `retrying`: declined,
 * and charged again automatically. `waiting`: the reader has to confirm the payment or give another card. `paid`, `lapsed` (not paid within the grace
 * period) and `cancelled` (it is not charged any more) are final.
 */
export type RenewalState = 'planned' | 'charging' | 'retrying' | 'waiting' | 'paid' | 'lapsed' | 'cancelled'

/** An agreement has at most one renewal in these states: the database enforces it (`renewals_open`). */
export const openRenewalStates = [
  'planned',
  'charging',
  'retrying',
  'waiting',
] as const satisfies readonly RenewalState[]
