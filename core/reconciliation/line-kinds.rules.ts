/** The providers whose reports can be read, with their display names. */
export const reportProviders = { stripe: 'Stripe', paypal: 'PayPal' } as const
export type ReportProvider = keyof typeof reportProviders

/** The kinds of report lines, with their display names. `isOfOrder`: its lines belong to an order. */
export const lineKinds = {
  charge: { name: 'Payment', isOfOrder: true },
  'charge-failed': { name: 'Failed payment', isOfOrder: true },
  refund: { name: 'Refund', isOfOrder: true },
  'refund-failed': { name: 'Failed refund', isOfOrder: true },
  dispute: { name: 'Dispute', isOfOrder: true },
  'dispute-won': { name: 'Dispute won', isOfOrder: true },
  /** What the provider charges independently of payments. */
  fee: { name: 'Fee', isOfOrder: false },
  payout: { name: 'Payout', isOfOrder: false },
  /** A payout that the bank returned: the money is back at the provider. */
  'payout-returned': { name: 'Returned payout', isOfOrder: false },
  /** Money that the provider moves internally: reserves, conversions, top-ups. */
  moved: { name: 'Moved by the provider', isOfOrder: false },
  /** Unknown, and perhaps of an order: unexplained until staff choose an order. */
  other: { name: 'Other', isOfOrder: true },
} as const satisfies Record<string, { name: string; isOfOrder: boolean }>
export type LineKind = keyof typeof lineKinds

/** The states of lines, with the texts for staff. `none`: the line needs no order. `open`: not processed yet. */
export const lineStates = {
  open: 'Being matched',
  matched: 'Matched',
  amount: 'Amount differs from the ledger',
  currency: 'Currency differs from the ledger',
  twice: 'The ledger has it once, the provider twice',
  'not-entered': 'The order is known, but the ledger has no such entry',
  unknown: 'No order found',
  none: '',
} as const
export type LineState = keyof typeof lineStates

/** The states of lines that should belong to an order but are not matched to one. */
export const unexplainedStates = ['amount', 'currency', 'twice', 'not-entered', 'unknown'] as const

const stripeKinds: Record<string, LineKind> = {
  charge: 'charge',
  payment: 'charge',
  charge_failure: 'charge-failed',
  payment_failure_refund: 'charge-failed',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund-failed',
  dispute: 'dispute',
  dispute_reversal: 'dispute-won',
  fee: 'fee',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  network_cost: 'fee',
  tax: 'fee',
  tax_fee: 'fee',
  payout: 'payout',
  payout_reversal: 'payout-returned',
  payout_cancel: 'payout-returned',
  payout_failure: 'payout-returned',
  topup: 'moved',
  topup_reversal: 'moved',
  transfer: 'moved',
  transfer_reversal: 'moved',
  transfer_cancel: 'moved',
  transfer_failure: 'moved',
  transfer_refund: 'moved',
  risk_reserved_funds: 'moved',
  reserved_funds: 'moved',
  reserve_transaction: 'moved',
  reserve_hold: 'moved',
  reserve_release: 'moved',
  payment_network_reserve_hold: 'moved',
  payment_network_reserve_release: 'moved',
  payout_minimum_balance_hold: 'moved',
  payout_minimum_balance_release: 'moved',
  advance: 'moved',
  advance_funding: 'moved',
}

/**
 * The kind of a Stripe line, by its reporting category (docs.stripe.com/reports/reporting-categories) or by the older type in the Dashboard's
 * exports, where a dispute is an `adjustment` whose source begins with `dp_` or `du_`.
 */
export function stripeKind(category: string, source: string, gross: number): LineKind {
  const name = category.trim().toLowerCase()
  if (/^(dp|du)_/.test(source) && (name === 'adjustment' || name === 'other_adjustment'))
    return gross < 0 ? 'dispute' : 'dispute-won'
  return stripeKinds[name] ?? 'other'
}

/** The kind of a PayPal line, by its type (a text such as "Express Checkout Payment") and the sign of its amount. */
export function paypalKind(type: string, gross: number): LineKind {
  const name = type.toLowerCase()
  // A hold for a dispute is released whoever wins, and a chargeback is another line; the release of a held payment is not its payment.
  if (/\bhold\b|\brelease\b|reserve|currency conversion|add funds|deposit|general credit/.test(name)) return 'moved'
  if (/\bfees?\b/.test(name)) return 'fee'
  if (/withdraw|transfer to bank|bank account|payout to bank|auto.?sweep/.test(name))
    return gross < 0 ? 'payout' : 'payout-returned'
  if (/chargeback|dispute|payment reversal/.test(name)) return gross < 0 ? 'dispute' : 'dispute-won'
  if (/refund/.test(name)) return gross < 0 ? 'refund' : 'refund-failed'
  return gross > 0 && /payment|checkout|sale|purchase/.test(name) ? 'charge' : 'other'
}

/**
 * The kinds by PayPal's transaction event codes, for codes that differ from their group; for incoming and outgoing amounts
 * (developer.paypal.com/docs/transaction-search/transaction-event-codes).
 */
const settlementKinds: Record<string, [incoming: LineKind, outgoing: LineKind]> = {
  // A payment that PayPal reversed.
  T1106: ['dispute-won', 'dispute'],
  T1107: ['refund-failed', 'refund'],
  T1108: ['fee', 'fee'],
  T1109: ['fee', 'fee'],
  T1201: ['dispute-won', 'dispute'],
  T1202: ['dispute-won', 'dispute'],
}

/** The kinds by the group of a code, its first three characters. */
const settlementGroups: Record<string, [incoming: LineKind, outgoing: LineKind]> = {
  T00: ['charge', 'other'],
  T01: ['fee', 'fee'],
  T02: ['moved', 'moved'],
  T03: ['moved', 'moved'],
  T04: ['payout-returned', 'payout'],
  T15: ['moved', 'moved'],
  T21: ['moved', 'moved'],
}

/** The codes of a hold (T1110) and of its release (T1111, or T1105 for a hold of the group T15). */
const holdCodes = ['T1105', 'T1110', 'T1111']

/** The kind of a line in PayPal's settlement report, by its event code and the sign of its amount. */
export function settlementKind(code: string, gross: number): LineKind {
  const name = code.trim().toUpperCase()
  if (holdCodes.includes(name)) return 'moved'
  const [incoming, outgoing] =
    settlementKinds[name] ?? settlementGroups[name.slice(0, 3)] ?? (['other', 'other'] as const)
  return gross > 0 ? incoming : outgoing
}
