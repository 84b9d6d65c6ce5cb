import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { paymentsOfOrder } from '../invoices/invoice-payments.rows.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { type Currency, formatMoney } from '../kernel/money.ts'
import type { EntryKind } from '../ledger/entry-kinds.rules.ts'
import { entriesOf } from '../ledger/ledger-entries.rows.ts'
import { paymentTypes } from '../payment-methods/payment-methods.rules.ts'
import { creditsUsedFor, usesOfCredits } from './credits.query.ts'
import { disputesOf } from './disputes.rows.ts'
import { Payments } from './payments.rows.ts'
import { refundMethodLabels, refundStateLabels } from './refund.rules.ts'
import { type RefundRow, refundsOf } from './refunds.rows.ts'

/** Something that happened to an order. */
export interface TimelineEvent {
  at: Date
  what: string
  /** Further details; empty if there are none. */
  detail: string
  /** Another order that it refers to. */
  order?: { id: number; orderNumber: string }
}

const mailLabels: Record<string, string> = {
  'order-receipt': 'Receipt',
  'order-notice': 'Notice of the order',
  'gift-notice': 'Notice of the gift',
  'direct-debit-notice': 'Notice of the direct debit',
  'payment-failed': 'Notice that the order was reversed',
  'refund-notice': 'Notice of a refund',
  'invoice-notice': 'Email about the invoice',
  'card-link': 'Link to change the card',
}

const entryLabels: Record<EntryKind, string> = {
  sale: 'The sale',
  refund: 'The refund',
  'refund-failed': 'The failed refund',
  'debit-failed': 'The failed direct debit',
  dispute: 'The lost dispute',
  'dispute-won': 'The won dispute',
  fee: 'The fee',
  'write-off': 'The write-off',
  credit: 'The credit',
  'credit-used': 'The used credit',
}

/**
 * What happened to an order, oldest first: placed, paid, paid twice, emails, payments of its invoice, refunds and disputes, what the ledger entered
 * in a later month, and the steps of the automatic renewal that it began or is an attempt at (`renewal`).
 */
