import type Stripe from 'stripe'
import { AppError, invalid } from '#core/kernel/errors.ts'
import type {
  ChargeAnswer,
  PayeeValues,
  PaymentAsk,
  PaymentGateway,
  RefundAnswer,
  RefundAsk,
} from '#core/ports/payment-gateway.ts'
import {
  answerOf,
  chargeOf,
  debitFailed,
  refundKey,
  refundOf,
  type StripeMethod,
  withCharge,
} from './stripe-answers.ts'
import { makeStripeCardUpdate } from './stripe-card-update.ts'
import { callStripe, openStripe, stripeCode } from './stripe-client.ts'
import { readStripeEvent } from './stripe-events.ts'
import { waitForRenewalSlot } from './stripe-rate-limit.ts'
import { createRefund, refundsAt } from './stripe-refunds.ts'
import {
  attemptedCard,
  confirmStripeRenewal,
  createRenewalIntent,
  isNeverAttempted,
  leaveToBuyer,
  prepareStripeRenewal,
  unpaidRenewal,
} from './stripe-renewals.ts'
import { lookUpStoredMethod } from './stripe-stored-method.ts'

/**
 * Payments through a publisher's own Stripe account: a card or a wallet, or a direct debit. The buyer confirms with Stripe's script in the
 * browser; the outcome is only ever taken from Stripe's answer to the server. Every writing call has an idempotency key derived from
 * the order, so that a retry after a lost answer creates nothing twice.
 */
