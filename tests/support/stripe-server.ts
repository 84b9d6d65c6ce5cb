import { createHmac, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express, { type Request, type Response } from 'express'
import { deferred } from './deferred.ts'
import { atFileEnd } from './file-end.ts'
import { stripeCards } from './stripe-cards.ts'
import { intentCalls } from './stripe-intents.ts'
import { confirmIntent, disputeCharge, endChallenge, endDebit, failRefund, refundCharge } from './stripe-payments.ts'
import { planActions, planCalls } from './stripe-plans.ts'
import { createStore, type Fields, StripeApiError, type StripeCalls, type StripeStore } from './stripe-store.ts'

interface RecordedRequest {
  method: string
  path: string
  idempotencyKey: string | undefined
  body: Fields
}

interface StripeEvent {
  type?: string
  /** The id of the payment, card, mandate, invoice or subscription concerned. */
  about: string
  /** Repeating an id resends the same event. */
  id?: string
  /** When it was signed, if not now. */
  at?: Date
  secret?: string
}

export interface StripeServer extends ReturnType<typeof planActions> {
  url: string
  secretKey: string
  publishableKey: string
  webhookSecret: string
  /** Every request with the secret key, the newest last. */
  requests: RecordedRequest[]
  coupons: Map<string, Fields>
  /** The objects by id. Change one to change the responses. */
  objects: Map<string, Fields>
  setPayment(paymentIntentId: string, fields: Fields): void
  /** The payments, the newest last. */
  payments(): Fields[]
  /** The buyer's browser actions by Stripe.js with the stored card: confirms a payment, and answers the bank yes or no. */
  confirm(clientSecret: string, paymentMethodId: string, outcome?: 'succeeded' | 'failed'): Fields
  /** The buyer's browser actions by Stripe.js: pays with a card or account number, or sets it up. Throws refusals. */
  pay(intentId: string, number?: string): Fields
  /** The bank's response to a direct debit, days later. */
  finishDebit(paymentIntentId: string, outcome: 'paid' | 'failed', code?: string): void
  /** Refunds a payment, in full by default. */
  refund(paymentIntentId: string, amount?: number): void
  /** The result of refunds by the API from now on: succeeded or pending. */
  setRefundStatus(status: string): void
  /** The refunds of a payment, oldest first. */
  refunds(paymentIntentId: string): Fields[]
  /** A refund fails, days later. */
  failRefund(refundId: string): void
  /** The buyer's bank disputes a payment: `needs_response`, `won`, `lost`, `prevented`. */
  dispute(paymentIntentId: string, status: string, options?: { takesMoney: boolean }): void
  /** A signed webhook as it is sent. */
  message(event: StripeEvent): { body: string; headers: Record<string, string> }
  /** Executes the next call to a path, and loses the response. */
  dropNextResponse(path: string): void
  /** The next calls to a path are not executed but answered with this status, and with this error where it has a code. */
  failNext(path: string, status: number, times?: number, error?: { code?: string }): void
  /** Executes the next calls that confirm any payment, and loses their responses. Returns how many were lost so far. */
  dropConfirms(times: number): { lost(): number }
  /** From now on Stripe's clock follows this one: months and invoices have its days. */
  useClock(now: () => Date): void
  /** From now on every response is delayed by this many milliseconds. */
  delayResponses(ms: number): void
  /** From now on the card behaves as another number: the account has money again, or none. */
  setCardNumber(paymentMethodId: string, number: string): void
  /** The card's network changes its number or expiry date: the same payment method. */
  renewCard(paymentMethodId: string, card: { last4?: string; exp_year?: number }): void
  /** The customer's card is removed from Stripe. */
  detach(paymentMethodId: string): void
  /** The bank's status of a mandate: accepted, refused or revoked. */
  setMandateStatus(mandateId: string, status: 'accepted' | 'refused' | 'revoked'): void
  /** Executes the next call to a path, and answers when it is released. */
  holdNextResponse(path: string): { release(): void; reached: Promise<void> }
}

const calls: StripeCalls = { ...planCalls, ...intentCalls }

/**
 * A fake Stripe API: form-encoded bodies, secret and publishable keys, idempotency keys, error bodies and request ids in Stripe's
 * format. Browsers may call it from any page, as they may call Stripe.
 */
export async function startStripeServer(): Promise<StripeServer> {
  const store = createStore()
  const keys = {
    secretKey: `sk_test_${randomBytes(12).toString('hex')}`,
    publishableKey: 'pk_test_0123456789',
    webhookSecret: `whsec_${randomBytes(16).toString('hex')}`,
  }
  const requests: RecordedRequest[] = []
  const idempotentResponses = new Map<string, { request: string; status: number; body: unknown }>()
  const dropped: string[] = []
  const failing: { path: string; status: number; code: string | undefined }[] = []
  const confirms = { toLose: 0, lost: 0 }
  let delayMs = 0
  const holds: { path: string; until: Promise<void>; reach(): void }[] = []

  async function answer(req: Request, res: Response): Promise<void> {
    const body = { ...(req.query as Fields), ...(req.body as Fields) }
    const idempotencyKey = req.get('idempotency-key')
    if (req.get('authorization')) requests.push({ method: req.method, path: req.path, idempotencyKey, body })
    res.setHeader('Request-Id', `req_${requests.length}`)
    res.setHeader('Access-Control-Allow-Origin', '*')
    const failure = removeFirst(failing, ({ path }) => path === req.path)
    if (failure) {
      const { status, code } = failure
      const type = status < 500 ? 'invalid_request_error' : 'api_error'
      res.status(status).json({ error: { type, message: 'An unknown error occurred.', ...(code ? { code } : {}) } })
      return
    }
    const request = JSON.stringify([req.method, req.path, body])
    const stored = idempotencyKey ? idempotentResponses.get(idempotencyKey) : undefined
    const result = stored ?? attempt(req, body)
    if (stored && stored.request !== request) {
      const message = 'Keys for idempotent requests can only be used with the same parameters.'
      res.status(400).json({ error: { type: 'idempotency_error', message } })
      return
    }
    // A call refused before it began is not stored under its key; a decline is.
    if (idempotencyKey && (result.status === 200 || result.status === 402))
      idempotentResponses.set(idempotencyKey, { request, ...result })
    if (stored) res.setHeader('Idempotent-Replayed', 'true')
    const hold = removeFirst(holds, ({ path }) => path === req.path)
    hold?.reach()
    await hold?.until
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const isLostConfirm = confirms.toLose > 0 && /payment_intents\/[^/]+\/confirm$/.test(req.path)
    if (isLostConfirm) {
      confirms.toLose--
      confirms.lost++
    }
    if (isLostConfirm || removeFirst(dropped, (path) => path === req.path)) req.socket.destroy()
    else res.status(result.status).json(result.body)
  }

  function attempt(req: Request, { key, ...body }: Fields): { status: number; body: unknown } {
    try {
      const isBrowser = key === keys.publishableKey
      const [kind = '', id = '', verb = ''] = partsOf(req.path)
      const call = calls[`${req.method} ${kind}${id && '/id'}${verb && `/${verb}`}`]
      if (!(isBrowser && call?.forBrowser) && req.get('authorization') !== `Bearer ${keys.secretKey}`)
        throw new StripeApiError(401, { message: 'Invalid API Key provided.' })
      if (!call) throw new StripeApiError(404, { message: `Unrecognized request URL (${req.method}: ${req.path}).` })
      if ('payment_method_types' in body)
        throw new StripeApiError(400, {
          code: 'payment_method_types_no_longer_supported',
          message: 'No longer supported.',
        })
      const unknown = Object.keys(body).find((name) => !call.params?.includes(name))
      if (unknown)
        throw new StripeApiError(400, { code: 'parameter_unknown', message: `Received unknown parameter: ${unknown}` })
      // A copy of the current state, which later calls do not change.
      return { status: 200, body: structuredClone(call.run({ store, id, body, isBrowser })) }
    } catch (error) {
      if (error instanceof StripeApiError) return { status: error.status, body: { error: error.body } }
      throw error
    }
  }

  const app = express()
  app.use(express.urlencoded({ extended: true }))
  app.use((req, res, next) => void answer(req, res).catch(next))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  atFileEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...keys,
    requests,
    coupons: store.coupons,
    objects: store.objects,
    ...buyerActions(store),
    ...planActions(store),
    useClock(now) {
      store.now = now
    },
    message: (event) => signedMessage(store, { secret: keys.webhookSecret, ...event }),
    dropNextResponse: (path) => void dropped.push(path),
    dropConfirms(times) {
      Object.assign(confirms, { toLose: times, lost: 0 })
      return { lost: () => confirms.lost }
    },
    delayResponses(ms) {
      delayMs = ms
    },
    setCardNumber: (id, number) => void store.secrets.set(id, { number }),
    renewCard(id, card) {
      const method = store.find('payment_method', id)
      method.card = { ...(method.card as Fields), ...card }
    },
    detach: (id) => void Object.assign(store.find('payment_method', id), { customer: null }),
    setMandateStatus: (id, status) =>
      void Object.assign(store.find('mandate', id), {
        status: status === 'accepted' ? 'active' : 'inactive',
        payment_method_details: { type: 'bacs_debit', bacs_debit: { network_status: status } },
      }),
    failNext: (path, status, times = 1, { code } = {}) => {
      failing.push(...Array.from({ length: times }, () => ({ path, status, code })))
    },
    holdNextResponse(path) {
      const released = deferred()
      const reached = deferred()
      holds.push({ path, until: released.promise, reach: reached.resolve })
      return { release: released.resolve, reached: reached.promise }
    },
  }
}

