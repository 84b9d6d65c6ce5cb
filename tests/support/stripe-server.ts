import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express, { type Request, type Response } from 'express'
import { afterAll } from 'vitest'

type Fields = Record<string, unknown>
type Item = { price_data?: { product?: string; currency?: string; unit_amount?: string }; quantity?: string }

interface Seen {
  method: string
  path: string
  idempotencyKey: string | undefined
  body: Fields
}

export interface StripeServer {
  url: string
  secretKey: string
  publishableKey: string
  /** Every call that came, the newest last. */
  seen: Seen[]
  coupons: Map<string, Fields>
  /** By id. Change what is here to change what is answered. */
  objects: Map<string, Fields>
  /** The person pays, or the bank says otherwise. */
  setPayment(paymentIntentId: string, fields: Fields): void
  /** Does what the next call to a path asks, and loses the answer on the way. */
  dropAnswerTo(path: string): void
}

/** What Stripe's API of 2026-10-28 takes in each writing call that the product makes. Anything else it refuses by name. */
const known: Record<string, readonly string[]> = {
  products: ['id', 'name'],
  customers: ['email', 'name', 'metadata'],
  subscriptions: [
    'customer',
    'description',
    'items',
    'discounts',
    'payment_behavior',
    'payment_settings',
    'metadata',
    'expand',
  ],
  payment_intents: ['metadata'],
}

class Refusal extends Error {
  readonly status: number
  readonly body: Fields
  constructor(status: number, body: Fields) {
    super(String(body.message))
    this.status = status
    this.body = { type: 'invalid_request_error', ...body }
  }
}

const missing = (what: string, id: string) =>
  new Refusal(404, { code: 'resource_missing', message: `No such ${what}: '${id}'` })

