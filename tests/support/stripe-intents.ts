import { randomBytes } from 'node:crypto'
import { checkSecret, confirmIntent, createMethod, endChallenge, refundCharge } from './stripe-payments.ts'
import { type Fields, listOf, StripeApiError, type StripeCalls, type StripeStore } from './stripe-store.ts'

/** Stripe's minimum amounts, by currency. */
const minAmounts: Record<string, number> = { gbp: 30, usd: 50, eur: 50 }

const confirmParams = [
  'client_secret',
  'payment_method',
  'payment_method_data',
  'return_url',
  'mandate_data',
  'expected_payment_method_type',
  'use_stripe_sdk',
]
/** Accepted only with the secret key, to charge off-session. */
const offSessionParams = ['off_session', 'mandate', 'expand']

/** Payments, setup intents and related objects, as in the API of 2026-10-28. */
export const intentCalls: StripeCalls = {
  'POST customers': {
    params: ['email', 'name', 'metadata'],
    run: ({ store, body }) => store.create('cus', { object: 'customer', ...body }),
  },
  'POST payment_intents': {
    params: [
      'amount',
      'currency',
      'allowed_payment_method_types',
      'customer',
      'description',
      'metadata',
      'setup_future_usage',
      'payment_method',
      'mandate',
      'confirm',
      'off_session',
      'expand',
    ],
    run: ({ store, body }) => createPayment(store, body),
  },
  'GET payment_intents/id': {
    params: ['client_secret', 'expand'],
    forBrowser: true,
    run: ({ store, id, body, isBrowser }) => {
      const intent = store.find('payment_intent', id)
      if (isBrowser) checkSecret(intent, body)
      return expanded(store, intent, listOf(body.expand))
    },
  },
  'POST payment_intents/id': {
    params: ['metadata', 'setup_future_usage'],
    run({ store, id, body: { metadata, ...fields } }) {
      const intent = store.find('payment_intent', id)
      // Metadata is merged, key by key.
      return Object.assign(intent, fields, { metadata: { ...(intent.metadata as Fields), ...(metadata as Fields) } })
    },
  },
  'POST payment_intents/id/cancel': {
    params: ['cancellation_reason', 'expand'],
    run({ store, id, body }) {
      const intent = store.find('payment_intent', id)
      if (['succeeded', 'canceled', 'processing'].includes(String(intent.status)))
        throw new StripeApiError(400, {
          code: 'payment_intent_unexpected_state',
          message: `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        })
      Object.assign(intent, { status: 'canceled', cancellation_reason: body.cancellation_reason ?? null })
      return expanded(store, intent, listOf(body.expand))
    },
  },
  'POST payment_intents/id/confirm': {
    params: [...confirmParams, ...offSessionParams],
    forBrowser: true,
    run({ store, id, body, isBrowser }) {
      const intent = store.find('payment_intent', id)
      return isBrowser ? confirmIntent(store, intent, body) : confirmOffSession(store, intent, body)
    },
  },
  'POST payment_intents/id/challenge': {
    params: ['client_secret', 'outcome'],
    forBrowser: true,
    run: ({ store, id, body }) => endChallenge(store, store.find('payment_intent', id), body),
  },
  'POST setup_intents': {
    params: ['customer', 'usage', 'allowed_payment_method_types', 'metadata'],
    run({ store, body }) {
      store.find('customer', body.customer)
      return createIntent(store, 'seti', { object: 'setup_intent', last_setup_error: null, mandate: null, ...body })
    },
  },
  'GET setup_intents/id': {
    params: ['client_secret', 'expand'],
    forBrowser: true,
    run({ store, id, body, isBrowser }) {
      const intent = store.find('setup_intent', id)
      if (isBrowser) checkSecret(intent, body)
      return expanded(store, intent, listOf(body.expand))
    },
  },
  'POST setup_intents/id/confirm': {
    params: confirmParams,
    forBrowser: true,
    run: ({ store, id, body }) => confirmIntent(store, store.find('setup_intent', id), body),
  },
  'POST setup_intents/id/challenge': {
    params: ['client_secret', 'outcome'],
    forBrowser: true,
    run: ({ store, id, body }) => endChallenge(store, store.find('setup_intent', id), body),
  },
  'POST payment_methods': {
    params: ['type', 'card', 'bacs_debit', 'billing_details'],
    forBrowser: true,
    run: ({ store, body }) => createMethod(store, body),
  },
  'GET payment_methods/id': { run: ({ store, id }) => store.find('payment_method', id) },
  'GET charges/id': { run: ({ store, id }) => store.find('charge', id) },
  'GET mandates/id': { run: ({ store, id }) => store.find('mandate', id) },
  'POST refunds': {
    params: ['payment_intent', 'amount', 'metadata', 'reason', 'expand'],
    run: ({ store, body: { payment_intent: intent, amount, ...fields } }) =>
      refundCharge(store, store.find('payment_intent', intent), Number(amount), { ...fields, status: store.refundsAs }),
  },
  'GET refunds': {
    params: ['payment_intent', 'charge', 'limit'],
    run: ({ store, body }) => ({
      object: 'list',
      has_more: false,
      data: [...store.objects.values()]
        .filter(({ object, payment_intent: intent }) => object === 'refund' && intent === body.payment_intent)
        .toReversed(),
    }),
  },
  'GET disputes': {
    params: ['payment_intent', 'charge', 'limit'],
    run: ({ store, body }) => ({
      object: 'list',
      has_more: false,
      data: [...store.objects.values()].filter(
        ({ object, payment_intent: intent }) => object === 'dispute' && intent === body.payment_intent,
      ),
    }),
  },
}

function createIntent(store: StripeStore, prefix: string, fields: Fields): Fields {
  const types = listOf(fields.allowed_payment_method_types)
  const intent = store.create(prefix, {
    created: Math.floor(Date.now() / 1000),
    customer: null,
    metadata: {},
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
    ...fields,
    allowed_payment_method_types: types.length > 0 ? types : null,
    payment_method_types: types.length > 0 ? types : ['card'],
  })
  return Object.assign(intent, { client_secret: `${intent.id}_secret_${randomBytes(9).toString('hex')}` })
}

function createPayment(store: StripeStore, { expand, confirm, off_session: _, ...body }: Fields): Fields {
  const amount = Number(body.amount)
  const currency = String(body.currency)
  if (amount < (minAmounts[currency] ?? 50))
    throw new StripeApiError(400, {
      code: 'amount_too_small',
      message: 'Amount must be at least £0.30 gbp',
      param: 'amount',
    })
  const types = listOf(body.allowed_payment_method_types)
  if (types.includes('bacs_debit') && currency !== 'gbp')
    throw new StripeApiError(400, { message: 'No compatible payment method types were found.' })
  if (body.customer) store.find('customer', body.customer)
  const intent = createIntent(store, 'pi', {
    object: 'payment_intent',
    amount_received: 0,
    description: null,
    last_payment_error: null,
    latest_charge: null,
    mandate: null,
    setup_future_usage: null,
    ...body,
    amount,
  })
  if (body.payment_method) intent.status = 'requires_confirmation'
  if (confirm === 'true') confirmIntent(store, intent, { payment_method: body.payment_method }, { isOffSession: true })
  return expanded(store, intent, listOf(expand))
}

/** An off-session charge: by a method stored for the payment's own customer, and by an active mandate. */
function confirmOffSession(store: StripeStore, intent: Fields, body: Fields): Fields {
  if (body.off_session !== 'true')
    throw new StripeApiError(400, { message: 'A secret key confirms here with `off_session`.' })
  if (intent.setup_future_usage)
    throw new StripeApiError(400, {
      message:
        'You cannot confirm with the `off_session` parameter when `setup_future_usage` is also set on the PaymentIntent.',
    })
  const method = store.find('payment_method', body.payment_method)
  if (!intent.customer || method.customer !== intent.customer)
    throw new StripeApiError(400, { message: 'The payment method does not belong to the customer of this payment.' })
  if (body.mandate && store.find('mandate', body.mandate).status !== 'active')
    throw new StripeApiError(400, {
      code: 'payment_intent_mandate_invalid',
      message: 'The provided mandate is invalid.',
    })
  if (body.mandate) intent.mandate = body.mandate
  return expanded(store, confirmIntent(store, intent, body, { isOffSession: true }), listOf(body.expand))
}

/** The object with the requested ids expanded. */
function expanded(store: StripeStore, object: Fields, names: readonly string[]): Fields {
  const expansions = names.map((name) => [name, object[name] ? store.find(name, object[name]) : object[name]])
  return { ...object, ...Object.fromEntries(expansions) }
}