/** Kind, id and verb of an address; a kind may have two words. */
function partsOf(path: string): string[] {
  const parts = path.split('/').filter(Boolean).slice(1).map(decodeURIComponent)
  const isLong = parts[0] === 'checkout' || parts[1] === 'create_preview'
  return isLong ? [parts.slice(0, 2).join('/'), ...parts.slice(2)] : parts
}

/** The actions of the buyer, the bank and the publisher at Stripe. */
function buyerActions(store: StripeStore) {
  const find = (id: string) => store.find('payment_intent', id)
  return {
    setPayment: (id: string, fields: Fields) => void Object.assign(find(id), fields),
    payments: () => [...store.objects.values()].filter(({ object }) => object === 'payment_intent'),
    confirm(secret: string, method: string, outcome = 'succeeded') {
      const intent = find(secret.split('_secret_')[0] ?? '')
      const confirmed = confirmIntent(store, intent, { client_secret: secret, payment_method: method })
      return confirmed.status === 'requires_action'
        ? endChallenge(store, intent, { client_secret: secret, outcome })
        : confirmed
    },
    pay(id: string, number: string = stripeCards.paid) {
      const intent = store.find(id.startsWith('seti_') ? 'setup_intent' : 'payment_intent', id)
      const [type = 'card'] = intent.payment_method_types as string[]
      const typed = type === 'card' ? { number } : { account_number: number, sort_code: '108800' }
      return confirmIntent(store, intent, {
        client_secret: intent.client_secret,
        payment_method_data: { type, [type]: typed },
      })
    },
    finishDebit: (id: string, outcome: 'paid' | 'failed', code?: string) => endDebit(store, find(id), outcome, code),
    refund: (id: string, amount?: number) => void refundCharge(store, find(id), amount),
    setRefundStatus(status: string) {
      store.refundsAs = status
    },
    refunds: (id: string) =>
      [...store.objects.values()].filter(({ object, payment_intent: intent }) => object === 'refund' && intent === id),
    failRefund: (id: string) => failRefund(store, store.find('refund', id)),
    dispute: (id: string, status: string, { takesMoney }: { takesMoney?: boolean } = {}) =>
      disputeCharge(store, find(id), status, takesMoney),
  }
}

