import type Stripe from 'stripe'
import { AppError, invalid } from '#core/kernel/errors.ts'
import type {
  ChargeResult,
  GatewayPayment,
  GatewayRefund,
  PayeeValues,
  PaymentGateway,
  RefundResult,
} from '#core/ports/payment-gateway.ts'
import { makeStripeCardUpdate } from './stripe-card-update.ts'
import {
  chargeOf,
  chargeResultOf,
  debitFailed,
  refundKey,
  refundOf,
  type StripeMethod,
  withCharge,
} from './stripe-charge-result.ts'
import { callStripe, openStripe, stripeCode } from './stripe-client.ts'
import { readStripeEvent } from './stripe-events.ts'
import { waitForRenewalSlot } from './stripe-rate-limit.ts'
import { createRefund, refundsAt } from './stripe-refunds.ts'
import {
  attemptedCard,
  confirmStripeRenewal,
  createRenewalIntent,
  isNeverAttempted,
  markForBuyer,
  prepareStripeRenewal,
  unpaidRenewal,
} from './stripe-renewals.ts'
import { lookUpStoredMethod } from './stripe-stored-method.ts'

/**
 * Payments through a publisher's own Stripe account: a card or a wallet, or a direct debit. The buyer confirms with Stripe's script in the
 * browser; the outcome is only ever taken from Stripe's answer to the server. Every call that writes has an idempotency key derived from
 * the order, so that a retry after a lost response creates nothing twice.
 */
export function makeStripeGateway(method: StripeMethod, apiBase: string, timeoutMs?: number): PaymentGateway {
  async function open(payee: PayeeValues): Promise<Stripe> {
    if (!payee.secretKey) throw new AppError('upstream', 'The publisher has no Stripe keys')
    return openStripe(payee.secretKey, apiBase, timeoutMs)
  }

  async function create(stripe: Stripe, payment: GatewayPayment): Promise<Stripe.PaymentIntent> {
    if (payment.storedMethod) return createRenewalIntent(stripe, method, payment)
    const key = (step: string) => ({ idempotencyKey: `order-${payment.idempotencyKey}-${step}` })
    const metadata = { orderNumber: payment.orderNumber, publication: String(payment.publicationId) }
    const { firstName, lastName } = payment.buyer.billing
    const customer = payment.isRecurring
      ? await stripe.customers.create(
          { email: payment.buyer.email, name: `${firstName} ${lastName}`.trim(), metadata },
          key('customer'),
        )
      : null
    return stripe.paymentIntents.create(
      {
        amount: payment.money.amount,
        currency: payment.money.currency.toLowerCase(),
        allowed_payment_method_types: [method],
        description: payment.description,
        metadata,
        ...(customer ? { customer: customer.id, setup_future_usage: 'off_session' } : {}),
      },
      key('payment'),
    )
  }

  const retrieve = (stripe: Stripe, id: string) => stripe.paymentIntents.retrieve(id, withCharge)

  /** A payment's current state. A debit that failed at the bank is cancelled as well, so that it cannot be paid into an order that was reversed. */
  async function toChargeResult(
    stripe: Stripe,
    intent: Stripe.PaymentIntent,
    payment: GatewayPayment,
  ): Promise<ChargeResult> {
    const isFailedDebit = debitFailed(method, intent)
    if (isFailedDebit && intent.status !== 'canceled') {
      await stripe.paymentIntents.cancel(intent.id).catch(unexpectedStateAsNull)
    }
    const unpaid = payment.storedMethod && !isFailedDebit ? unpaidRenewal(intent) : null
    if (unpaid) return settleUnpaid(stripe, intent, payment, unpaid)
    // The charge no longer lists a failed refund: for a payment that was paid before, refunds are queried separately.
    const refunds = payment.wasPaid || chargeOf(intent)?.amount_refunded ? await refundsAt(stripe, intent.id) : []
    return chargeResultOf(method, intent, { refunds, disputes: await disputesOf(stripe, intent) })
  }

  /** A renewal that was declined is cancelled, so that it cannot be paid later; if the bank requires the buyer to confirm it, it is left to the buyer. */
  async function settleUnpaid(
    stripe: Stripe,
    intent: Stripe.PaymentIntent,
    payment: GatewayPayment,
    result: ChargeResult,
  ): Promise<ChargeResult> {
    if (result.state === 'pending' && result.needsBuyer) await markForBuyer(stripe, intent)
    if (result.state !== 'declined' || intent.status === 'canceled') return result
    const cancelled = await stripe.paymentIntents.cancel(intent.id).catch(unexpectedStateAsNull)
    return cancelled ? result : toChargeResult(stripe, await retrieve(stripe, intent.id), payment)
  }

  async function cancelIfOpen(
    stripe: Stripe,
    intent: Stripe.PaymentIntent,
    payment: GatewayPayment,
  ): Promise<ChargeResult> {
    const result = await toChargeResult(stripe, intent, payment)
    if (result.state !== 'pending' || !result.isOpen) return result
    const cancelledIntent = await stripe.paymentIntents.cancel(intent.id, withCharge).catch(unexpectedStateAsNull)
    // It was paid concurrently, or cancelled before.
    return toChargeResult(stripe, cancelledIntent ?? (await retrieve(stripe, intent.id)), payment)
  }

  return {
    begin: (payment) =>
      callStripe(async () => {
        const stripe = await open(payment.payee)
        const intent = payment.reference
          ? await retrieve(stripe, payment.reference)
          : await create(stripe, payment).catch(throwTooSmall)
        const result = await toChargeResult(stripe, intent, payment)
        if (result.state !== 'pending' || !result.isOpen) return result
        const { client_secret: clientSecret } = intent
        const publishableKey = payment.payee.publishableKey
        if (!clientSecret || !publishableKey) throw new AppError('upstream', 'The payment cannot be confirmed')
        const isDirectDebit = method === 'bacs_debit'
        return {
          state: 'requires-action',
          reference: intent.id,
          step: {
            kind: 'confirm',
            clientSecret,
            publishableKey,
            isDirectDebit,
            cardReference: payment.storedMethod ? attemptedCard(intent) : null,
          },
        }
      }),

    // Without a reference no browser was ever able to pay.
    lookUp: (payment) =>
      callStripe(async () => {
        if (!payment.reference) return { state: 'pending', reference: '', isOpen: true }
        const stripe = await open(payment.payee)
        return toChargeResult(stripe, await retrieve(stripe, payment.reference), payment)
      }),

    prepareRenewal: (payment) =>
      callStripe(async () => {
        if (!payment.payee.secretKey) return { state: 'keys-refused', detail: { problem: 'no secret key' } }
        await waitForRenewalSlot(payment.payee.secretKey)
        return prepareStripeRenewal(await open(payment.payee), method, payment)
      }),

    // A payment that was just created cannot have been charged: a query first would be a third of all calls.
    chargeRenewal: (payment, { isNew }) =>
      callStripe(async () => {
        if (!payment.reference) throw new Error(`The renewal ${payment.orderNumber} was not prepared`)
        const stripe = await open(payment.payee)
        const before = isNew ? null : await retrieve(stripe, payment.reference)
        if (before && !isNeverAttempted(before)) return toChargeResult(stripe, before, payment)
        const after = await confirmStripeRenewal(stripe, payment, payment.reference)
        if (!('refused' in after)) return toChargeResult(stripe, after, payment)
        return settleUnpaid(stripe, after.intent, payment, after.refused)
      }),

    refund: (payment, refund) => callStripe(async () => makeRefund(await open(payment.payee), payment, refund)),

    // Without a reference the payment is created under its key and cancelled: a concurrent caller gets the same payment, and cannot pay it.
    cancel: (payment) =>
      callStripe(async () => {
        if (!payment.reference && !payment.payee.secretKey) return { state: 'unknown' }
        const stripe = await open(payment.payee)
        const intent = payment.reference
          ? await retrieve(stripe, payment.reference)
          : await create(stripe, payment).catch(refusedAsNull)
        return intent ? cancelIfOpen(stripe, intent, payment) : { state: 'unknown' }
      }),

    lookUpStoredMethod: ({ payee, storedMethod }) =>
      callStripe(async () => lookUpStoredMethod(await open(payee), storedMethod)),
    readEvent: readStripeEvent,
    ...(method === 'card' ? { cardUpdate: makeStripeCardUpdate(open) } : {}),
  }
}

