import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express, { type Request, type Response } from 'express'
import { type FaultyResponses, faultyResponses } from './faulty-responses.ts'
import { atFileEnd } from './file-end.ts'
import { payPalPage } from './paypal-page.ts'

interface Amount {
  currency_code: string
  value: string
}

export interface FakeOrder {
  id: string
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED'
  unit: Record<string, unknown> & { amount: Amount; custom_id: string }
  returnUrl: string
  cancelUrl: string
  captures: { id: string; status: string; amount: Amount; custom_id: string }[]
  refunds: { id: string; status: string; amount: Amount; custom_id?: string; note_to_payer?: string }[]
}

export interface PayPalServer extends Omit<FaultyResponses, 'handler'> {
  url: string
  keys: { payPalString: string; secret: string; webhookId: string }
  /** Every call of the API, the newest last, as "POST /v2/checkout/orders". */
  requests: string[]
  orders: Map<string, FakeOrder>
  /** The order with one of our numbers; throws where there is none. */
  orderOf(orderNumber: string): FakeOrder
  /** The buyer's actions on PayPal's page. */
  approve(orderNumber: string): void
  /** The result of captures from now on: COMPLETED, PENDING, or an issue such as INSTRUMENT_DECLINED. */
  captureAs(outcome: string): void
  /** The result of refunds from now on: COMPLETED or PENDING. */
  refundAs(outcome: string): void
  /** The publisher's actions at PayPal. */
  refund(orderNumber: string, value: string): void
  /** Captures another amount than was approved. */
  captureAmount(value: string | null): void
  /** A webhook as PayPal sends it: the body, and headers that its verification call confirms. */
  event(type: string, orderNumber: string): { body: string; headers: Record<string, string> }
  /** The same about a dispute, which names only the capture. */
  disputeEvent(type: string, orderNumber: string): { body: string; headers: Record<string, string> }
}