export async function orderTimeline(
  ctx: Pick<AppContext, 'db'>,
  order: {
    id: number
    renewalId: number | null
    placedAt: Date
    paidAt: Date | null
    paymentType: string
    amount: number
    currency: Currency
  },
  renewal: readonly TimelineEvent[] = [],
): Promise<TimelineEvent[]> {
  const money = (amount: number) => formatMoney({ amount, currency: order.currency })
  const emails = await ctx.db.query<{ template: string; subject: string; to_address: string; sent_at: Date | string }>(
    `SELECT template, subject, to_address, sent_at FROM emails WHERE order_id = :orderId AND sent_at IS NOT NULL ORDER BY id`,
    { orderId: order.id },
  )
  const refunds = await refundsOf(ctx, order.id)
  const credits = refunds.flatMap(({ id, method }) => (method === 'credit' ? id : []))
  const entries = await entriesOf(ctx, order.id)
  const lateEntries = entries.filter(({ occurredOn }) => occurredOn !== null)
  const events: TimelineEvent[] = [
    ...renewal,
    // An attempt at a renewal was not placed by a person: its own steps say what it is.
    ...(order.renewalId === null ? [{ at: order.placedAt, what: 'Placed', detail: '' }] : []),
    ...(order.paidAt
      ? [
          {
            at: order.paidAt,
            what: order.paymentType === paymentTypes.invoice ? 'Invoiced' : 'Paid',
            detail: order.amount > 0 ? `${money(order.amount)}, ${order.paymentType}` : 'Free',
          },
        ]
      : []),
    ...emails.map(({ template, subject, to_address, sent_at }) => ({
      at: asInstant(sent_at),
      what: `${mailLabels[template] ?? 'Email'} sent`,
      detail: [subject && `“${subject}”`, `to ${to_address}`].filter(Boolean).join(', '),
    })),
    ...(await paymentsOfOrder(ctx, order.id)).map(({ createdAt, paidOn, amount, method, reference }) => ({
      at: createdAt,
      what: `Payment of ${money(amount)} entered`,
      detail: [`${paymentTypes[method]} of ${formatDay(paidOn)}`, reference].filter(Boolean).join(', '),
    })),
    ...writeOffs(entries).map(({ at, amount }) => ({
      at,
      what: amount < 0 ? 'Written off' : 'Write-off reversed',
      detail: money(Math.abs(amount)),
    })),
    ...(await secondPayments(ctx, order)),
    ...refunds.flatMap((refund) => refundMoments(refund, money)),
    ...(await usesOfCredits(ctx, credits)).map(({ usedAt, amount, orderId: id, orderNumber }) => ({
      at: usedAt,
      what: 'Credit used for another order',
      detail: money(amount),
      order: { id, orderNumber },
    })),
    ...(await creditsUsedFor(ctx, order.id)).map(({ usedAt, amount, orderId: id, orderNumber }) => ({
      at: usedAt,
      what: 'Paid with credit from an earlier order',
      detail: money(amount),
      order: { id, orderNumber },
    })),
    ...(await disputesOf(ctx, order.id)).flatMap(({ openedAt, endedAt, state, amount, reason }) => [
      { at: openedAt, what: 'Disputed by the buyer’s bank', detail: `${money(amount)}. ${reason}` },
      ...(endedAt
        ? [{ at: endedAt, what: state === 'won' ? 'Dispute won' : 'Dispute lost', detail: money(amount) }]
        : []),
    ]),
    ...lateEntries.map(({ createdAt, enteredOn, occurredOn, kind, amount, currency }) => ({
      at: createdAt,
      what: `Entered in the ledger on ${formatDay(enteredOn)}`,
      detail: `${kind === 'write-off' && amount > 0 ? 'The reversed write-off' : entryLabels[kind]} of ${formatMoney({ amount: Math.abs(amount), currency })} of ${formatDay(occurredOn as Day)}, whose month was closed`,
    })),
  ]
  return events.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** A write-off may be several entries with the same time: of the earned part and of the unearned part. */
function writeOffs(entries: Awaited<ReturnType<typeof entriesOf>>): { at: Date; amount: number }[] {
  const byMoment = new Map<number, number>()
  for (const { kind, createdAt, amount } of entries)
    if (kind === 'write-off') byMoment.set(createdAt.getTime(), (byMoment.get(createdAt.getTime()) ?? 0) + amount)
  return [...byMoment].map(([time, amount]) => ({ at: new Date(time), amount }))
}

/** A second payment, which is not in the ledger: it has to be refunded at the provider. */
async function secondPayments(
  ctx: Pick<AppContext, 'db'>,
  { id: orderId, paymentType }: { id: number; paymentType: string },
): Promise<TimelineEvent[]> {
  const payment = await Payments.find(ctx, { orderId })
  if (!payment?.secondFoundAt) return []
  const detail = `Transaction ${payment.secondReference}, ${paymentType}. It is not in the ledger: refund it in the provider’s own back office`
  return [{ at: payment.secondFoundAt, what: 'Paid a second time', detail }]
}

function refundMoments(refund: RefundRow, money: (amount: number) => string): TimelineEvent[] {
  const { amount, plannedAt, endedAt, method, reason, state, problem } = refund
  const started = {
    at: plannedAt,
    what: `Refund of ${money(amount)}`,
    detail: [refundMethodLabels[method], reason].filter(Boolean).join('. '),
  }
  // Without a provider the refund is complete as soon as it is entered.
  const isAtOnce = method === 'hand' || method === 'credit' || endedAt?.getTime() === plannedAt.getTime()
  const isShown = endedAt && (state !== 'succeeded' || !isAtOnce)
  return isShown ? [started, { at: endedAt, what: refundStateLabels[state], detail: problem ?? '' }] : [started]
}