function signedMessage(
  store: StripeStore,
  { about, type = 'payment_intent.succeeded', id, at = new Date(), secret = '' }: StripeEvent,
): { body: string; headers: Record<string, string> } {
  const object = objectOf(store, about, type)
  const seconds = Math.floor(at.getTime() / 1000)
  const event = { id: id ?? `evt_${randomBytes(9).toString('hex')}`, object: 'event', api_version: '2026-10-28.endive' }
  const body = JSON.stringify({ ...event, created: seconds, type, data: { object } })
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return {
    body,
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${signature}` },
  }
}

/** The object in a webhook: the payment, card, mandate, invoice or subscription itself, or a payment's charge. */
function objectOf(store: StripeStore, about: string, type: string): Fields {
  const [kind = ''] = type.split('.')
  if (kind === 'invoice') return store.find('invoice', about)
  if (type.startsWith('customer.subscription')) return store.find('subscription', about)
  if (kind === 'payment_method' || kind === 'mandate') return store.find(kind, about)
  const intent = store.find('payment_intent', about)
  return kind === 'payment_intent' ? intent : store.find('charge', intent.latest_charge)
}

function removeFirst<T>(list: T[], isWanted: (item: T) => boolean): T | undefined {
  const index = list.findIndex(isWanted)
  return index < 0 ? undefined : list.splice(index, 1)[0]
}