/** A PayPal to test against: OAuth, Orders v2 with request ids, a page for the buyer, captures, and webhooks that can be verified. */
export async function startPayPalServer(): Promise<PayPalServer> {
  const keys = {
    payPalString: `AZ-${randomBytes(12).toString('hex')}`,
    secret: `EF-${randomBytes(12).toString('hex')}`,
    webhookId: 'WH0123456789ABCDE',
  }
  const token = `A21-${randomBytes(8).toString('hex')}`
  const signer = randomBytes(16)
  const orders = new Map<string, FakeOrder>()
  const answers = new Map<string, { status: number; body: unknown }>()
  const requests: string[] = []
  const faults = faultyResponses()
  let outcome = 'COMPLETED'
  let otherAmount: string | null = null
  let refundOutcome = 'COMPLETED'

  const app = express()
  app.use(express.text({ type: 'application/json' }), express.urlencoded({ extended: false }), (request, _, next) => {
    requests.push(`${request.method} ${request.path}`)
    next()
  })
  app.use(faults.handler)
  app.post('/v1/oauth2/token', (request, response) => {
    const basic = `Basic ${Buffer.from(`${keys.payPalString}:${keys.secret}`).toString('base64')}`
    const isRight = request.headers.authorization === basic && request.body.grant_type === 'client_credentials'
    if (!isRight) return void response.status(401).json({ error: 'invalid_client' })
    response.json({ access_token: token, token_type: 'Bearer', expires_in: 32_400 })
  })
  app.use(payPalPage(orders))
  app.use((request, response, next) => {
    if (request.headers.authorization === `Bearer ${token}`) return next()
    response.status(401).json({ name: 'AUTHENTICATION_FAILURE' })
  })

  /** Calls are idempotent by request id: a repeated one returns the first response, except for faults. */
  const idempotent =
    (action: (request: Request) => { status: number; body: unknown }) => (request: Request, response: Response) => {
      const id = request.get('paypal-request-id')
      if (!id) return void response.status(400).json({ details: [{ issue: 'PAYPAL_REQUEST_ID_REQUIRED' }] })
      const answer = answers.get(id) ?? action(request)
      answers.set(id, answer)
      response.status(answer.status).json(answer.body)
    }
  app.post(
    '/v2/checkout/orders',
    idempotent((request) => {
      const { intent, purchase_units: units, payment_source: source } = JSON.parse(request.body)
      const { return_url: returnUrl, cancel_url: cancelUrl } = source.paypal.experience_context
      const [unit] = units
      if (intent !== 'CAPTURE' || units.length !== 1 || !/^\d+\.\d\d$/.test(unit.amount.value)) {
        return { status: 400, body: { name: 'INVALID_REQUEST', details: [{ issue: 'INVALID_PARAMETER_SYNTAX' }] } }
      }
      const id = randomBytes(8).toString('hex').toUpperCase()
      orders.set(id, { id, status: 'PAYER_ACTION_REQUIRED', unit, returnUrl, cancelUrl, captures: [], refunds: [] })
      return { status: 200, body: bodyOf(id) }
    }),
  )
  app.get('/v2/checkout/orders/:id', (request, response) => {
    const { id } = request.params
    if (!orders.has(id)) return void response.status(404).json({ name: 'RESOURCE_NOT_FOUND' })
    response.json(bodyOf(id))
  })
  app.post('/v2/checkout/orders/:id/capture', idempotent(capture))
  app.post('/v2/payments/captures/:id/refund', idempotent(refund))
  app.post('/v1/notifications/verify-webhook-signature', (request, response) => {
    const raw = String(request.body)
    const event = raw.slice(raw.indexOf('"webhook_event":') + '"webhook_event":'.length, -1)
    const claim = JSON.parse(raw)
    const signature = signatureOf(claim.transmission_id, claim.transmission_time, event)
    const isRight = claim.webhook_id === keys.webhookId && claim.transmission_sig === signature
    response.json({ verification_status: isRight ? 'SUCCESS' : 'FAILURE' })
  })

  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  atFileEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  function capture(request: Request) {
    const order = orders.get(String(request.params.id))
    if (!order) return { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } }
    const refused = (issue: string) => ({ status: 422, body: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue }] } })
    if (order.status === 'COMPLETED') return refused('ORDER_ALREADY_CAPTURED')
    if (order.status !== 'APPROVED') return refused('ORDER_NOT_APPROVED')
    if (outcome !== 'COMPLETED' && outcome !== 'PENDING') return refused(outcome)
    const { amount, custom_id } = order.unit
    const value = otherAmount ?? amount.value
    order.captures.push({ id: `C-${order.id}`, status: outcome, amount: { ...amount, value }, custom_id })
    order.status = 'COMPLETED'
    return { status: 201, body: bodyOf(order.id) }
  }

  function refund(request: Request) {
    const order = [...orders.values()].find(({ captures }) => captures.some(({ id }) => id === request.params.id))
    if (!order) return { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } }
    const { amount, ...otherFields } = JSON.parse(request.body) as FakeOrder['refunds'][number]
    const added = addRefund(order, amount, otherFields)
    const details = [{ issue: 'REFUND_AMOUNT_EXCEEDED' }]
    return added ? { status: 201, body: added } : { status: 422, body: { name: 'UNPROCESSABLE_ENTITY', details } }
  }

  function addRefund(
    order: FakeOrder,
    amount: Amount,
    otherFields: { custom_id?: string; note_to_payer?: string } = {},
  ) {
    const [capture] = order.captures
    const sum = order.refunds.reduce((total, { amount: { value } }) => total + Number(value), Number(amount.value))
    if (!capture || sum > Number(capture.amount.value) + 0.001) return null
    const added = {
      id: `R-${randomBytes(6).toString('hex')}`,
      status: refundOutcome,
      amount,
      ...otherFields,
    }
    order.refunds.push(added)
    capture.status = sum > Number(capture.amount.value) - 0.001 ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    return added
  }

  function bodyOf(id: string) {
    const order = orders.get(id) as FakeOrder
    return {
      id,
      intent: 'CAPTURE',
      status: order.status,
      purchase_units: [
        {
          ...order.unit,
          ...(order.captures.length ? { payments: { captures: order.captures, refunds: order.refunds } } : {}),
        },
      ],
      links: [
        { rel: 'self', href: `${url}/v2/checkout/orders/${id}`, method: 'GET' },
        ...(order.status === 'PAYER_ACTION_REQUIRED'
          ? [{ rel: 'payer-action', href: `${url}/checkoutnow?token=${id}`, method: 'GET' }]
          : []),
      ],
    }
  }

  function signatureOf(transmission: string, time: string, body: string): string {
    const digest = createHash('sha256').update(body).digest('hex')
    return createHmac('sha256', signer).update(`${transmission}|${time}|${keys.webhookId}|${digest}`).digest('base64')
  }

  function orderOf(orderNumber: string): FakeOrder {
    const order = [...orders.values()].findLast(({ unit }) => unit.custom_id === orderNumber)
    if (!order) throw new Error(`PayPal has no order ${orderNumber}`)
    return order
  }

  return {
    ...faults,
    url,
    keys,
    requests,
    orders,
    orderOf,
    approve(orderNumber) {
      orderOf(orderNumber).status = 'APPROVED'
    },
    captureAs(status) {
      outcome = status
    },
    refundAs(status) {
      refundOutcome = status
    },
    refund(orderNumber, value) {
      const order = orderOf(orderNumber)
      const currency_code = order.captures[0]?.amount.currency_code ?? ''
      addRefund(order, { currency_code, value }, { custom_id: orderNumber })
    },
    captureAmount(value) {
      otherAmount = value
    },
    event(type, orderNumber) {
      const order = orderOf(orderNumber)
      const resource = type.startsWith('CHECKOUT.ORDER.')
        ? bodyOf(order.id)
        : { ...order.captures[0], supplementary_data: { related_ids: { order_id: order.id } } }
      return signed(type, resource)
    },
    disputeEvent(type, orderNumber) {
      const disputed = orderOf(orderNumber).captures.map(({ id }) => ({ seller_transaction_id: id }))
      return signed(type, { dispute_id: `PP-D-${randomBytes(3).toString('hex')}`, disputed_transactions: disputed })
    },
  }

  function signed(type: string, resource: object) {
    // Formatted as PayPal formats it: the signature covers this exact text.
    const body = JSON.stringify({ id: `WH-${randomBytes(6).toString('hex')}`, event_type: type, resource }, null, 1)
    const transmission = randomBytes(8).toString('hex')
    const time = new Date().toISOString()
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': `${url}/certs/cert.pem`,
        'paypal-transmission-id': transmission,
        'paypal-transmission-sig': signatureOf(transmission, time, body),
        'paypal-transmission-time': time,
      },
    }
  }
}
