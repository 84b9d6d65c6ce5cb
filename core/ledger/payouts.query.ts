import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'

/**
 * A payout of a payment provider, and its parts, in minor units of one currency. matched + fees + moved + drawn + notMatched + missing is always the
 * amount; `notMatched` + `missing` is the unexplained part.
 */
export interface Payout {
  provider: 'stripe' | 'paypal'
  /** The provider's id of the payout. */
  reference: string
  currency: string
  paidOn: Day
  /** The amount that went to the bank: from the payout's own line, or the sum of its lines if it has none. */
  amount: number
  hasOwnLine: boolean
  lines: number
  /** The sum of payments, refunds and disputes that agree with the ledger. */
  matched: number
  /** Processing fees and other fees that the provider deducted, below zero. */
  fees: number
  /** Reserves, conversions and returned payouts: money that the provider moved internally. */
  moved: number
  /** The balance at the provider before, less the balance after: a PayPal withdrawal need not empty the account. */
  drawn: number
  /** The sum of lines without a matching order. */
  notMatched: number
  unmatchedLines: number
  /** The amount that no line of a report explains. */
  missing: number
}

interface Row {
  provider: Payout['provider']
  payout_reference: string
  currency: string
  paid_on: Day
  own: number
  amount: number | null
  lines: number
  matched: number
  fees: number
  moved: number
  not_matched: number
  unmatched_lines: number
  closing: number | null
  opening: number | null
}

const isOfOrderSql = `l.kind NOT IN ('fee', 'payout', 'payout-returned', 'moved')`

/** Payouts of a publisher, newest first: all, those paid in a range of days, or a single one. */
export async function payoutRows(
  ctx: Pick<AppContext, 'db'>,
  filter: { publisherId: number; from?: Day; until?: Day; reference?: string; limit?: number; offset?: number },
): Promise<Payout[]> {
  const { publisherId, from, until, reference, limit = 1_000_000, offset = 0 } = filter
  // If PayPal lines have the same second, the one that was read first counts as the first.
  const balance = (order: 'first' | 'own') =>
    order === 'own'
      ? `MAX(CASE WHEN l.kind = 'payout' THEN l.balance END)`
      : `(SELECT f.balance - f.net FROM provider_lines f WHERE f.publisher_id = :publisherId AND f.provider = l.provider
           AND f.payout_reference = l.payout_reference AND f.currency = l.currency ORDER BY f.occurred_at, f.id LIMIT 1)`
  const rows = await ctx.db.query<Row>(
    `SELECT l.provider, l.payout_reference, l.currency, COUNT(*) AS lines,
       COALESCE(MAX(CASE WHEN l.kind = 'payout' THEN l.occurred_on END), MAX(l.payout_on), MAX(l.occurred_on)) AS paid_on,
       SUM(CASE WHEN l.kind = 'payout' THEN 1 ELSE 0 END) AS own,
       SUM(CASE WHEN l.kind = 'payout' THEN 0 - l.gross END) AS amount,
       SUM(CASE WHEN ${isOfOrderSql} AND l.state = 'matched' THEN l.gross ELSE 0 END) AS matched,
       SUM(CASE WHEN ${isOfOrderSql} AND l.state <> 'matched' THEN l.gross ELSE 0 END) AS not_matched,
       SUM(CASE WHEN ${isOfOrderSql} AND l.state <> 'matched' THEN 1 ELSE 0 END) AS unmatched_lines,
       SUM(CASE WHEN l.kind IN ('moved', 'payout-returned') THEN l.gross ELSE 0 END) AS moved,
       SUM(CASE WHEN l.kind = 'fee' THEN l.net ELSE 0 - l.fee END) AS fees,
       CASE WHEN l.provider = 'paypal' THEN ${balance('own')} END AS closing,
       CASE WHEN l.provider = 'paypal' THEN ${balance('first')} END AS opening
     FROM provider_lines l
     WHERE l.publisher_id = :publisherId AND l.payout_reference IS NOT NULL
       ${reference === undefined ? '' : 'AND l.payout_reference = :reference'}
     GROUP BY l.provider, l.payout_reference, l.currency
     ${having({ from, until })}
     ORDER BY paid_on DESC, l.payout_reference, l.currency LIMIT :limit OFFSET :offset`,
    {
      publisherId,
      limit,
      offset,
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until }),
      ...(reference === undefined ? {} : { reference }),
    },
  )
  return rows.map(payoutOf)
}

function having({ from, until }: { from: Day | undefined; until: Day | undefined }): string {
  const on = `COALESCE(MAX(CASE WHEN l.kind = 'payout' THEN l.occurred_on END), MAX(l.payout_on), MAX(l.occurred_on))`
  const conditions = [...(from ? [`${on} >= :from`] : []), ...(until ? [`${on} <= :until`] : [])]
  return conditions.length > 0 ? `HAVING ${conditions.join(' AND ')}` : ''
}

function payoutOf(row: Row): Payout {
  const matched = Number(row.matched)
  const fees = Number(row.fees)
  const moved = Number(row.moved)
  const notMatched = Number(row.not_matched)
  const drawn = row.opening === null || row.closing === null ? 0 : Number(row.opening) - Number(row.closing)
  const explained = matched + fees + moved + notMatched
  const hasOwnLine = Number(row.own) > 0
  const amount = hasOwnLine ? Number(row.amount) : explained
  return {
    provider: row.provider,
    reference: row.payout_reference,
    currency: row.currency,
    paidOn: row.paid_on,
    amount,
    hasOwnLine,
    lines: Number(row.lines),
    matched,
    fees,
    moved,
    drawn,
    notMatched,
    unmatchedLines: Number(row.unmatched_lines),
    missing: amount - explained - drawn,
  }
}

/** Payouts up to the end of a day that are not fully explained, for closing a month. */
export async function unreconciledPayouts(
  ctx: Pick<AppContext, 'db'>,
  range: { publisherId: number; until: Day },
): Promise<Payout[]> {
  return (await payoutRows(ctx, range)).filter(({ unmatchedLines, missing }) => unmatchedLines > 0 || missing !== 0)
}