/** A Stripe to test against: form-encoded bodies, bearer keys, idempotency keys, error bodies and request ids as Stripe has them. */
export async function startStripeServer(): Promise<StripeServer> {
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`
  const seen: Seen[] = []
  const answers = new Map<string, { asked: string; status: number; body: unknown }>()
  const objects: StripeServer['objects'] = new Map()
  const coupons: StripeServer['coupons'] = new Map()
  let droppedPath: string | undefined
  let made = 0

  const keep = (prefix: string, fields: Fields): Fields => {
    const id = typeof fields.id === 'string' ? fields.id : `${prefix}_${String(++made).padStart(14, '0')}`
    const object = { ...fields, id }
    objects.set(id, object)
    return object
  }
  const find = (what: string, id: string): Fields => {
    const object = objects.get(id)
    if (!object) throw missing(what, id)
    return object
  }

  function perform(method: string, [kind = '', id = '']: string[], body: Fields): Fields {
    const unknown = Object.keys(body).find((name) => method === 'POST' && !known[kind]?.includes(name))
    if (unknown)
      throw new Refusal(400, { code: 'parameter_unknown', message: `Received unknown parameter: ${unknown}` })
    switch (`${method} ${kind}${id ? '/id' : ''}`) {
      case 'GET products/id':
        return find('product', id)
      case 'POST products':
        if (objects.has(String(body.id)))
          throw new Refusal(400, { code: 'resource_already_exists', message: 'Product already exists.' })
        return keep('prod', { object: 'product', ...body })
      case 'GET coupons/id': {
        const coupon = coupons.get(id)
        if (!coupon) throw missing('coupon', id)
        return { object: 'coupon', id, name: null, valid: true, duration: 'forever', ...coupon }
      }
      case 'POST customers':
        return keep('cus', { object: 'customer', ...body })
      case 'POST subscriptions':
        return subscribe(body)
      case 'GET subscriptions/id':
        return find('subscription', id)
      case 'DELETE subscriptions/id':
        return Object.assign(find('subscription', id), { status: 'canceled' })
      case 'GET payment_intents/id':
        return find('payment_intent', id)
      case 'POST payment_intents/id':
        return Object.assign(find('payment_intent', id), body)
      default:
        throw new Refusal(404, { message: `Unrecognized request URL (${method}: /v1/${kind}).` })
    }
  }

  /** The first invoice is open until it is paid; one of nothing is paid at once and has no payment. */
  function subscribe(body: Fields): Fields {
    const [item] = Object.values((body.items ?? {}) as Record<string, Item>)
    const { product = '', currency, unit_amount: unitAmount } = item?.price_data ?? {}
    find('product', product)
    find('customer', String(body.customer))
    if (body.payment_behavior !== 'default_incomplete') throw new Refusal(400, { message: 'No payment method.' })
    const [discount] = Object.values((body.discounts ?? {}) as Record<string, { coupon?: string }>)
    const coupon = discount?.coupon ? coupons.get(discount.coupon) : undefined
    if (discount?.coupon && !coupon) throw missing('coupon', discount.coupon)
    const full = Number(unitAmount) * Number(item?.quantity)
    const amount = Math.round(full * (1 - Number(coupon?.percent_off ?? 0) / 100))
    const expand = Object.values((body.expand ?? {}) as Record<string, string>)
    const intent =
      amount === 0
        ? null
        : keep('pi', {
            object: 'payment_intent',
            amount,
            amount_received: 0,
            currency,
            status: 'requires_payment_method',
            metadata: {},
          })
    const invoice: Fields = { object: 'invoice', id: `in_${++made}`, amount_due: amount }
    if (expand.includes('latest_invoice.confirmation_secret'))
      invoice.confirmation_secret = intent && { type: 'payment_intent', client_secret: `${intent.id}_secret_${made}` }
    if (expand.includes('latest_invoice.payments'))
      invoice.payments = {
        object: 'list',
        data: intent ? [{ payment: { type: 'payment_intent', payment_intent: intent.id } }] : [],
      }
    return keep('sub', {
      object: 'subscription',
      status: intent ? 'incomplete' : 'active',
      customer: body.customer,
      metadata: body.metadata,
      latest_invoice: expand.length > 0 ? invoice : invoice.id,
    })
  }

  function answer(req: Request, res: Response): void {
    const body = { ...(req.body as Fields) }
    const idempotencyKey = req.get('idempotency-key')
    seen.push({ method: req.method, path: req.path, idempotencyKey, body })
    res.setHeader('Request-Id', `req_${seen.length}`)
    const asked = JSON.stringify([req.method, req.path, body])
    const before = idempotencyKey ? answers.get(idempotencyKey) : undefined
    const result = before ?? attempt(req, body)
    if (before && before.asked !== asked) {
      const error = {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters.',
      }
      res.status(400).json({ error })
      return
    }
    // What was refused before it began is not kept.
    if (idempotencyKey && result.status === 200) answers.set(idempotencyKey, { asked, ...result })
    if (before) res.setHeader('Idempotent-Replayed', 'true')
    if (droppedPath === req.path) {
      droppedPath = undefined
      req.socket.destroy()
    } else res.status(result.status).json(result.body)
  }

  function attempt(req: Request, body: Fields): { status: number; body: unknown } {
    try {
      if (req.get('authorization') !== `Bearer ${secretKey}`)
        throw new Refusal(401, { message: 'Invalid API Key provided.' })
      const parts = req.path.split('/').filter(Boolean).slice(1).map(decodeURIComponent)
      // As it is now: what is kept is not what later calls change.
      return { status: 200, body: structuredClone(perform(req.method, parts, body)) }
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: { error: error.body } }
      throw error
    }
  }

  const app = express()
  app.use(express.urlencoded({ extended: true }))
  app.use(answer)
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secretKey,
    publishableKey: 'pk_test_0123456789',
    seen,
    coupons,
    objects,
    setPayment: (paymentIntentId, fields) => Object.assign(find('payment_intent', paymentIntentId), fields),
    dropAnswerTo: (path) => {
      droppedPath = path
    },
  }
}
