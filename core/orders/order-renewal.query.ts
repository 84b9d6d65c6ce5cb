import { type AgreementEnd, agreementEndTexts } from '../agreements/payment-agreements.rows.ts'
import type { RenewalState } from '../agreements/renewal-states.rules.ts'
import type { AppContext } from '../context.ts'
import { asInstant, asJson } from '../database.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { declineReasonText } from '../renewals/decline-reason.rules.ts'
import { cyclesOf, isOpen, type RenewalCycle } from '../renewals/renewal-cycles.query.ts'
import type { TimelineEvent } from './order-timeline.query.ts'

/** The automatic renewal that began with an order, or that the order is an attempt to charge. */
export interface OrderRenewal {
  isOn: boolean
  /** When it is charged next automatically; null if it is off, is being charged, or waits for the reader. */
  chargeOn: Day | null
  /** Why it is off, in plain words; blank while it is on. */
  endedBecause: string
  /** The order that it began with. */
  first: { id: number; orderNumber: string }
  /** Its cycles, the latest first. */
  cycles: RenewalCycle[]
}

interface RenewedOrder {
  id: number
  buyerId: number | null
  /** The cycle that it is an attempt at; null for any other order. */
  renewalId: number | null
}

/** An order's renewal, with its history for the order's timeline; null if the order is not part of one. */
export async function orderRenewal(
  ctx: Pick<AppContext, 'db'>,
  order: RenewedOrder,
): Promise<{ renewal: OrderRenewal; events: TimelineEvent[] } | null> {
  const agreement = await agreementOf(ctx, order)
  if (!agreement) return null
  const cycles = await cyclesOf(ctx, [agreement.id])
  const openCycle = cycles.find(({ state }) => isOpen(state))
  const isOn = agreement.state === 'active'
  const endedBecause = isOn || agreement.endReason === null ? '' : agreementEndTexts[agreement.endReason]
  const isFirst = order.renewalId === null
  const cycle = isFirst ? openCycle : cycles.find(({ id }) => id === order.renewalId)
  const events = [
    ...(isFirst ? cycles.filter(({ state }) => !isOpen(state)).map(cycleEndEvent) : []),
    ...(cycle ? await cycleEvents(ctx, { cycle, agreement, orderId: order.id }) : []),
  ]
  // Shown once: the end of a cycle shows it if the reason is the same.
  const isListed = events.some(({ detail }) => detail.endsWith(endedBecause))
  const isLast = isFirst || cycle?.id === cycles[0]?.id
  if (agreement.endedAt !== null && isLast && !isListed) {
    events.push({ at: asInstant(agreement.endedAt), what: 'Automatic renewal ended', detail: endedBecause })
  }
  return {
    renewal: {
      isOn,
      chargeOn: !isOn ? null : openCycle ? openCycle.nextTryOn : agreement.renewsOn,
      endedBecause,
      first: { id: agreement.orderId, orderNumber: agreement.orderNumber },
      cycles,
    },
    events,
  }
}

interface Agreement {
  id: number
  state: 'active' | 'ended'
  renewsOn: Day
  endReason: AgreementEnd | null
  endedAt: Date | string | null
  buyerId: number
  orderId: number
  orderNumber: string
}

async function agreementOf({ db }: Pick<AppContext, 'db'>, order: RenewedOrder): Promise<Agreement | undefined> {
  // The condition on the buyer's id lets the query use an index.
  const condition =
    order.renewalId === null
      ? 'a.buyer_id = :buyerId AND a.order_id = :id'
      : 'a.id = (SELECT w.agreement_id FROM renewals w WHERE w.id = :renewalId)'
  const [agreement] = await db.query<Agreement>(
    `SELECT a.id, a.state, a.renews_on AS "renewsOn", a.end_reason AS "endReason", a.ended_at AS "endedAt", a.buyer_id AS "buyerId",
       o.id AS "orderId", o.order_number AS "orderNumber"
     FROM payment_agreements a JOIN orders o ON o.id = a.order_id WHERE ${condition} ORDER BY a.id DESC LIMIT 1`,
    { ...order },
  )
  return agreement
}

