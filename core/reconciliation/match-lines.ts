import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import { lockedClosedUntil, openDay } from '../ledger/ledger-close-states.rows.ts'
import { enterFees } from '../ledger/ledger-entries.rows.ts'
import { type Match, matchOf, type OrderFacts } from './match-line.rules.ts'
import { openLines, type ProviderLine, storeMatches } from './provider-lines.rows.ts'

/** Lines per batch. */
const batchSize = 1000

/**
 * Matches the next unexplained lines of a publisher, and enters the fees of those that are matched now. Returns the id of the last line, for the next
 * call; null if there are no more. Call it in a transaction.
 */
export async function matchNext(ctx: AppContext, publisherId: number, afterId: number): Promise<number | null> {
  const lines = await openLines(ctx, { publisherId, afterId, limit: batchSize })
  await matchLines(ctx, publisherId, lines)
  return lines.length < batchSize ? null : (lines.at(-1)?.id ?? null)
}

/** Matches these lines of a publisher, and enters the fees of those that are matched now. Call it in a transaction. */
export async function matchLines(ctx: AppContext, publisherId: number, lines: readonly ProviderLine[]): Promise<void> {
  if (lines.length === 0) return
  const orders = await readOrders(ctx, publisherId, lines)
  const matches = lines.map((line) => {
    const order = orders.find(line)
    const match: Match = order ? matchOf(line, order) : { state: 'unknown', matchedTo: null }
    if (match.matchedTo !== null) order?.matched.add(match.matchedTo)
    return { line, ...match, orderId: order?.orderId ?? null }
  })
  const changed = matches.filter(({ line, state, orderId }) => state !== line.state || orderId !== line.orderId)
  const closedUntil = await lockedClosedUntil(ctx, publisherId)
  await storeMatches(
    ctx,
    changed.map(({ line, state, orderId, matchedTo }) => ({
      id: line.id,
      state,
      orderId,
      matchedTo,
      explainedOn: state === 'matched' ? openDay(closedUntil, line.occurredOn) : null,
    })),
  )
  const fees = matches.flatMap(({ line, state, orderId }) =>
    state === 'matched' && orderId !== null ? feesOf(line, orderId) : [],
  )
  await enterFeesOnce(ctx, publisherId, fees)
}

type LineFee = ReturnType<typeof feesOf>[number]

/** Enters fees of lines, except those of a dispute that its order already has: it was reported by the provider too, or by an earlier match. */
export async function enterFeesOnce(ctx: AppContext, publisherId: number, fees: readonly LineFee[]): Promise<void> {
  const missing: LineFee[] = []
  for (const fee of fees) if (!(isOfRepeatedMatch(fee) && (await hasDisputeFee(ctx, fee)))) missing.push(fee)
  await enterFees(ctx, publisherId, missing)
}

/** Whether it is the fee of a dispute's line that was matched before, or by hand: its cause is not the one that the provider's report of it has. */
export const isOfRepeatedMatch = ({ cause }: Pick<LineFee, 'cause'>) => /^dispute:.*\/line:/.test(cause)

async function hasDisputeFee({ db }: AppContext, { orderId, cause }: LineFee): Promise<boolean> {
  const dispute = cause.slice(0, cause.indexOf('/line:'))
  const entries = await db.query<{ cause: string; amount: number }>(
    `SELECT cause, amount FROM ledger_entries WHERE order_id = :orderId AND kind = 'fee'`,
    { orderId },
  )
  const own = entries.filter((entry) => entry.cause === dispute || entry.cause.startsWith(`${dispute}/`))
  return own.reduce((sum, { amount }) => sum + Number(amount), 0) !== 0
}

/** The fee that a provider charged for a matched line, as an entry of the ledger; none in a currency that the ledger does not support. */
export function feesOf(line: ProviderLine, orderId: number) {
  if (line.fee === 0 || !currencies.includes(line.currency as Currency)) return []
  return [
    {
      orderId,
      cause: feeCause(line),
      amount: line.fee,
      currency: line.currency as Currency,
      on: line.occurredOn,
    },
  ]
}

/**
 * The cause of a line's fee. For a dispute, it is the same as in the entry made when the dispute is reported, so that the fee is entered only once. If the
 * line was matched by hand, it has one of its own, so that it can be undone (`enterFeesOnce`).
 */
function feeCause({ kind, id, sourceReference, matchNumber }: ProviderLine): string {
  const line = `line:${id}/${matchNumber}`
  if (kind !== 'dispute' || !sourceReference) return line
  return `dispute:${sourceReference}${matchNumber === 0 ? '' : `/${line}`}`
}

type Facts = OrderFacts & { matched: Set<string> }

interface OrderLookup {
  /** The order that a line refers to by one of its ids; null if it is not an order of the publisher. */
  find(line: ProviderLine): Facts | null
}

