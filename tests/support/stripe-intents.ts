import { randomBytes } from 'node:crypto'
import { type Fields, listOf, Refusal, type StripeBook, type StripeCalls } from './stripe-book.ts'
import { checkSecret, confirmIntent, endChallenge, keepMethod, refundCharge } from './stripe-payments.ts'

/** Stripe's minimum amounts, by currency. */
const minAmounts: Record<string, number> = { gbp: 30, usd: 50, eur: 50 }

const confirmTakes = [
  'client_secret',
  'payment_method',
  'payment_method_data',
  'return_url',
  'mandate_data',
  'expected_payment_method_type',
  'use_stripe_sdk',
]
/** With the secret key alone: charge off-session. */
const laterTakes = ['off_session', 'mandate', 'expand']

/** Payments, setup intents and related objects, as in the API of 2026-10-28. */
export const intentCalls: StripeCalls = {
  'POST customers': {
    takes: ['email', 'name', 'metadata'],
    run: ({ book, body }) => book.keep('cus', { object: 'customer', ...body }),
  },
  'POST payment_intents': {
    takes: [
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
    run: ({ book, body }) => createPayment(book, body),
  },
  'GET payment_intents/id': {
    takes: ['client_secret', 'expand'],
    forBrowser: true,
    run: ({ book, id, body, isBrowser }) => {
      const intent = book.find('payment_intent', id)
      if (isBrowser) checkSecret(intent, body)
      return expanded(book, intent, listOf(body.expand))
    },
  },
  'POST payment_intents/id': {
    takes: ['metadata', 'setup_future_usage'],
    run({ book, id, body: { metadata, ...fields } }) {
      const intent = book.find('payment_intent', id)
      // Metadata is merged, key by key.
      return Object.assign(intent, fields, { metadata: { ...(intent.metadata as Fields), ...(metadata as Fields) } })
    },
  },
  'POST payment_intents/id/cancel': {
    takes: ['cancellation_reason', 'expand'],
    run({ book, id, body }) {
      const intent = book.find('payment_intent', id)
      if (['succeeded', 'canceled', 'processing'].includes(String(intent.status)))
        throw new Refusal(400, {
          code: 'payment_intent_unexpected_state',
          message: `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        })
      Object.assign(intent, { status: 'canceled', cancellation_reason: body.cancellation_reason ?? null })
      return expanded(book, intent, listOf(body.expand))
    },
  },
  'POST payment_intents/id/confirm': {
    takes: [...confirmTakes, ...laterTakes],
    forBrowser: true,
    run({ book, id, body, isBrowser }) {
      const intent = book.find('payment_intent', id)
      return isBrowser ? confirmIntent(book, intent, body) : confirmLater(book, intent, body)
    },
  },
  'POST payment_intents/id/challenge': {
    takes: ['client_secret', 'outcome'],
    forBrowser: true,
    run: ({ book, id, body }) => endChallenge(book, book.find('payment_intent', id), body),
  },
  'POST setup_intents': {
    takes: ['customer', 'usage', 'allowed_payment_method_types', 'metadata'],
    run({ book, body }) {
      book.find('customer', body.customer)
      return keepIntent(book, 'seti', { object: 'setup_intent', last_setup_error: null, mandate: null, ...body })
    },
  },
  'GET setup_intents/id': {
    takes: ['client_secret', 'expand'],
    forBrowser: true,
    run({ book, id, body, isBrowser }) {
      const intent = book.find('setup_intent', id)
      if (isBrowser) checkSecret(intent, body)
      return expanded(book, intent, listOf(body.expand))
    },
  },
  'POST setup_intents/id/confirm': {
    takes: confirmTakes,
    forBrowser: true,
    run: ({ book, id, body }) => confirmIntent(book, book.find('setup_intent', id), body),
  },
  'POST setup_intents/id/challenge': {
    takes: ['client_secret', 'outcome'],
    forBrowser: true,
    run: ({ book, id, body }) => endChallenge(book, book.find('setup_intent', id), body),
  },
  'POST payment_methods': {
    takes: ['type', 'card', 'bacs_debit', 'billing_details'],
    forBrowser: true,
    run: ({ book, body }) => keepMethod(book, body),
  },
  'GET payment_methods/id': { run: ({ book, id }) => book.find('payment_method', id) },
  'GET charges/id': { run: ({ book, id }) => book.find('charge', id) },
  'GET mandates/id': { run: ({ book, id }) => book.find('mandate', id) },
  'POST refunds': {
    takes: ['payment_intent', 'amount', 'metadata', 'reason', 'expand'],
    run: ({ book, body: { payment_intent: intent, amount, ...fields } }) =>
      refundCharge(book, book.find('payment_intent', intent), Number(amount), { ...fields, status: book.refundsAs }),
  },
  'GET refunds': {
    takes: ['payment_intent', 'charge', 'limit'],
    run: ({ book, body }) => ({
      object: 'list',
      has_more: false,
      data: [...book.objects.values()]
        .filter(({ object, payment_intent: intent }) => object === 'refund' && intent === body.payment_intent)
        .toReversed(),
    }),
  },
  'GET disputes': {
    takes: ['payment_intent', 'charge', 'limit'],
    run: ({ book, body }) => ({
      object: 'list',
      has_more: false,
      data: [...book.objects.values()].filter(
        ({ object, payment_intent: intent }) => object === 'dispute' && intent === body.payment_intent,
      ),
    }),
  },
}

function keepIntent(book: StripeBook, prefix: string, fields: Fields): Fields {
  const types = listOf(fields.allowed_payment_method_types)
  const intent = book.keep(prefix, {
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

function createPayment(book: StripeBook, { expand, confirm, off_session: _, ...body }: Fields): Fields {
  const [amount, currency] = [Number(body.amount), String(body.currency)]
  if (amount < (minAmounts[currency] ?? 50))
    throw new Refusal(400, { code: 'amount_too_small', message: 'Amount must be at least £0.30 gbp', param: 'amount' })
  const types = listOf(body.allowed_payment_method_types)
  if (types.includes('bacs_debit') && currency !== 'gbp')
    throw new Refusal(400, { message: 'No compatible payment method types were found.' })
  if (body.customer) book.find('customer', body.customer)
  const intent = keepIntent(book, 'pi', {
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
  if (confirm === 'true') confirmIntent(book, intent, { payment_method: body.payment_method }, { isLater: true })
  return expanded(book, intent, listOf(expand))
}

/** An off-session charge: by a method stored for the payment's own customer, and by an active mandate. */
function confirmLater(book: StripeBook, intent: Fields, body: Fields): Fields {
  if (body.off_session !== 'true') throw new Refusal(400, { message: 'A secret key confirms here with `off_session`.' })
  if (intent.setup_future_usage)
    throw new Refusal(400, {
      message:
        'You cannot confirm with the `off_session` parameter when `setup_future_usage` is also set on the PaymentIntent.',
    })
  const method = book.find('payment_method', body.payment_method)
  if (!intent.customer || method.customer !== intent.customer)
    throw new Refusal(400, { message: 'The payment method does not belong to the customer of this payment.' })
  if (body.mandate && book.find('mandate', body.mandate).status !== 'active')
    throw new Refusal(400, { code: 'payment_intent_mandate_invalid', message: 'The provided mandate is invalid.' })
  if (body.mandate) intent.mandate = body.mandate
  return expanded(book, confirmIntent(book, intent, body, { isLater: true }), listOf(body.expand))
}

/** The object with the requested ids expanded. */
function expanded(book: StripeBook, object: Fields, names: readonly string[]): Fields {
  const opened = names.map((name) => [name, object[name] ? book.find(name, object[name]) : object[name]])
  return { ...object, ...Object.fromEntries(opened) }
}
