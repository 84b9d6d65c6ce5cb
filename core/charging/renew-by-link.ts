import { z } from 'zod'
import { payeeOf } from '../accounts/payee-of.ts'
import { changeCard, PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { chargeAgainOn, makeDueOn, type RenewalRow, Renewals } from '../agreements/renewals.rows.ts'
import { mayTryCard, needsConfirmation } from '../agreements/settle-renewal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { buyerSubject, liveBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { addressPart } from '../kernel/form-fields.ts'
import type { Money } from '../kernel/money.ts'
import { Orders } from '../orders/orders.rows.ts'
import { cancelPayment, lookUpPayment, pollPayment, startPayment } from '../orders/pay-order.ts'
import type { PaymentStep } from '../ports/payment-gateway.ts'
import type { PlanChoice } from '../pricing/plan-code.rules.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { Readers } from '../readers/readers.rows.ts'
import { readRenewKey } from '../renewals/renew-link.ts'
import { useCase } from '../use-case.ts'
import { chargeRenewal } from './charge-renewal.ts'

/** The key of an emailed link: it gives access to this renewal only, without a log-in. */
const RenewKey = z.object({ key: addressPart(80) })

const perRenewal = { hits: 10, windowSeconds: 60 * 60 }

/** The data shown on the page behind an emailed link. */
export interface RenewalByLink {
  publicationId: number
  /**
   * `due`: it can be paid now. `planned`: its day has not come yet. `processing`: the bank has not answered yet. `returned`: it was paid, and the
   * payment was refunded or reversed since. `continued`: nothing is charged for it, because the subscription continues by another order or record.
   * `over`: it has ended for any other reason.
   */
  state: 'planned' | 'due' | 'processing' | 'paid' | 'returned' | 'continued' | 'over'
  plan: PlanChoice
  money: Money
  chargeOn: Day
  graceUntil: Day
  lastFour: string
  /** The bank has an open payment that the reader has to confirm. */
  needsConfirmation: boolean
  /** How another card can be entered: in Stripe's own fields, as a card number of the demo bank, or not at all (null). */
  card: { provider: 'stripe'; agreementId: number; publishableKey: string } | { provider: 'demo' } | null
}

export const renewalByLink = useCase({
  permission: 'public',
  input: RenewKey,
  transaction: 'none',
  async run(ctx, input): Promise<RenewalByLink> {
    const records = await recordsOfLink(ctx, input.key)
    const { renewal, agreement, publisherId } = records
    const { publicationId, amount, currency, chargeOn, graceUntil } = renewal
    const { provider } = agreement
    const hasUpdate = ctx.payments[provider]?.cardUpdate !== undefined
    return {
      publicationId,
      chargeOn,
      graceUntil,
      needsConfirmation: await needsConfirmation(ctx, renewal),
      state: await stateOf(ctx, records),
      plan: { product: agreement.product, termMonths: agreement.termMonths, isRecurring: false },
      money: { amount, currency },
      lastFour: agreement.lastFour ?? '',
      card: !hasUpdate
        ? null
        : provider === 'demo'
          ? { provider: 'demo' }
          : {
              provider: 'stripe',
              agreementId: agreement.id,
              publishableKey: (await payeeOf(ctx, publisherId, provider)).publishableKey ?? '',
            },
    }
  },
})

/** Begins the change to another card; the browser confirms it with the secret. No money is taken. */
export const startCardByLink = useCase({
  permission: 'public',
  input: RenewKey,
  transaction: 'none',
  async run(ctx, { key }): Promise<{ clientSecret: string }> {
    const { renewal, agreement, publisherId } = await recordsOfLink(ctx, key)
    const update = ctx.payments[agreement.provider]?.cardUpdate
    if (!update || !agreement.customerReference) throw notFound('This card renewal')
    await countAttempt(ctx, `renew-link:${renewal.id}`, perRenewal)
    const payee = await payeeOf(ctx, publisherId, agreement.provider)
    const { id: agreementId, customerReference } = agreement
    const { clientSecret } = await update.begin({ payee, customerReference, agreementId })
    return { clientSecret }
  },
})

/**
 * The outcome for the new card: it is stored for the day of the charge, or the renewal was charged to it immediately. `unconfirmed`: its bank
 * wants the reader to confirm the payment. `over`: the renewal has ended, and nothing is charged.
 */
export type CardOutcome = 'saved' | 'paid' | 'declined' | 'processing' | 'unconfirmed' | 'over'

/**
 * Stores another card by an emailed link, trusting only the provider's response, and charges the renewal to it immediately if it is due. A
 * payment that is still open is cancelled first: a payment that completes meanwhile is kept.
 */
export const giveCardByLink = useCase({
  permission: 'public',
  input: RenewKey.extend({ reference: z.string('Required').trim().min(1, 'Required').max(200) }),
  transaction: 'none',
  async run(ctx, { key, reference }): Promise<CardOutcome> {
    const { renewal, agreement, buyer, publisherId } = await recordsOfLink(ctx, key)
    const { id: agreementId, provider } = agreement
    const update = ctx.payments[provider]?.cardUpdate
    if (!update) throw notFound('This card renewal')
    // Turned off or merged while the form was open: its page says so.
    if (agreement.state !== 'active') return renewal.state === 'paid' ? 'paid' : 'over'
    await countAttempt(ctx, `renew-link:${renewal.id}`, perRenewal)
    const payee = await payeeOf(ctx, publisherId, provider)
    const customerReference = agreement.customerReference ?? ''
    const card = await update.finish({ payee, reference, customerReference, agreementId })
    if (!card) throw conflict('The new card was not confirmed. The previous card is still in use.')
    const mayTry = await mayTryCard(ctx, renewal.id, { before: agreement, now: card })
    await ctx.db.transaction(async () => {
      if (!(await changeCard(ctx, agreementId, card))) return
      await recordAudit(ctx, 'change-card', buyerSubject(buyer), { agreement: agreementId, by: 'link' })
      if (mayTry) await chargeAgainOn(ctx, agreementId, dayOf(ctx.now(), ctx.settings.timeZone))
    })
    // The reader entered the same card again, although its bank has ruled out any further charge.
    const storedAgreement = await PaymentAgreements.find(ctx, { id: agreementId })
    if (storedAgreement?.cardStopCode) return 'declined'
    return chargeNow(ctx, renewal, mayTry)
  },
})

/** Continues a payment that the bank wants confirmed: returns the step that the browser takes, on the bank's page or by Stripe's script. */
export const confirmByLink = useCase({
  permission: 'public',
  input: RenewKey,
  transaction: 'none',
  async run(ctx, { key }): Promise<PaymentStep | null> {
    const { renewal, order } = await recordsOfLink(ctx, key)
    if (!order || !(await needsConfirmation(ctx, renewal))) return null
    await countAttempt(ctx, `renew-link:${renewal.id}`, perRenewal)
    return (await startPayment(ctx, order.id, {})).next
  },
})

/** The reader says that a payment was confirmed in the browser: polls the provider for the result. */
export const settleByLink = useCase({
  permission: 'public',
  input: RenewKey,
  transaction: 'none',
  async run(ctx, { key }): Promise<CardOutcome> {
    const { renewal, order } = await recordsOfLink(ctx, key)
    if (order?.state === 'pending') {
      await countAttempt(ctx, `renew-link:${renewal.id}`, perRenewal)
      if ((await lookUpPayment(ctx, order.id)).isProcessing) return 'processing'
    }
    const settled = (await Renewals.find(ctx, { id: renewal.id })) ?? renewal
    if (settled.state === 'paid') return 'paid'
    // Without JavaScript the button asks nobody: nothing was declined, and it can be pressed again.
    return (await needsConfirmation(ctx, settled)) ? 'unconfirmed' : 'declined'
  },
})

async function recordsOfLink(ctx: AppContext, key: string) {
  const on = dayOf(ctx.now(), ctx.settings.timeZone)
  const link = readRenewKey(ctx.settings.appSecret, key, on)
  const renewal = link && (await Renewals.find(ctx, { id: link.renewalId }))
  const agreement = renewal && (await PaymentAgreements.find(ctx, { id: renewal.agreementId }))
  const buyer = agreement && (await liveBuyer(ctx, { id: agreement.buyerId, publicationId: agreement.publicationId }))
  if (!renewal || !agreement || !buyer) throw notFound('This link')
  const order = renewal.orderId === null ? null : await Orders.find(ctx, { id: renewal.orderId })
  return { renewal, agreement, buyer, order, publisherId: renewal.publisherId }
}

async function stateOf(
  ctx: AppContext,
  { renewal, agreement, order }: Awaited<ReturnType<typeof recordsOfLink>>,
): Promise<RenewalByLink['state']> {
  const { state } = renewal
  if (state === 'paid') return order?.state === 'refunded' || order?.state === 'reversed' ? 'returned' : 'paid'
  if (agreement.state === 'active') {
    if (state === 'planned') return 'planned'
    if (state === 'charging') return 'processing'
    if (state === 'retrying' || state === 'waiting') return 'due'
  }
  return (await isContinued(ctx, renewal, agreement)) ? 'continued' : 'over'
}

/** Whether the reader's subscription runs, beyond the term that the renewal was to follow. */
async function isContinued(
  ctx: AppContext,
  { cycleOn, publicationId }: RenewalRow,
  { readerId }: { readerId: number | null },
): Promise<boolean> {
  const reader = readerId === null ? null : await Readers.find(ctx, { id: readerId, publicationId })
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  return reader !== null && !reader.isDeleted && reader.subEndOn > cycleOn && reader.subEndOn >= today
}

async function chargeNow(
  ctx: AppContext,
  { id, orderId }: { id: number; orderId: number | null },
  mayTry: boolean,
): Promise<CardOutcome> {
  const on = dayOf(ctx.now(), ctx.settings.timeZone)
  if (orderId !== null) {
    const open = await Orders.find(ctx, { id: orderId, state: 'pending' })
    if (open && (await pollPayment(ctx, orderId)) === 'pending' && (await cancelPayment(ctx, orderId)) === 'pending')
      return 'processing'
  }
  const outcome = mayTry && (await makeDueOn(ctx, id, on)) ? await chargeRenewal(ctx, id, on) : null
  // It is charged automatically as soon as the publisher's keys are right.
  if (outcome === 'keys-refused') return 'saved'
  const charged = await Renewals.find(ctx, { id })
  switch (charged?.state) {
    case 'paid':
      return 'paid'
    case 'planned':
      return 'saved'
    // Cancelled because the record ends later: if that end is corrected, the new card is charged.
    case 'cancelled':
      if (!(await PaymentAgreements.find(ctx, { id: charged.agreementId, state: 'active' }))) return 'over'
      return mayTry ? 'saved' : 'declined'
    case 'lapsed':
      return 'over'
    // Nothing was charged, because the title was removed or its publisher deactivated: it stays due.
    case 'retrying':
      return outcome === 'not-charged' ? 'saved' : 'declined'
    case 'charging':
      return 'processing'
    case 'waiting': {
      const open = charged.orderId !== null && (await Orders.find(ctx, { id: charged.orderId, state: 'pending' }))
      return open ? 'unconfirmed' : 'declined'
    }
    default:
      return 'declined'
  }
}