const endLabels: Partial<Record<RenewalState, string>> = {
  paid: 'Renewed',
  lapsed: 'Renewal lapsed',
  cancelled: 'Renewal cancelled',
}

/** A cycle that has ended, in one line. */
function cycleEndEvent({ state, settledAt, createdAt, cycleOn, reason, order }: RenewalCycle): TimelineEvent {
  return {
    at: settledAt ?? createdAt,
    what: endLabels[state] ?? 'Renewal',
    detail: [`After ${formatDay(cycleOn)}`, reason].filter(Boolean).join('. '),
    ...(order ? { order } : {}),
  }
}

const mailLabels = {
  'renewal-notice:': 'Notice of the charge sent',
  'card-expiring:': 'Card expiry notice sent',
  'renewal-failed:first:': 'Unpaid renewal notice sent',
  'renewal-failed:last:': 'Last notice before the subscription’s end sent',
  'renewal-lapsed:': 'Notice of the subscription’s end sent',
}

interface CycleInput {
  cycle: RenewalCycle
  agreement: Agreement
  /** The order whose page this is. */
  orderId: number
}

/** Everything that happened in one cycle: planned, notified, charged, declined, retried, ended. */
async function cycleEvents(ctx: Pick<AppContext, 'db'>, input: CycleInput): Promise<TimelineEvent[]> {
  const { cycle } = input
  const { id, createdAt, chargeOn, cycleOn, state, settledAt, reason } = cycle
  // If the grace period was restarted, the keys of its emails end in its last day.
  const emails = await ctx.db.query<{ key: string; to: string; sentAt: Date | string }>(
    `SELECT email_key AS key, to_address AS "to", sent_at AS "sentAt" FROM emails
     WHERE email_key IN (:keys) AND sent_at IS NOT NULL
     UNION ALL SELECT e.email_key, e.to_address, e.sent_at FROM payment_agreements a JOIN emails e ON e.reader_id = a.reader_id
     WHERE a.id = :agreementId AND e.template = 'renewal-failed' AND e.email_key LIKE :ofGracePeriod AND e.sent_at IS NOT NULL`,
    {
      keys: Object.keys(mailLabels).map((kind) => `${kind}${id}`),
      agreementId: input.agreement.id,
      ofGracePeriod: `renewal-failed:%:${id}:____-__-__`,
    },
  )
  return [
    {
      at: createdAt,
      what: 'Renewal planned',
      detail: `For the term after ${formatDay(cycleOn)}, to be charged on ${formatDay(chargeOn)}`,
    },
    // Cause before effect: the timeline is sorted by time, and entries with the same time keep this order.
    ...(await manualEvents(ctx, input)),
    ...(await attemptEvents(ctx, input)),
    ...emails.map(({ key, to, sentAt }) => ({
      at: asInstant(sentAt),
      what: Object.entries(mailLabels).find(([kind]) => `${key}:`.startsWith(`${kind}${id}:`))?.[1] ?? 'Email sent',
      detail: `to ${to}`,
    })),
    ...(settledAt && (state === 'lapsed' || state === 'cancelled')
      ? [{ at: settledAt, what: endLabels[state] ?? '', detail: reason }]
      : []),
  ]
}

interface Attempt {
  id: number
  orderNumber: string
  state: OrderState
  placedAt: Date | string
  paidAt: Date | string | null
  declineCode: string | null
  declineReason: string | null
  settledAt: Date | string
}

