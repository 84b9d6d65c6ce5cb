import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { addDays, startOfDay } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type Payout, payoutRows, unreconciledPayouts } from '../ledger/payouts.query.ts'
import { paymentTypes } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentProvider } from '../ports/payment-gateway.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type LineKind, type LineState, type ReportProvider, unexplainedStates } from './line-kinds.rules.ts'
import { newestReports, type ReportView } from './reports.query.ts'

/** A line of a report that no order explains, or that was matched manually. */
export interface ListedLine {
  id: number
  provider: ReportProvider
  lineKey: string
  occurredOn: Day
  kind: LineKind
  category: string
  currency: string
  /** Minor units. */
  gross: number
  fee: number
  state: LineState
  /** The order it belongs to, or seems to; null if unknown. */
  order: { id: number; orderNumber: string; amount: number; currency: string } | null
}

/** An entry of the ledger that is in no report, although the reports cover its day. */
export interface UnreportedEntry {
  orderId: number
  orderNumber: string
  what: 'sale' | 'refund' | 'dispute'
  enteredOn: Day
  paymentType: string
  currency: string
  amount: number
}

export interface Sums {
  currency: string
  count: number
  amount: number
}

export interface Reconciliation {
  reports: ReportView[]
  hasMoreReports: boolean
  /** The first and last day with a payment in the reports, per provider. */
  covered: { provider: ReportProvider; firstOn: Day; lastOn: Day }[]
  payouts: Payout[]
  hasMorePayouts: boolean
  /** How many payouts are not fully explained. */
  unreconciled: number
  /**
   * The lines that are in no payout yet, per provider and currency: the money is still at the provider, or the payout is in a report still to come.
   */
  waiting: { provider: ReportProvider; currency: string; lines: number; net: number }[]
  unmatched: ListedLine[]
  unmatchedSums: Sums[]
  unreported: UnreportedEntry[]
  unreportedSums: Sums[]
  byHand: ListedLine[]
  moreByHand: boolean
  /** Payments by methods that have no reports, and manual refunds, from the first covered day on. */
  withoutReport: (Sums & { method: string })[]
}

const maxLines = 100
const lastDay: Day = '9999-12-31'

/** The reconciliation of the acting publisher's ledger with the reports of its payment providers: payouts, and every difference. */
export const getReconciliation = useCase({
  permission: 'ledger:reconcile',
  input: z.object({ limit: z.number().int().max(100_000).default(maxLines) }),
  transaction: 'none',
  async run(ctx, { limit }): Promise<Reconciliation> {
    const publisherId = requirePublisherId(ctx)
    const covered = await coverage(ctx, publisherId)
    const payouts = await payoutRows(ctx, { publisherId, limit: limit + 1 })
    const byHand = await listedLines(ctx, { publisherId, limit: limit + 1, states: ['matched'], isByHand: true })
    const unreported = await unreportedEntries(ctx, { publisherId, covered, limit })
    return {
      ...(await newestReports(ctx, publisherId)),
      covered,
      payouts: payouts.slice(0, limit),
      hasMorePayouts: payouts.length > limit,
      unreconciled: (await unreconciledPayouts(ctx, { publisherId, until: lastDay })).length,
      waiting: await waitingSums(ctx, publisherId),
      unmatched: await listedLines(ctx, { publisherId, limit, states: unexplainedStates }),
      unmatchedSums: await unmatchedSums(ctx, publisherId),
      unreported: unreported.rows,
      unreportedSums: unreported.sums,
      byHand: byHand.slice(0, limit),
      moreByHand: byHand.length > limit,
      withoutReport: await withoutReport(ctx, publisherId, covered),
    }
  },
})

async function coverage(ctx: AppContext, publisherId: number): Promise<Reconciliation['covered']> {
  const rows = await ctx.db.query<{ provider: ReportProvider; first_on: Day; last_on: Day }>(
    `SELECT provider, MIN(occurred_on) AS first_on, MAX(occurred_on) AS last_on FROM provider_lines
     WHERE publisher_id = :publisherId AND kind = 'charge' GROUP BY provider ORDER BY provider DESC`,
    { publisherId },
  )
  return rows.map(({ provider, first_on: firstOn, last_on: lastOn }) => ({ provider, firstOn, lastOn }))
}