async function disputesOf(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<Stripe.Dispute[]> {
  if (!chargeOf(intent)?.disputed) return []
  return (await stripe.disputes.list({ payment_intent: intent.id, limit: 10 })).data
}

/** Stripe forgets a key after some weeks, but keeps metadata: a refund that may have been requested is looked up first. */
async function makeRefund(
  stripe: Stripe,
  { reference, orderNumber }: GatewayPayment,
  refund: GatewayRefund,
): Promise<RefundResult> {
  if (!reference) return { state: 'failed', reference: null, reason: 'Stripe has no record of this payment' }
  if (refund.isRepeat) {
    const existing = (await refundsAt(stripe, reference)).find(
      ({ metadata }) => metadata?.[refundKey] === refund.idempotencyKey,
    )
    if (existing) return refundOf(existing)
  }
  return createRefund(stripe, {
    payment: reference,
    amount: refund.money.amount,
    key: refund.idempotencyKey,
    metadata: { orderNumber },
  })
}

function unexpectedStateAsNull(error: unknown): null {
  if (stripeCode(error) === 'payment_intent_unexpected_state') return null
  throw error
}

function throwTooSmall(error: unknown): never {
  if (stripeCode(error) !== 'amount_too_small') throw error
  throw invalid({ payment: 'This amount is too small for this payment method. Please choose another.' })
}

/** A payment that Stripe refused to create does not exist, and will never be paid. */
function refusedAsNull(error: unknown): null {
  const refusals = ['StripeInvalidRequestError', 'StripeAuthenticationError', 'StripePermissionError']
  if (refusals.includes(String((error as { type?: unknown }).type))) return null
  throw error
}
