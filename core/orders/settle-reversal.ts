import { endAgreementOfOrder } from '../agreements/payment-agreements.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { cutText } from '../kernel/text-format.ts'
import {
  enterFee,
  enterRestored,
  enterReversal,
  enterUndone,
  entriesOf,
  orderBalance,
} from '../ledger/ledger-entries.rows.ts'
import type { ChargeResult, ProviderDispute, ProviderRefund } from '../ports/payment-gateway.ts'
import { retakePromoUse } from '../promos/promo-uses.ts'
import { restoreTerm } from '../readers/reverse-term.ts'
import { wholeCause } from '../vat/order-vat.rules.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { creditsOfOrder, leftIn } from './credits.query.ts'
import { Disputes, disputesOf } from './disputes.rows.ts'
import { lockReservations } from './lock-reservations.ts'
import { moveOrder, type OrderRow, Orders } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import { type RefundRow, Refunds, refundsOf } from './refunds.rows.ts'
import { endAgreementAfter } from './return-agreement.ts'
import { reverseOrder } from './reverse-order.ts'
import { settleRefund } from './settle-refund.ts'
import { retakeCopies } from './take-copies.ts'

type PaidResult = Extract<ChargeResult, { state: 'paid' }>

/**
 * Applies what a provider reports about a paid order: refunds, whether requested here or made at the provider, and
 * disputes. Each is a row, found by its key or the provider's id, so that repeated reports change nothing. Call it in a
 * transaction.
 */
export async function settleReversal(ctx: AppContext, orderId: number, result: PaidResult): Promise<void> {
  const { refunds = [], disputes = [] } = result
  if (refunds.length === 0 && disputes.length === 0) return
  const order = await Orders.find(ctx, { id: orderId }, { isLocked: true })
  if (!order) return
  for (const refund of refunds) await settleReportedRefund(ctx, order, refund)
  for (const dispute of disputes) await settleDispute(ctx, order, dispute)
  await takeRestOfDisputes(ctx, order)
}

/**
 * A reversed charge that the provider reports as paid again. PayPal lists no disputes with an order: the reversal is stored as one under the id of the
 * charge, and is won when the charge is no longer reversed. Call it in a transaction.
 */
export async function winBackCharge(
  ctx: AppContext,
  orderId: number,
  { chargeReference, disputes = [] }: PaidResult,
): Promise<void> {
  if (!chargeReference || disputes.some(({ reference }) => reference === chargeReference)) return
  const lost = (await disputesOf(ctx, orderId)).find(
    ({ providerReference, state }) => providerReference === chargeReference && state === 'lost',
  )
  const order = lost && (await Orders.find(ctx, { id: orderId }, { isLocked: true }))
  if (!order) return
  const { amount, reason } = lost
  await settleDispute(ctx, order, { reference: chargeReference, state: 'won', amount, reason, fee: null })
}

/** The provider reports only that everything was returned: the order's remaining amount was refunded there. */
export async function settleReportedWhole(
  ctx: AppContext,
  order: OrderRow,
  { reference, reason }: { reference: string; reason: string },
): Promise<void> {
  const amount = await leftOf(ctx, order.id)
  await settleReportedRefund(ctx, order, {
    reference: `${reference}:all`,
    idempotencyKey: null,
    amount,
    state: 'succeeded',
    reason,
  })
}

async function settleReportedRefund(ctx: AppContext, order: OrderRow, reported: ProviderRefund): Promise<void> {
  const refunds = await refundsOf(ctx, order.id)
  const refund = sameRefund(refunds, reported) ?? (await addReportedRefund(ctx, order, reported))
  if (refund) await settleRefund(ctx, { order, refundId: refund.id, result: reported })
}

/**
 * The row of a refund that the provider reports: by our key, by its id, or (if it does not store our key) the one of the same amount
 * whose response was lost. A missing refund is preferred to a duplicate.
 */
function sameRefund(
  refunds: readonly RefundRow[],
  { idempotencyKey, reference, amount }: ProviderRefund,
): RefundRow | undefined {
  return (
    refunds.find((refund) => idempotencyKey !== null && refund.idempotencyKey === idempotencyKey) ??
    refunds.find((refund) => refund.providerReference === reference) ??
    refunds.find(
      (refund) =>
        refund.providerReference === null &&
        refund.amount === amount &&
        ((idempotencyKey === null && refund.method === 'provider' && refund.state === 'planned') ||
          (refund.method === 'reported' && refund.state === 'succeeded')),
    )
  )
}

