import { sameText } from '#core/access/tokens.ts'
import type {
  ChargeResult,
  GatewayPayment,
  GatewayRefund,
  PaymentGateway,
  RefundResult,
} from '#core/ports/payment-gateway.ts'
import { callProvider, providerFault } from './call-provider.ts'
import { hostedPageForm, notificationHash } from './secure-trading-page.ts'
import { chargeResultOf, readRecords, readRefund } from './secure-trading-records.ts'

interface BaseUrls {
  /** The address of its web services. */
  webServices: string
  /** The page where buyers enter their card. */
  pages: string
}

/**
 * Secure Trading's hosted page: the buyer's browser posts a signed form there, and the outcome is queried by web services. The page
 * stays open for hours in any case, so an order that was cancelled is polled again (`poll-closed-pages`).
 */
export function makeSecureTradingGateway(baseUrls: BaseUrls, now: () => Date): PaymentGateway {
  const lookUp = (payment: GatewayPayment) => query(baseUrls.webServices, payment)

  return {
    lookUp,

    async begin(payment) {
      if (payment.reference) {
        // For a buyer who returns and orders again: after a charge the form is not shown a second time.
        const unanswered: ChargeResult = { state: 'pending', reference: payment.orderNumber, isOpen: false }
        const result = await lookUp(payment).catch(() => unanswered)
        if (result.state !== 'pending' || !result.isOpen) return result
      }
      return {
        state: 'requires-action',
        reference: payment.orderNumber,
        step: hostedPageForm(baseUrls.pages, payment, now()),
      }
    },

    async cancel(payment) {
      const result = await lookUp(payment)
      return result.state === 'pending' && result.isOpen ? { state: 'unknown' } : result
    },

    refund: (payment, refund) => makeRefund(baseUrls.webServices, payment, refund),

    async readEvent({ payee, body }) {
      const notification = new URLSearchParams(body)
      const { sitePass, ref } = payee
      const hash = notification.get('responsesitesecurity') ?? ''
      if (!sitePass || !sameText(hash.toLowerCase(), notificationHash(notification, sitePass))) return null
      if ((notification.get('sitereference') ?? ref) !== ref) return null
      const orderNumber = notification.get('orderreference')
      return {
        id: notification.get('notificationreference') ?? hash,
        type: `notification-${notification.get('errorcode') ?? ''}`,
        subject: orderNumber ? { orderNumber } : null,
      }
    },
  }
}

/** Queries every transaction with the order's number on the publisher's site. */
async function query(base: string, payment: GatewayPayment): Promise<ChargeResult> {
  const filter = { sitereference: [{ value: payment.payee.ref }], orderreference: [{ value: payment.orderNumber }] }
  return chargeResultOf(
    readRecords(await request(base, payment, { requesttypedescriptions: ['TRANSACTIONQUERY'], filter })),
    payment,
  )
}

/**
 * Secure Trading does not store our keys, and accepts the same refund twice: a refund that may already have been requested is looked up first, by
 * its amount, among the refunds that are not recorded here.
 */
async function makeRefund(base: string, payment: GatewayPayment, refund: GatewayRefund): Promise<RefundResult> {
  const result = await query(base, payment)
  if (result.state !== 'paid') return { state: 'failed', reference: null, reason: 'Secure Trading has no such payment' }
  const { refunds = [] } = result
  const existing =
    refunds.find(({ reference }) => reference === refund.reference) ??
    refunds.find(
      ({ reference, amount }) => amount === refund.money.amount && !refund.recordedRefundIds.includes(reference),
    )
  if (refund.isRepeat && existing) return existing
  return readRefund(
    await request(base, payment, {
      requesttypedescriptions: ['REFUND'],
      sitereference: payment.payee.ref,
      parenttransactionreference: result.reference,
      baseamount: String(refund.money.amount),
    }),
  )
}

async function request(base: string, { payee }: GatewayPayment, input: object): Promise<unknown> {
  const { user, pass } = payee
  const { status, json } = await callProvider({
    provider: 'Secure Trading',
    method: 'POST',
    url: `${base}/json/`,
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ alias: user, version: '1.00', request: [input] }),
    isOnce: 'parenttransactionreference' in input,
  })
  if (status !== 200) throw providerFault('Secure Trading', { status })
  return json
}