async function attemptEvents(ctx: Pick<AppContext, 'db'>, { cycle, orderId }: CycleInput): Promise<TimelineEvent[]> {
  const attempts = await ctx.db.query<Attempt>(
    `SELECT o.id, o.order_number AS "orderNumber", o.state, o.placed_at AS "placedAt", o.paid_at AS "paidAt",
       y.decline_code AS "declineCode", y.decline_reason AS "declineReason", y.updated_at AS "settledAt"
     FROM orders o JOIN payments y ON y.order_id = o.id WHERE o.renewal_id = :id ORDER BY o.id`,
    { id: cycle.id },
  )
  return attempts.flatMap((attempt, index) => {
    const { id, orderNumber } = attempt
    const link = id === orderId ? {} : { order: { id, orderNumber } }
    const name = `Attempt ${index + 1}`
    const isLast = index === attempts.length - 1
    return [
      { at: asInstant(attempt.placedAt), what: `${name} to charge the renewal`, detail: '', ...link },
      ...outcomeOf(attempt, { name, next: isLast ? nextStepText(cycle) : '', isOwn: id === orderId }),
    ]
  })
}

function outcomeOf(
  { state, paidAt, settledAt, declineCode, declineReason }: Attempt,
  { name, next, isOwn }: { name: string; next: string; isOwn: boolean },
): TimelineEvent[] {
  const at = asInstant(settledAt)
  const reason = declineReasonText({ declineCode, reason: declineReason ?? '' })
  // The order's own timeline already says that it was paid.
  const paid = paidAt && !isOwn ? [{ at: asInstant(paidAt), what: `${name} paid`, detail: '' }] : []
  switch (state) {
    case 'declined':
      return [{ at, what: `${name} declined`, detail: [reason, next].filter(Boolean).join('. ') }]
    case 'reversed':
      return [...paid, { at, what: `${name} reversed`, detail: [reason, next].filter(Boolean).join('. ') }]
    case 'cancelled':
      return [{ at, what: `${name} ended without a payment`, detail: next }]
    case 'pending':
      return next === '' ? [] : [{ at, what: 'Waiting for the reader', detail: next }]
    default:
      return paid
  }
}

/** The next step after the last attempt of an open cycle. */
function nextStepText({ state, nextTryOn, reason }: RenewalCycle): string {
  if (state === 'waiting') return reason || 'The reader has to enter another card'
  return nextTryOn === null ? '' : `Next attempt on ${formatDay(nextTryOn)}`
}

/** Manual changes in the cycle, from the activity log: staff charged it again, the reader changed the card. */
async function manualEvents(ctx: Pick<AppContext, 'db'>, { cycle, agreement }: CycleInput): Promise<TimelineEvent[]> {
  const rows = await ctx.db.query<{
    action: string
    at: Date | string
    facts: string | object | null
    by: string | null
  }>(
    `SELECT l.action, l.happened_at AS at, l.facts, u.first_name || ' ' || u.last_name AS "by"
     FROM audit_log l LEFT JOIN users u ON l.actor_kind = 'staff' AND u.id = l.actor_id
     WHERE (l.subject_type = 'renewal' AND l.subject_id = :id AND l.action = 'retry-renewal')
        OR (l.subject_type = 'buyer' AND l.subject_id = :buyerId AND l.action = 'change-card')`,
    { id: cycle.id, buyerId: agreement.buyerId },
  )
  return rows.flatMap(({ action, at, facts, by }) => {
    if (action === 'retry-renewal') return [{ at: asInstant(at), what: 'Retried manually', detail: by ?? '' }]
    const { agreement: agreementId, by: changedBy } = asJson<{ agreement?: number; by?: string }>(facts ?? '{}')
    const when = asInstant(at)
    const isOfCycle = when >= cycle.createdAt && (cycle.settledAt === null || when <= cycle.settledAt)
    if (agreementId !== agreement.id || !isOfCycle) return []
    return [
      {
        at: when,
        what: 'Card changed by the reader',
        detail: changedBy === 'link' ? 'Through the link in an email' : 'In the account',
      },
    ]
  })
}
