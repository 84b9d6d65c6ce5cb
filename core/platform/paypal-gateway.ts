import { formatMinorUnits } from '#core/kernel/money.ts'
import { cutText } from '#core/kernel/text-format.ts'
import type {
  ChargeResult,
  GatewayPayment,
  GatewayRefund,
  PaymentGateway,
  RefundResult,
} from '#core/ports/payment-gateway.ts'
import { providerFault } from './call-provider.ts'
import { makePayPalClient, type PayPalClient } from './paypal-client.ts'
import { readPayPalEvent } from './paypal-event.ts'
import {
  agreedMoney,
  chargeResultOf,
  type PayPalOrder,
  readPayPalOrder,
  readPayPalRefund,
  refundCustomId,
  refundsAt,
  stageOf,
} from './paypal-order.ts'
import { payPalPages } from './provider-pages.ts'

/** PayPal's issue codes for a decline by the buyer's bank or card; any other refusal is an error to look into. */
const declines = new Set([
  'INSTRUMENT_DECLINED',
  'TRANSACTION_REFUSED',
  'PAYER_CANNOT_PAY',
  'PAYER_ACCOUNT_RESTRICTED',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
  'CARD_EXPIRED',
  'COMPLIANCE_VIOLATION',
])

/**
 * PayPal, Orders v2. The order is created here, the buyer approves it on PayPal's page, and the money is captured from here, once: approval
 * alone is not a payment. The first caller captures it (the return page, a webhook, the sweep); the others get the same answer.
 */
export function makePayPalGateway(apiBase: string, now: () => Date): PaymentGateway {
  const callPayPal = makePayPalClient(apiBase, now)
  const pages = payPalPages(apiBase)

  const gateway: PaymentGateway = {
    async begin(payment) {
      if (payment.reference) {
        const order = await findOrder(callPayPal, payment, payment.reference)
        if (!order) return { state: 'unknown' }
        if (stageOf(order) !== 'open') {
          const unanswered: ChargeResult = { state: 'pending', reference: order.id, isOpen: false }
          // It may just have been captured: only PayPal's response shows whether it was.
          return gateway.lookUp(payment).catch(() => unanswered)
        }
        return nextStep(order, pages)
      }
      return nextStep(await createOrder(callPayPal, payment), pages)
    },

    async lookUp(payment) {
      const order = await findOrder(callPayPal, payment, payment.reference)
      if (!order) return { state: 'unknown' }
      return stageOf(order) === 'approved' ? capture(callPayPal, payment, order) : chargeResultOf(order)
    },

    /** PayPal has no call to cancel an order, and needs none: what we do not capture is never paid. */
    async cancel(payment) {
      const order = await findOrder(callPayPal, payment, payment.reference)
      if (!order) return { state: 'unknown' }
      const result = chargeResultOf(order)
      return result.state === 'pending' && result.isOpen ? { state: 'unknown' } : result
    },

    refund: (payment, refund) => makeRefund(callPayPal, payment, refund),

    readEvent: (message) => readPayPalEvent(callPayPal, message),
  }
  return gateway
}

async function findOrder(
  callPayPal: PayPalClient,
  payment: GatewayPayment,
  id: string | null,
): Promise<PayPalOrder | null> {
  // Without an id no buyer was ever sent to a page to pay.
  if (!id) return null
  const { status, json } = await callPayPal({
    method: 'GET',
    path: `/v2/checkout/orders/${encodeURIComponent(id)}`,
    payee: payment.payee,
  })
  if (status === 404) return null
  if (status !== 200) throw refusal(status, json)
  return readPayPalOrder(json)
}

async function createOrder(callPayPal: PayPalClient, payment: GatewayPayment): Promise<PayPalOrder> {
  const { status, json } = await callPayPal({
    method: 'POST',
    path: '/v2/checkout/orders',
    payee: payment.payee,
    requestId: payment.idempotencyKey,
    body: JSON.stringify({
      intent: 'CAPTURE',
      purchase_units: [
        {
          reference_id: payment.orderNumber,
          custom_id: payment.orderNumber,
          // PayPal refuses a second payment under the same number as a duplicate.
          invoice_id: payment.orderNumber,
          description: cutText(payment.description, 127),
          amount: { currency_code: payment.money.currency, value: formatMinorUnits(payment.money.amount) },
        },
      ],
      payment_source: {
        paypal: {
          experience_context: {
            return_url: payment.returnUrl,
            cancel_url: payment.cancelUrl,
            user_action: 'PAY_NOW',
            // The address was entered on the order form.
            shipping_preference: 'NO_SHIPPING',
            payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
          },
        },
      },
    }),
  })
  if (status !== 200 && status !== 201) throw refusal(status, json)
  return readPayPalOrder(json)
}