export function makeStripeGateway(method: StripeMethod, apiBase: string, timeoutMs?: number): PaymentGateway {
  async function open(payee: PayeeValues): Promise<Stripe> {
    if (!payee.secretKey) throw new AppError('upstream', 'The publisher has no Stripe keys')
    return openStripe(payee.secretKey, apiBase, timeoutMs)
  }

  async function create(stripe: Stripe, ask: PaymentAsk): Promise<Stripe.PaymentIntent> {
    if (ask.agreed) return createRenewalIntent(stripe, method, ask)
    const key = (step: string) => ({ idempotencyKey: `order-${ask.idempotencyKey}-${step}` })
    const metadata = { orderNumber: ask.orderNumber, publication: String(ask.publicationId) }
    const { firstName, lastName } = ask.buyer.billing
    const customer = ask.isRecurring
      ? await stripe.customers.create(
          { email: ask.buyer.email, name: `${firstName} ${lastName}`.trim(), metadata },
          key('customer'),
        )
      : null
    return stripe.paymentIntents.create(
      {
        amount: ask.money.amount,
        currency: ask.money.currency.toLowerCase(),
        allowed_payment_method_types: [method],
        description: ask.description,
        metadata,
        ...(customer ? { customer: customer.id, setup_future_usage: 'off_session' } : {}),
      },
      key('payment'),
    )
  }

  const retrieve = (stripe: Stripe, id: string) => stripe.paymentIntents.retrieve(id, withCharge)

  /** A payment's current state. A debit that failed at the bank is cancelled as well, so that it cannot be paid into an order that was reversed. */
  async function toChargeAnswer(stripe: Stripe, intent: Stripe.PaymentIntent, ask: PaymentAsk): Promise<ChargeAnswer> {
    const isFailedDebit = debitFailed(method, intent)
    if (isFailedDebit && intent.status !== 'canceled') {
      await stripe.paymentIntents.cancel(intent.id).catch(alreadyMovedOn)
    }
    const unpaid = ask.agreed && !isFailedDebit ? unpaidRenewal(intent) : null
    if (unpaid) return settleUnpaid(stripe, intent, ask, unpaid)
    // The charge no longer lists a failed refund: for a payment that was paid before, refunds are queried separately.
    const refunds = ask.wasPaid || chargeOf(intent)?.amount_refunded ? await refundsAt(stripe, intent.id) : []
    return answerOf(method, intent, { refunds, disputes: await disputesOf(stripe, intent) })
  }

  /** A renewal that was declined is cancelled, so that it cannot be paid later; one that the bank requires the buyer for is left to them. */
  async function settleUnpaid(
    stripe: Stripe,
    intent: Stripe.PaymentIntent,
    ask: PaymentAsk,
    answer: ChargeAnswer,
  ): Promise<ChargeAnswer> {
    if (answer.state === 'pending' && answer.needsBuyer) await leaveToBuyer(stripe, intent)
    if (answer.state !== 'declined' || intent.status === 'canceled') return answer
    const cancelled = await stripe.paymentIntents.cancel(intent.id).catch(alreadyMovedOn)
    return cancelled ? answer : toChargeAnswer(stripe, await retrieve(stripe, intent.id), ask)
  }

  async function release(stripe: Stripe, intent: Stripe.PaymentIntent, ask: PaymentAsk): Promise<ChargeAnswer> {
    const answer = await toChargeAnswer(stripe, intent, ask)
    if (answer.state !== 'pending' || !answer.isOpen) return answer
    const cancelledIntent = await stripe.paymentIntents.cancel(intent.id, withCharge).catch(alreadyMovedOn)
    // It was paid at the same moment, or cancelled before.
    return toChargeAnswer(stripe, cancelledIntent ?? (await retrieve(stripe, intent.id)), ask)
  }

  return {
    begin: (ask) =>
      callStripe(async () => {
        const stripe = await open(ask.payee)
        const intent = ask.reference ? await retrieve(stripe, ask.reference) : await create(stripe, ask).catch(tooSmall)
        const answer = await toChargeAnswer(stripe, intent, ask)
        if (answer.state !== 'pending' || !answer.isOpen) return answer
        const { client_secret: clientSecret } = intent
        const publishableKey = ask.payee.publishableKey
        if (!clientSecret || !publishableKey) throw new AppError('upstream', 'The payment cannot be confirmed')
        const isDirectDebit = method === 'bacs_debit'
        return {
          state: 'next',
          reference: intent.id,
          step: {
            ...{ kind: 'confirm', clientSecret, publishableKey, isDirectDebit },
            cardReference: ask.agreed ? attemptedCard(intent) : null,
          },
        }
      }),

    // Without a reference no browser ever got the means to pay.
    lookUp: (ask) =>
      callStripe(async () => {
        if (!ask.reference) return { state: 'pending', reference: '', isOpen: true }
        const stripe = await open(ask.payee)
        return toChargeAnswer(stripe, await retrieve(stripe, ask.reference), ask)
      }),

    prepareRenewal: (ask) =>
      callStripe(async () => {
        if (!ask.payee.secretKey) return { state: 'keys-refused', detail: { problem: 'no secret key' } }
        await waitForRenewalSlot(ask.payee.secretKey)
        return prepareStripeRenewal(await open(ask.payee), method, ask)
      }),

    // A payment that was just created cannot have been charged: a query first would be a third of all calls.
    chargeRenewal: (ask, { isNew }) =>
      callStripe(async () => {
        if (!ask.reference) throw new Error(`The renewal ${ask.orderNumber} was not prepared`)
        const stripe = await open(ask.payee)
        const before = isNew ? null : await retrieve(stripe, ask.reference)
        if (before && !isNeverAttempted(before)) return toChargeAnswer(stripe, before, ask)
        const after = await confirmStripeRenewal(stripe, ask, ask.reference)
        if (!('refused' in after)) return toChargeAnswer(stripe, after, ask)
        return settleUnpaid(stripe, after.intent, ask, after.refused)
      }),

    refund: (ask, refund) => callStripe(async () => makeRefund(await open(ask.payee), ask, refund)),

    // Without a reference it is created by its key and cancelled: a concurrent caller gets the same one, and cannot pay.
    cancel: (ask) =>
      callStripe(async () => {
        if (!ask.reference && !ask.payee.secretKey) return { state: 'unknown' }
        const stripe = await open(ask.payee)
        const intent = ask.reference
          ? await retrieve(stripe, ask.reference)
          : await create(stripe, ask).catch(refusedAsNull)
        return intent ? release(stripe, intent, ask) : { state: 'unknown' }
      }),

    lookUpStored: ({ payee, agreed }) => callStripe(async () => lookUpStoredMethod(await open(payee), agreed)),
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
  { reference, orderNumber }: PaymentAsk,
  ask: RefundAsk,
): Promise<RefundAnswer> {
  if (!reference) return { state: 'failed', reference: null, reason: 'Stripe knows nothing of this payment' }
  if (ask.isRepeat) {
    const made = (await refundsAt(stripe, reference)).find(({ metadata }) => metadata?.[refundKey] === ask.key)
    if (made) return refundOf(made)
  }
  return createRefund(stripe, { payment: reference, amount: ask.money.amount, key: ask.key, metadata: { orderNumber } })
}

function alreadyMovedOn(error: unknown): null {
  if (stripeCode(error) === 'payment_intent_unexpected_state') return null
  throw error
}

function tooSmall(error: unknown): never {
  if (stripeCode(error) !== 'amount_too_small') throw error
  throw invalid({ payment: 'This total is too small for this way to pay. Please choose another way to pay.' })
}

/** A payment that Stripe refused to create does not exist, and will never be paid. */
function refusedAsNull(error: unknown): null {
  const refusals = ['StripeInvalidRequestError', 'StripeAuthenticationError', 'StripePermissionError']
  if (refusals.includes(String((error as { type?: unknown }).type))) return null
  throw error
}
