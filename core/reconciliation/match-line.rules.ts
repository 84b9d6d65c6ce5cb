import type { LineKind, LineState } from './line-kinds.rules.ts'

/** What the ledger knows about an order, for matching lines to it. Amounts in minor units. */
export interface OrderFacts {
  orderId: number
  amount: number
  currency: string
  /** The order was entered as paid. */
  hasSale: boolean
  /** Its direct debit failed after it was entered. */
  hasDebitFailed: boolean
  refunds: {
    id: number
    reference: string | null
    amount: number
    currency: string
    isEntered: boolean
    hasFailed: boolean
  }[]
  disputes: { id: number; reference: string; amount: number; currency: string; isWon: boolean }[]
  /** The parts of the order to which other lines are already matched. */
  matched: ReadonlySet<string>
}

/** The fields of a line that are compared with an order; amounts in minor units. */
export interface ComparedLine {
  kind: LineKind
  gross: number
  currency: string
  customerAmount: number | null
  customerCurrency: string | null
  sourceReference: string | null
}

export interface Match {
  state: LineState
  matchedTo: string | null
}

/**
 * Matches a line to a part of its order if kind, amount and currency agree and no other line is matched to that part. If the provider settles in
 * another currency and reports both amounts, what the buyer paid is compared.
 */
export function matchOf(line: ComparedLine, order: OrderFacts): Match {
  const target = targetOf(line, order)
  if (!target) return { state: 'not-entered', matchedTo: null }
  if (order.matched.has(target.matchedTo)) return { state: 'twice', matchedTo: null }
  const reported =
    line.customerAmount !== null && line.customerCurrency !== null
      ? { amount: Math.abs(line.customerAmount), currency: line.customerCurrency }
      : { amount: Math.abs(line.gross), currency: line.currency }
  if (reported.currency !== target.currency) return { state: 'currency', matchedTo: null }
  if (reported.amount !== target.amount || Math.sign(line.gross) !== signs[line.kind])
    return { state: 'amount', matchedTo: null }
  return { state: 'matched', matchedTo: target.matchedTo }
}

const signs: Record<LineKind, number> = {
  charge: 1,
  'charge-failed': -1,
  refund: -1,
  'refund-failed': 1,
  dispute: -1,
  'dispute-won': 1,
  fee: -1,
  payout: -1,
  'payout-returned': 1,
  moved: 0,
  other: 0,
}

interface MatchTarget {
  matchedTo: string
  amount: number
  currency: string
}

/** The ledger entry that a line corresponds to; null if there is none. */
function targetOf(line: ComparedLine, order: OrderFacts): MatchTarget | null {
  const { amount, currency } = order
  switch (line.kind) {
    case 'charge':
      return order.hasSale ? { matchedTo: 'sale', amount, currency } : null
    case 'charge-failed':
      return order.hasDebitFailed ? { matchedTo: 'debit-failed', amount, currency } : null
    case 'refund':
    case 'refund-failed': {
      const isReversal = line.kind === 'refund-failed'
      const refund = refundOf(line, order, ({ isEntered, hasFailed }) => isEntered && (!isReversal || hasFailed))
      return refund && { ...refund, matchedTo: `${line.kind}:${refund.id}` }
    }
    case 'dispute':
    case 'dispute-won': {
      const isReversal = line.kind === 'dispute-won'
      const dispute =
        order.disputes.find(({ reference }) => reference === line.sourceReference) ??
        (order.disputes.length === 1 ? order.disputes[0] : undefined)
      const reversal = !dispute && !isReversal && order.refunds.find(isReversedThere)
      if (reversal) return { ...reversal, matchedTo: `refund:${reversal.id}` }
      if (!dispute || (isReversal && !dispute.isWon)) return null
      return { ...dispute, matchedTo: `${line.kind}:${dispute.id}` }
    }
    default:
      return null
  }
}

type Refund = OrderFacts['refunds'][number]

/** Whether a provider reported only that everything was returned, as PayPal does when it reverses a payment; its reports call that a dispute. */
const isReversedThere = ({ reference, isEntered }: Refund) => isEntered && (reference?.endsWith(':all') ?? false)

/** The refund of a line: by the provider's id or, if none was stored, one with the same amount that has no matched line. */
function refundOf(line: ComparedLine, order: OrderFacts, isPossible: (refund: Refund) => boolean): Refund | null {
  const possible = order.refunds.filter(isPossible)
  const amount = Math.abs(line.customerAmount ?? line.gross)
  return (
    possible.find(({ reference }) => reference !== null && reference === line.sourceReference) ??
    possible.find(
      ({ id, reference, amount: entryAmount }) =>
        (reference === null || reference.endsWith(':all')) &&
        entryAmount === amount &&
        !order.matched.has(`${line.kind}:${id}`),
    ) ??
    null
  )
}