async function addReportedRefund(
  ctx: AppContext,
  order: OrderRow,
  reported: ProviderRefund,
): Promise<RefundRow | null> {
  // A refund that failed before it was first reported was never entered here.
  if (reported.state === 'failed' || reported.state === 'cancelled') return null
  const amount = Math.min(reported.amount, await leftOf(ctx, order.id))
  if (amount < reported.amount)
    ctx.log.error(
      { order: order.id, reported: reported.amount, left: amount },
      'more was refunded at the provider than is left',
    )
  if (amount <= 0) return null
  const key = `told:${order.id}:${reported.reference}`.slice(0, 120)
  return Refunds.insertNew(ctx, {
    publisherId: order.publisherId,
    orderId: order.id,
    state: 'planned',
    method: 'reported',
    idempotencyKey: key,
    scope: amount === (await leftOf(ctx, order.id)) ? 'whole' : 'amount',
    amount,
    currency: order.currency,
    reason: cutText(reported.reason, 300),
    providerReference: reported.reference,
    actorKind: 'system',
    plannedAt: ctx.now(),
  })
}

/** The amount of an order that is not refunded or reversed, today. */
export async function leftOf(ctx: AppContext, orderId: number): Promise<number> {
  const balance = await orderBalance(ctx, orderId, dayOf(ctx.now(), ctx.settings.timeZone))
  return Math.max(0, balance?.net ?? 0)
}

async function settleDispute(ctx: AppContext, order: OrderRow, reported: ProviderDispute): Promise<void> {
  await lockReservations(ctx, order)
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const stored = (await disputesOf(ctx, order.id)).find(
    ({ providerReference }) => providerReference === reported.reference,
  )
  const fee = {
    fee: reported.fee?.amount ?? stored?.fee ?? 0,
    feeCurrency: reported.fee?.currency ?? stored?.feeCurrency ?? null,
  }
  const endedAt = reported.state === 'open' ? null : ctx.now()
  if (!stored) {
    await Disputes.insert(ctx, {
      publisherId: order.publisherId,
      orderId: order.id,
      providerReference: reported.reference,
      state: reported.state,
      ...fee,
      amount: reported.amount,
      currency: order.currency,
      reason: cutText(reported.reason, 300),
      openedAt: ctx.now(),
      endedAt,
    })
  } else if (stored.state !== reported.state || stored.fee !== fee.fee) {
    await Disputes.update(
      ctx,
      { id: stored.id },
      { state: reported.state, ...fee, ...(stored.state === reported.state ? {} : { endedAt }) },
    )
  }
  if (reported.fee) await enterDisputeFee(ctx, order.id, { ...reported.fee, reference: reported.reference, today })
  if (stored?.state === reported.state) return
  const audit = { type: 'order', id: order.id, publisherId: order.publisherId } as const
  await recordAudit(ctx, `dispute-${reported.state}`, audit, {
    amount: reported.amount,
    currency: order.currency,
    reason: reported.reason,
  })
  // A buyer who disputes one payment is not charged for another, however the bank decides.
  await endAgreementOfOrder(ctx, order)
  await endAgreementAfter(ctx, order)
  if (reported.state === 'lost') await loseDispute(ctx, order, reported, today)
  if (reported.state === 'won') await winDispute(ctx, order, reported, today)
}

/**
 * The entries of a dispute of one kind, oldest first. It is entered more than once if it is lost again after it was won, but a cause only once: after the
 * first, causes end with their number.
 */
async function disputeEntries(
  ctx: AppContext,
  orderId: number,
  reference: string,
  kind: 'dispute' | 'dispute-won' | 'fee',
) {
  const cause = `dispute:${reference}`
  const entries = (await entriesOf(ctx, orderId)).filter(
    (entry) => entry.kind === kind && (wholeCause(entry.cause) === cause || entry.cause.startsWith(`${cause}/`)),
  )
  const causes = [...new Set(entries.map((entry) => wholeCause(entry.cause)))]
  return { entries, causes, nextCause: causes.length === 0 ? cause : `${cause}/${causes.length + 1}` }
}

/** Enters what the provider charges for a dispute, as far as it is more than was entered for it. */
async function enterDisputeFee(
  ctx: AppContext,
  orderId: number,
  { reference, amount, currency, today }: { reference: string; amount: number; currency: Currency; today: Day },
): Promise<void> {
  const { entries, nextCause: cause } = await disputeEntries(ctx, orderId, reference, 'fee')
  const entered = entries.reduce((sum, entry) => (entry.currency === currency ? sum - entry.amount : sum), 0)
  if (amount > entered) await enterFee(ctx, { orderId, cause, amount: amount - entered, currency, today })
}

/**
 * Takes the rest of what the bank took by lost disputes: a refund that was pending when a dispute was lost had left less of the order to take, and has
 * failed since. Call it in a transaction that locks the order.
 */