/** Captures what the buyer has approved, if it is the order's own amount. */
async function capture(callPayPal: PayPalClient, payment: GatewayPayment, order: PayPalOrder): Promise<ChargeResult> {
  const agreed = agreedMoney(order)
  if (agreed && (agreed.amount !== payment.money.amount || agreed.currency !== payment.money.currency)) {
    throw providerFault('PayPal', {
      problem: 'the buyer agreed to another amount',
      order: payment.orderNumber,
      ...agreed,
    })
  }
  const { status, json } = await callPayPal({
    method: 'POST',
    path: `/v2/checkout/orders/${encodeURIComponent(order.id)}/capture`,
    payee: payment.payee,
    requestId: `${payment.idempotencyKey}-capture`,
    body: '{}',
  })
  if (status === 200 || status === 201) return chargeResultOf(readPayPalOrder(json))
  if (status === 404) return { state: 'unknown' }
  const issue = issueOf(json)
  if (declines.has(issue)) return { state: 'declined', reference: order.id, reason: issue }
  if (issue === 'ORDER_NOT_APPROVED' || issue === 'PAYER_ACTION_REQUIRED') {
    return { state: 'pending', reference: order.id, isOpen: true }
  }
  if (issue !== 'ORDER_ALREADY_CAPTURED') throw refusal(status, json)
  const capturedOrder = await findOrder(callPayPal, payment, order.id)
  return capturedOrder ? chargeResultOf(capturedOrder) : { state: 'unknown' }
}

/** PayPal refunds a capture, and stores a request's id for some weeks: a refund that may already have been requested is looked up first. */
async function makeRefund(
  callPayPal: PayPalClient,
  payment: GatewayPayment,
  refund: GatewayRefund,
): Promise<RefundResult> {
  const order =
    payment.chargeReference && !refund.isRepeat ? null : await findOrder(callPayPal, payment, payment.reference)
  const existing = order && refundsAt(order).find(({ idempotencyKey }) => idempotencyKey === refund.idempotencyKey)
  if (existing) return existing
  const charge = order && chargeResultOf(order)
  const captureId = payment.chargeReference ?? (charge?.state === 'paid' ? charge.chargeReference : null)
  if (!captureId) return { state: 'failed', reference: null, reason: 'PayPal has no record of this payment' }
  const { status, json } = await callPayPal({
    method: 'POST',
    path: `/v2/payments/captures/${encodeURIComponent(captureId)}/refund`,
    payee: payment.payee,
    requestId: refund.idempotencyKey,
    body: JSON.stringify({
      amount: { currency_code: refund.money.currency, value: formatMinorUnits(refund.money.amount) },
      custom_id: refundCustomId(payment.orderNumber, refund.idempotencyKey),
      ...(refund.reason ? { note_to_payer: cutText(refund.reason, 255) } : {}),
    }),
  })
  if (status === 200 || status === 201) return readPayPalRefund(json)
  if (status !== 404 && status !== 422) throw refusal(status, json)
  const issue = issueOf(json)
  return {
    state: 'failed',
    reference: null,
    reason: `PayPal: ${(issue || 'not found').replaceAll('_', ' ').toLowerCase()}`,
  }
}

/** Sends the buyer to PayPal's own pages, and to no other address that a response might name. */
function nextStep(order: PayPalOrder, pages: string) {
  const link = order.links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href ?? ''
  if (!URL.canParse(link) || new URL(link).origin !== pages) {
    throw providerFault('PayPal', { problem: 'no address to send the buyer to', status: order.status })
  }
  return { state: 'requires-action' as const, reference: order.id, step: { kind: 'go' as const, url: link } }
}

function issueOf(json: unknown): string {
  const { details } = (json ?? {}) as { details?: { issue?: unknown }[] }
  return String(details?.[0]?.issue ?? '')
}

function refusal(status: number, json: unknown) {
  const { name, debug_id: debugId } = (json ?? {}) as { name?: unknown; debug_id?: unknown }
  return providerFault('PayPal', { status, name, issue: issueOf(json), debugId })
}
