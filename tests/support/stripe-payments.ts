import { declineOf, stripeCards } from './stripe-cards.ts'
import { type Fields, missing, StripeApiError, type StripeStore } from './stripe-store.ts'

/** The client secret of an intent gives the browser access to it, and to nothing else. */
export function checkSecret(intent: Fields, body: Fields): void {
  if (body.client_secret !== intent.client_secret) throw missing(String(intent.object), String(intent.id))
}

/** Stores a payment method: the typed details stay in the store's secrets, and only the last four characters are shown. */
export function createMethod(store: StripeStore, fields: Fields): Fields {
  const type = String(fields.type)
  const typed = (fields[type] ?? {}) as Record<string, string>
  const number = String(typed.number ?? typed.account_number ?? '').replaceAll(/\D/g, '')
  if (type !== 'card' && type !== 'bacs_debit') throw new StripeApiError(400, { message: `Invalid type: ${type}` })
  const publicDetails =
    type === 'card'
      ? { brand: 'visa', last4: number.slice(-4), exp_month: Number(typed.exp_month ?? 12), exp_year: 2034 }
      : { last4: number.slice(-4), sort_code: typed.sort_code ?? '108800', fingerprint: `f${number}` }
  const method = store.create('pm', {
    object: 'payment_method',
    type,
    [type]: publicDetails,
    billing_details: fields.billing_details ?? {},
    customer: null,
  })
  store.secrets.set(String(method.id), { number })
  return method
}

/** The result of a confirmation: it is paid, refused, needs authentication, or is a debit that takes days. */
export function confirmIntent(store: StripeStore, intent: Fields, body: Fields, { isOffSession = false } = {}): Fields {
  if (!isOffSession) checkSecret(intent, body)
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(String(intent.status)))
    throw new StripeApiError(400, {
      code: `${intent.object}_unexpected_state`,
      message: `This ${intent.object} cannot be confirmed: its status is ${intent.status}.`,
      [String(intent.object)]: intent,
    })
  const method = body.payment_method_data
    ? createMethod(store, body.payment_method_data as Fields)
    : store.find('payment_method', body.payment_method)
  if (!(intent.payment_method_types as string[]).includes(String(method.type)))
    throw new StripeApiError(400, {
      message: `The payment method type ${method.type} is not allowed for this payment.`,
    })
  const number = String(store.secrets.get(String(method.id))?.number)
  const decline = declineOf(number, { isOffSession })
  if (decline) return refuse(store, intent, method, decline)
  Object.assign(intent, { payment_method: method.id, last_payment_error: null })
  // A charge that the bank declined off-session needs authentication.
  const needsAuthentication = number === stripeCards.needsBuyerLater && body.payment_method !== undefined
  if ((number === stripeCards.needsAction || needsAuthentication) && !isOffSession)
    return Object.assign(intent, { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } })
  return succeed(store, intent, method)
}

/** The cardholder's answer to the bank. */
export function endChallenge(store: StripeStore, intent: Fields, body: Fields): Fields {
  checkSecret(intent, body)
  if (intent.status !== 'requires_action') throw new StripeApiError(400, { message: 'No authentication is pending.' })
  const method = store.find('payment_method', intent.payment_method)
  if (body.outcome === 'succeeded') return succeed(store, Object.assign(intent, { next_action: null }), method)
  return refuse(store, intent, method, {
    code: `${intent.object}_authentication_failure`,
    message: 'We are unable to authenticate your payment method. Please choose another and try again.',
  })
}

function refuse(
  store: StripeStore,
  intent: Fields,
  method: Fields,
  problem: { code: string; decline_code?: string; message: string },
): never {
  const error = { type: 'card_error', ...problem, payment_method: method }
  const errorField = intent.object === 'setup_intent' ? 'last_setup_error' : 'last_payment_error'
  const failed = { status: 'requires_payment_method', payment_method: null, next_action: null }
  Object.assign(intent, { ...failed, [errorField]: error })
  // A refused card leaves a failed charge; an unusable bank account leaves none.
  if (intent.object === 'payment_intent' && method.type === 'card') charge(store, intent, method, 'failed')
  throw new StripeApiError(402, { ...error, [String(intent.object)]: { ...intent } })
}

function succeed(store: StripeStore, intent: Fields, method: Fields): Fields {
  const isDebit = method.type === 'bacs_debit'
  const isStored = intent.object === 'setup_intent' || intent.setup_future_usage === 'off_session'
  if (isStored && intent.customer) method.customer = intent.customer
  const mandate = isDebit && !intent.mandate ? newMandate(store, method).id : intent.mandate
  if (intent.object === 'setup_intent') return Object.assign(intent, { status: 'succeeded', mandate })
  charge(store, intent, method, isDebit ? 'pending' : 'succeeded', mandate)
  return Object.assign(
    intent,
    isDebit ? { status: 'processing' } : { status: 'succeeded', amount_received: intent.amount },
  )
}