export async function takeRestOfDisputes(ctx: AppContext, order: OrderRow): Promise<void> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  for (const { providerReference: reference, state, amount, reason } of await disputesOf(ctx, order.id)) {
    if (state !== 'lost' || (await leftOf(ctx, order.id)) === 0) continue
    if (amount <= (await takenByDispute(ctx, order.id, reference))) continue
    await lockReservations(ctx, order)
    await loseDispute(ctx, order, { reference, amount, reason }, today)
  }
}

/** How much of an order a dispute has taken, less what was given back. */
async function takenByDispute(ctx: AppContext, orderId: number, reference: string): Promise<number> {
  const lost = await disputeEntries(ctx, orderId, reference, 'dispute')
  const won = await disputeEntries(ctx, orderId, reference, 'dispute-won')
  return [...lost.entries, ...won.entries].reduce((sum, { amount }) => sum - amount, 0)
}

/**
 * Handles a lost dispute: reverses the order's remaining amount, but not more than is disputed and not taken yet. Unused credit is included: the
 * publisher no longer has the money for it.
 */
async function loseDispute(
  ctx: AppContext,
  order: OrderRow,
  { reference, amount: disputed, reason }: Pick<ProviderDispute, 'reference' | 'amount' | 'reason'>,
  today: Day,
): Promise<void> {
  const { nextCause: cause } = await disputeEntries(ctx, order.id, reference, 'dispute')
  await takeBackCredit(ctx, { orderId: order.id, cause, today })
  const left = await leftOf(ctx, order.id)
  const amount = Math.min(Math.max(0, disputed - (await takenByDispute(ctx, order.id, reference))), left)
  if (amount > 0) {
    await enterReversal(ctx, { orderId: order.id, kind: 'dispute', cause, amount, today })
    const payload = { orderId: order.id, refundId: null, reason: 'dispute' }
    await queueWebhooks(ctx, order.publicationId, { type: 'order.refunded', readerId: order.readerId, data: payload })
  }
  if (amount < left) return
  const moved = await moveOrder(ctx, order.id, { from: ['paid'], to: 'reversed' })
  if (moved) await reverseOrder(ctx, moved, { state: 'failed', reason, isDispute: true })
}

/** Takes back the unused credit of an order whose payment was lost: it becomes part of what is reversed. */
export async function takeBackCredit(
  ctx: AppContext,
  { orderId, cause, today }: { orderId: number; cause: string; today: Day },
): Promise<void> {
  const amount = await owedAsCredit(ctx, orderId)
  if (amount > 0) await enterRestored(ctx, { orderId, kind: 'credit', cause, amount, today })
}

/** How much of an order is owed as credit, according to the ledger. */
export async function owedAsCredit(ctx: AppContext, orderId: number): Promise<number> {
  const entries = await entriesOf(ctx, orderId)
  return entries.filter(({ kind }) => kind === 'credit').reduce((sum, { amount }) => sum - amount, 0)
}

/** Handles a won dispute: the ledger has the money and the credit again from today, and an order that was reversed is paid again, with its term. */
async function winDispute(
  ctx: AppContext,
  order: OrderRow,
  { reference }: Pick<ProviderDispute, 'reference'>,
  today: Day,
): Promise<void> {
  const { causes } = await disputeEntries(ctx, order.id, reference, 'dispute')
  // Those that an earlier win had undone are not entered again.
  for (const cause of causes)
    await enterUndone(ctx, { orderId: order.id, kind: 'dispute', cause, by: 'dispute-won', today })
  const credit = leftIn(await creditsOfOrder(ctx, order.id), order.currency) - (await owedAsCredit(ctx, order.id))
  if (credit > 0) {
    const reversal = {
      orderId: order.id,
      kind: 'credit',
      cause: `won:${causes.at(-1) ?? `dispute:${reference}`}`,
      amount: credit,
      today,
    } as const
    await enterReversal(ctx, reversal)
  }
  const moved = await moveOrder(ctx, order.id, { from: ['reversed'], to: 'paid', isPaidAgain: true })
  if (!moved) return
  // A dispute lost before disputes were stored reversed the whole order.
  await enterUndone(ctx, { orderId: order.id, kind: 'refund', cause: '', by: 'dispute-won', today })
  await Payments.update(ctx, { orderId: order.id }, { state: 'paid', declineReason: null })
  await retakeCopies(ctx, order.id)
  if (order.promoCodeId) await retakePromoUse(ctx, order.promoCodeId, order)
  if (order.readerId) {
    const { readerId, publicationId, id: orderId, orderNumber } = order
    await restoreTerm(ctx, { readerId, publicationId, orderId, orderNumber, today, reason: 'the dispute was won' })
  }
}
