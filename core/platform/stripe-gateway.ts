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
import { askStripeFor, openStripe, stripeCode } from './stripe-client.ts'
import { readStripeEvent } from './stripe-events.ts'
import { lookUpStripeKept } from './stripe-kept.ts'
import { waitForRenewalSlot } from './stripe-rate-limit.ts'
import { createRefund, refundsAt } from './stripe-refunds.ts'
import {
  askedCard,
  confirmStripeRenewal,
  createRenewalIntent,
  isUnasked,
  leaveToBuyer,
  prepareStripeRenewal,
  unpaidRenewal,
} from './stripe-renewals.ts'

/**
 * Payments by a publisher's own Stripe account: a card or a wallet, or a direct debit. The buyer confirms with Stripe's script in the
 * browser; what became of it is only ever taken from Stripe's answer to the server. Every writing call has a key of its own made from
 * the order, so that asking again after a lost answer makes nothing twice.
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

  /** What a payment is now. A debit that the bank gave up is cancelled as well: nobody may pay it into an order that was reversed. */
  async function judge(stripe: Stripe, intent: Stripe.PaymentIntent, ask: PaymentAsk): Promise<ChargeAnswer> {
    const isFailedDebit = debitFailed(method, intent)
    if (isFailedDebit && intent.status !== 'canceled') {
      await stripe.paymentIntents.cancel(intent.id).catch(alreadyMovedOn)
    }
    const unpaid = ask.agreed && !isFailedDebit ? unpaidRenewal(intent) : null
    if (unpaid) return settleUnpaid(stripe, intent, ask, unpaid)
    // A refund that failed is none of the charge's any more: of what was paid before they are asked for.
    const refunds = ask.wasPaid || chargeOf(intent)?.amount_refunded ? await refundsAt(stripe, intent.id) : []
    return answerOf(method, intent, { refunds, disputes: await disputesOf(stripe, intent) })
  }

  /** A renewal that was declined is cancelled, so that nobody pays it later; one that the bank wants its buyer for is left to them. */
  async function settleUnpaid(
    stripe: Stripe,
    intent: Stripe.PaymentIntent,
    ask: PaymentAsk,
    answer: ChargeAnswer,
  ): Promise<ChargeAnswer> {
    if (answer.state === 'pending' && answer.needsBuyer) await leaveToBuyer(stripe, intent)
    if (answer.state !== 'declined' || intent.status === 'canceled') return answer
    const cancelled = await stripe.paymentIntents.cancel(intent.id).catch(alreadyMovedOn)
    return cancelled ? answer : judge(stripe, await retrieve(stripe, intent.id), ask)
  }

  async function release(stripe: Stripe, intent: Stripe.PaymentIntent, ask: PaymentAsk): Promise<ChargeAnswer> {
    const answer = await judge(stripe, intent, ask)
    if (answer.state !== 'pending' || !answer.isOpen) return answer
    const gone = await stripe.paymentIntents.cancel(intent.id, withCharge).catch(alreadyMovedOn)
    // Somebody paid in the same moment, or it was cancelled before.
    return judge(stripe, gone ?? (await retrieve(stripe, intent.id)), ask)
  }

  return {
    begin: (ask) =>
      askStripeFor(async () => {
        const stripe = await open(ask.payee)
        const intent = ask.reference ? await retrieve(stripe, ask.reference) : await create(stripe, ask).catch(tooSmall)
        const answer = await judge(stripe, intent, ask)
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
            cardReference: ask.agreed ? askedCard(intent) : null,
          },
        }
      }),

    // Without a reference no browser was ever told how to pay.
    lookUp: (ask) =>
      askStripeFor(async () => {
        if (!ask.reference) return { state: 'pending', reference: '', isOpen: true }
        const stripe = await open(ask.payee)
        return judge(stripe, await retrieve(stripe, ask.reference), ask)
      }),

    prepareRenewal: (ask) =>
      askStripeFor(async () => {
        if (!ask.payee.secretKey) return { state: 'keys-refused', detail: { problem: 'no secret key' } }
        await waitForRenewalSlot(ask.payee.secretKey)
        return prepareStripeRenewal(await open(ask.payee), method, ask)
      }),

    // What was just made can have been charged by nobody: asking first would be a third of all calls.
    chargeRenewal: (ask, { isNew }) =>
      askStripeFor(async () => {
        if (!ask.reference) throw new Error(`The renewal ${ask.orderNumber} was not prepared`)
        const stripe = await open(ask.payee)
        const before = isNew ? null : await retrieve(stripe, ask.reference)
        if (before && !isUnasked(before)) return judge(stripe, before, ask)
        const after = await confirmStripeRenewal(stripe, ask, ask.reference)
        if (!('refused' in after)) return judge(stripe, after, ask)
        return settleUnpaid(stripe, after.intent, ask, after.refused)
      }),

    refund: (ask, refund) => askStripeFor(async () => giveBack(await open(ask.payee), ask, refund)),

    // Without a reference it is begun by its key and cancelled: whoever is beginning it in this moment gets the same one, and cannot pay.
    cancel: (ask) =>
      askStripeFor(async () => {
        if (!ask.reference && !ask.payee.secretKey) return { state: 'unknown' }
        const stripe = await open(ask.payee)
        const intent = ask.reference
          ? await retrieve(stripe, ask.reference)
          : await create(stripe, ask).catch(refusedAsNull)
        return intent ? release(stripe, intent, ask) : { state: 'unknown' }
      }),

    lookUpKept: ({ payee, agreed }) => askStripeFor(async () => lookUpStripeKept(await open(payee), agreed)),
    readEvent: readStripeEvent,
    ...(method === 'card' ? { cardUpdate: makeStripeCardUpdate(open) } : {}),
  }
}

async function disputesOf(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<Stripe.Dispute[]> {
  if (!chargeOf(intent)?.disputed) return []
  return (await stripe.disputes.list({ payment_intent: intent.id, limit: 10 })).data
}

/** Stripe forgets a key after some weeks, and its metadata never: a refund that may have been asked for is looked for first. */
async function giveBack(stripe: Stripe, { reference, orderNumber }: PaymentAsk, ask: RefundAsk): Promise<RefundAnswer> {
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
  throw invalid({ payment: 'This total is less than this way to pay can take. Please choose another way to pay.' })
}

/** What Stripe refused to begin is nowhere, and nobody will ever pay it. */
function refusedAsNull(error: unknown): null {
  const refusals = ['StripeInvalidRequestError', 'StripeAuthenticationError', 'StripePermissionError']
  if (refusals.includes(String((error as { type?: unknown }).type))) return null
  throw error
}