async function waitingSums(ctx: AppContext, publisherId: number): Promise<Reconciliation['waiting']> {
  const rows = await ctx.db.query<Reconciliation['waiting'][number]>(
    `SELECT provider, currency, COUNT(*) AS lines, SUM(net) AS net FROM provider_lines
     WHERE publisher_id = :publisherId AND payout_reference IS NULL GROUP BY provider, currency ORDER BY provider DESC, currency`,
    { publisherId },
  )
  return rows.map((row) => ({ ...row, lines: Number(row.lines), net: Number(row.net) }))
}

async function listedLines(
  ctx: AppContext,
  filter: { publisherId: number; limit: number; states: readonly LineState[]; isByHand?: boolean },
): Promise<ListedLine[]> {
  const rows = await ctx.db.query<{
    id: number
    provider: ReportProvider
    line_key: string
    occurred_on: Day
    kind: LineKind
    category: string
    currency: string
    gross: number
    fee: number
    state: LineState
    order_id: number | null
    order_number: string
    amount: number
    order_currency: string
  }>(
    `SELECT l.id, l.provider, l.line_key, l.occurred_on, l.kind, l.category, l.currency, l.gross, l.fee, l.state,
       o.id AS order_id, o.order_number, o.amount, o.currency AS order_currency
     FROM provider_lines l LEFT JOIN orders o ON o.id = l.order_id AND o.publisher_id = l.publisher_id
     WHERE l.publisher_id = :publisherId AND l.state IN (:states) ${filter.isByHand ? 'AND l.is_by_hand = :yes' : ''}
     ORDER BY l.occurred_on DESC, l.id DESC LIMIT :limit`,
    { publisherId: filter.publisherId, limit: filter.limit, states: filter.states, yes: true },
  )
  return rows.map((row) => ({
    id: Number(row.id),
    provider: row.provider,
    lineKey: row.line_key,
    occurredOn: row.occurred_on,
    kind: row.kind,
    category: row.category,
    currency: row.currency,
    gross: Number(row.gross),
    fee: Number(row.fee),
    state: row.state,
    order:
      row.order_id === null
        ? null
        : {
            id: Number(row.order_id),
            orderNumber: row.order_number,
            amount: Number(row.amount),
            currency: row.order_currency,
          },
  }))
}

async function unmatchedSums(ctx: AppContext, publisherId: number): Promise<Sums[]> {
  const rows = await ctx.db.query<Sums>(
    `SELECT currency, COUNT(*) AS count, SUM(gross) AS amount FROM provider_lines
     WHERE publisher_id = :publisherId AND state IN (:states) GROUP BY currency ORDER BY currency`,
    { publisherId, states: unexplainedStates },
  )
  return rows.map(asNumbers)
}

const asNumbers = <Row extends Sums>(row: Row): Row => ({
  ...row,
  count: Number(row.count),
  amount: Number(row.amount),
})

const providersOfReports: Record<ReportProvider, PaymentProvider[]> = {
  stripe: ['stripe-card', 'stripe-bacs'],
  paypal: ['paypal'],
}

async function unreportedEntries(
  ctx: AppContext,
  { publisherId, covered, limit }: { publisherId: number; covered: Reconciliation['covered']; limit: number },
): Promise<{ rows: UnreportedEntry[]; sums: Sums[] }> {
  const entries: UnreportedEntry[] = []
  const sums = new Map<string, Sums>()
  for (const { provider, firstOn, lastOn } of covered) {
    const values = {
      publisherId,
      providers: providersOfReports[provider],
      firstOn,
      lastOn,
      limit,
      from: startOfDay(firstOn, ctx.settings.timeZone),
      until: startOfDay(addDays(lastOn, 1), ctx.settings.timeZone),
    }
    const rows = await ctx.db.query<{
      order_id: number
      order_number: string
      what: UnreportedEntry['what']
      entered_on: Day | null
      at: Date | string | null
      provider: PaymentProvider
      currency: string
      amount: number
    }>(`SELECT * FROM (${unreportedSql}) u ORDER BY order_id DESC, what LIMIT :limit`, values)
    for (const row of rows)
      entries.push({
        orderId: Number(row.order_id),
        orderNumber: row.order_number,
        what: row.what,
        enteredOn: row.entered_on ?? '',
        paymentType: paymentTypes[row.provider],
        currency: row.currency,
        amount: Number(row.amount),
      })
    const totals = await ctx.db.query<Sums>(
      `SELECT currency, COUNT(*) AS count, SUM(amount) AS amount FROM (${unreportedSql}) u GROUP BY currency`,
      values,
    )
    for (const { currency, count, amount } of totals.map(asNumbers)) {
      const sum = sums.get(currency) ?? { currency, count: 0, amount: 0 }
      sums.set(currency, { currency, count: sum.count + count, amount: sum.amount + amount })
    }
  }
  return { rows: entries.slice(0, limit), sums: [...sums.values()] }
}