function newMandate(store: StripeStore, method: Fields): Fields {
  return store.create('mandate', {
    object: 'mandate',
    payment_method: method.id,
    status: 'active',
    type: 'multi_use',
    payment_method_details: { type: 'bacs_debit', bacs_debit: { network_status: 'pending' } },
  })
}

function charge(store: StripeStore, intent: Fields, method: Fields, status: string, mandate?: unknown): void {
  const type = String(method.type)
  const details = {
    ...(method[type] as Fields),
    ...(type === 'card' ? {} : { mandate, expected_debit_date: debitDay() }),
  }
  intent.latest_charge = store.create('ch', {
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    currency: intent.currency,
    disputed: false,
    failure_code: null,
    failure_message: null,
    paid: status !== 'failed',
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type, [type]: details },
    refunded: false,
    status,
  }).id
}

/** About four days from now, like the bank's processing time. */
function debitDay(): string {
  return new Date(Date.now() + 4 * 86_400_000).toISOString().slice(0, 10)
}

/** The bank's response to a debit, days later. */
export function endDebit(
  store: StripeStore,
  intent: Fields,
  outcome: 'paid' | 'failed',
  code = 'debit_not_authorized',
): void {
  const debit = store.find('charge', intent.latest_charge)
  if (outcome === 'paid') {
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
    Object.assign(debit, { status: 'succeeded', paid: true })
    return
  }
  const message = 'The customer has notified their bank that this payment was unauthorised.'
  Object.assign(debit, {
    status: 'failed',
    paid: false,
    failure_code: code,
    failure_message: message,
  })
  const error = { type: 'card_error', code, message }
  Object.assign(intent, { status: 'requires_payment_method', payment_method: null, last_payment_error: error })
}

/** Refunds a payment, in full by default. Returns the refund as the API creates and lists it. */
export function refundCharge(
  store: StripeStore,
  intent: Fields,
  amount = Number(intent.amount),
  fields: Fields = {},
): Fields {
  const paid = store.find('charge', intent.latest_charge)
  if (paid.status !== 'succeeded')
    throw new StripeApiError(400, { code: 'charge_not_captured', message: 'This charge is not paid.' })
  const remaining = Number(paid.amount) - Number(paid.amount_refunded)
  if (remaining === 0)
    throw new StripeApiError(400, {
      code: 'charge_already_refunded',
      message: `Charge ${paid.id} has already been refunded.`,
    })
  if (amount > remaining)
    throw new StripeApiError(400, {
      message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${remaining})`,
    })
  const total = Number(paid.amount_refunded) + amount
  Object.assign(paid, { amount_refunded: total, refunded: total >= Number(paid.amount) })
  return store.create('re', {
    object: 'refund',
    amount,
    charge: paid.id,
    currency: paid.currency,
    payment_intent: intent.id,
    metadata: {},
    status: 'succeeded',
    failure_reason: null,
    ...fields,
  })
}

/** The bank returns a refund, days later. */
export function failRefund(store: StripeStore, refund: Fields, reason = 'lost_or_stolen_card'): void {
  const paid = store.find('charge', refund.charge)
  Object.assign(refund, { status: 'failed', failure_reason: reason })
  Object.assign(paid, { amount_refunded: Number(paid.amount_refunded) - Number(refund.amount), refunded: false })
}

/** The buyer's bank takes the money back, or disputes it. */
export function disputeCharge(
  store: StripeStore,
  intent: Fields,
  status: string,
  isMoney = !status.startsWith('warning'),
): void {
  const paid = store.find('charge', intent.latest_charge)
  paid.disputed = true
  const existing = [...store.objects.values()].find(
    ({ object, payment_intent: id }) => object === 'dispute' && id === intent.id,
  )
  const moves = [
    { id: 'txn_1', object: 'balance_transaction', amount: -Number(paid.amount), fee: 2000, currency: 'gbp' },
  ]
  if (existing) Object.assign(existing, { status, ...(isMoney ? { balance_transactions: moves } : {}) })
  else
    store.create('du', {
      object: 'dispute',
      amount: paid.amount,
      charge: paid.id,
      payment_intent: intent.id,
      status,
      reason: 'fraudulent',
      balance_transactions: isMoney ? moves : [],
    })
}