/** Reads the publisher's orders that these lines refer to, with what the ledger knows about them. */
async function readOrders(ctx: AppContext, publisherId: number, lines: readonly ProviderLine[]): Promise<OrderLookup> {
  const references = lines.flatMap(({ paymentReference, chargeReference, sourceReference }) =>
    [paymentReference, chargeReference, sourceReference].filter((id) => id !== null),
  )
  const numbers = lines.flatMap(({ orderNumber }) => orderNumber ?? [])
  const values = {
    publisherId,
    references: [...new Set(references), ''],
    numbers: [...new Set(numbers), ''],
    providers: ['stripe-card', 'stripe-bacs', 'paypal'],
  }
  const orders = await ctx.db.query<{
    id: number
    order_number: string
    amount: number
    currency: string
    provider_reference: string | null
    charge_reference: string | null
    has_sale: unknown
    has_debit_failed: unknown
  }>(
    `SELECT o.id, o.order_number, o.amount, o.currency, y.provider_reference, y.charge_reference,
       EXISTS (SELECT 1 FROM ledger_entries l WHERE l.order_id = o.id AND l.kind = 'sale') AS has_sale,
       EXISTS (SELECT 1 FROM ledger_entries l WHERE l.order_id = o.id AND l.kind = 'debit-failed') AS has_debit_failed
     FROM orders o JOIN payments y ON y.order_id = o.id
     WHERE o.publisher_id = :publisherId AND o.id IN (
       SELECT order_id FROM payments WHERE provider IN (:providers) AND provider_reference IN (:references)
       UNION SELECT order_id FROM payments WHERE charge_reference IN (:references)
       UNION SELECT order_id FROM refunds WHERE provider_reference IN (:references)
       UNION SELECT order_id FROM disputes WHERE provider_reference IN (:references)
       UNION SELECT id FROM orders WHERE order_number IN (:numbers))`,
    values,
  )
  const orderValues = { publisherId, orderIds: [...orders.map(({ id }) => Number(id)), -1] }
  const refunds = await ctx.db.query<{
    id: number
    order_id: number
    provider_reference: string | null
    amount: number
    currency: string
    state: string
    accepted_at: unknown
  }>(
    `SELECT id, order_id, provider_reference, amount, currency, state, accepted_at FROM refunds
       WHERE publisher_id = :publisherId AND order_id IN (:orderIds) ORDER BY id`,
    orderValues,
  )
  const disputes = await ctx.db.query<{
    id: number
    order_id: number
    provider_reference: string
    amount: number
    currency: string
    state: string
  }>(
    `SELECT id, order_id, provider_reference, amount, currency, state FROM disputes
       WHERE publisher_id = :publisherId AND order_id IN (:orderIds) ORDER BY id`,
    orderValues,
  )
  const matches = await ctx.db.query<{ order_id: number; matched_to: string }>(
    `SELECT order_id, matched_to FROM provider_lines
       WHERE publisher_id = :publisherId AND order_id IN (:orderIds) AND matched_to IS NOT NULL`,
    orderValues,
  )
  const facts = new Map<number, Facts>()
  const indexes = { reference: new Map<string, Facts>(), number: new Map<string, Facts>() }
  for (const row of orders) {
    const order: Facts = {
      orderId: Number(row.id),
      amount: Number(row.amount),
      currency: row.currency,
      hasSale: asBoolean(row.has_sale),
      hasDebitFailed: asBoolean(row.has_debit_failed),
      refunds: [],
      disputes: [],
      matched: new Set(),
    }
    facts.set(order.orderId, order)
    indexes.number.set(row.order_number, order)
    for (const id of [row.provider_reference, row.charge_reference]) if (id) indexes.reference.set(id, order)
  }
  for (const {
    id,
    order_id: orderId,
    provider_reference: reference,
    amount,
    currency,
    state,
    accepted_at,
  } of refunds) {
    const order = facts.get(Number(orderId))
    const hasFailed = state === 'failed' || state === 'cancelled'
    order?.refunds.push({
      id: Number(id),
      reference,
      amount: Number(amount),
      currency,
      hasFailed,
      isEntered: accepted_at !== null,
    })
    if (order && reference) indexes.reference.set(reference, order)
  }
  for (const { id, order_id: orderId, provider_reference: reference, amount, currency, state } of disputes) {
    const order = facts.get(Number(orderId))
    order?.disputes.push({ id: Number(id), reference, amount: Number(amount), currency, isWon: state === 'won' })
    if (order) indexes.reference.set(reference, order)
  }
  for (const { order_id: orderId, matched_to: matchedTo } of matches) facts.get(Number(orderId))?.matched.add(matchedTo)
  return {
    find(line) {
      const ids = [line.paymentReference, line.chargeReference, line.sourceReference]
      const [order] = ids.flatMap((id) => (id === null ? [] : (indexes.reference.get(id) ?? [])))
      return order ?? (line.orderNumber === null ? null : (indexes.number.get(line.orderNumber) ?? null))
    },
  }
}