const isUnreportedSql = (orderId: string, matchedTo: string) =>
  `NOT EXISTS (SELECT 1 FROM provider_lines x WHERE x.order_id = ${orderId} AND x.matched_to = ${matchedTo})`

/** SQL: sales, refunds and disputes of a provider on the covered days to which no line is matched; refunds and disputes are negative. */
const unreportedSql = `
  SELECT l.order_id, o.order_number, 'sale' AS what, l.entered_on, y.provider, l.currency, l.amount
  FROM ledger_entries l JOIN orders o ON o.id = l.order_id JOIN payments y ON y.order_id = l.order_id
  WHERE l.publisher_id = :publisherId AND l.kind = 'sale' AND l.amount <> 0 AND y.provider IN (:providers)
    AND l.entered_on >= :firstOn AND l.entered_on <= :lastOn AND ${isUnreportedSql('l.order_id', `'sale'`)}
  UNION ALL
  SELECT l.order_id, o.order_number, 'refund', MIN(l.entered_on), y.provider, r.currency, 0 - r.amount
  FROM refunds r JOIN ledger_entries l ON l.order_id = r.order_id AND l.kind = 'refund' AND l.cause = 'refund:' || r.id
    JOIN orders o ON o.id = r.order_id JOIN payments y ON y.order_id = r.order_id
  WHERE r.publisher_id = :publisherId AND r.method NOT IN ('hand', 'credit') AND r.state IN ('pending', 'succeeded') AND y.provider IN (:providers)
    AND r.accepted_at >= :from AND r.accepted_at < :until AND ${isUnreportedSql('r.order_id', `'refund:' || r.id`)}
  GROUP BY l.order_id, o.order_number, y.provider, r.id, r.currency, r.amount
  UNION ALL
  SELECT d.order_id, o.order_number, 'dispute', MIN(l.entered_on), y.provider, d.currency, 0 - d.amount
  FROM disputes d JOIN ledger_entries l ON l.order_id = d.order_id AND l.kind = 'dispute' AND l.cause = 'dispute:' || d.provider_reference
    JOIN orders o ON o.id = d.order_id JOIN payments y ON y.order_id = d.order_id
  WHERE d.publisher_id = :publisherId AND y.provider IN (:providers)
    AND d.opened_at >= :from AND d.opened_at < :until AND ${isUnreportedSql('d.order_id', `'dispute:' || d.id`)}
  GROUP BY d.order_id, o.order_number, y.provider, d.id, d.currency, d.amount`

async function withoutReport(
  ctx: AppContext,
  publisherId: number,
  covered: Reconciliation['covered'],
): Promise<Reconciliation['withoutReport']> {
  const [firstOn] = covered.map((range) => range.firstOn).sort()
  if (firstOn === undefined) return []
  const rows = await ctx.db.query<Sums & { provider: PaymentProvider }>(
    `SELECT y.provider, l.currency, COUNT(*) AS count, SUM(l.amount) AS amount
     FROM ledger_entries l JOIN payments y ON y.order_id = l.order_id
     WHERE l.publisher_id = :publisherId AND l.kind = 'sale' AND l.amount <> 0 AND y.provider NOT IN (:providers)
       AND l.entered_on >= :firstOn
     GROUP BY y.provider, l.currency ORDER BY y.provider, l.currency`,
    { publisherId, firstOn, providers: [...providersOfReports.stripe, ...providersOfReports.paypal] },
  )
  const refunds = await ctx.db.query<Sums>(
    `SELECT currency, COUNT(*) AS count, SUM(0 - amount) AS amount FROM refunds
     WHERE publisher_id = :publisherId AND method = 'hand' AND accepted_at >= :from GROUP BY currency ORDER BY currency`,
    { publisherId, from: startOfDay(firstOn, ctx.settings.timeZone) },
  )
  return [
    ...rows.map(({ provider, ...row }) => ({ ...asNumbers(row), method: paymentTypes[provider] })),
    ...refunds.map((row) => ({ ...asNumbers(row), method: 'Manual refund' })),
  ]
}
