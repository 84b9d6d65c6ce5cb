import { z } from 'zod'
import { topBarFigures } from '#core/analytics/top-bar.query.ts'
import { exportOrders } from '#core/ledger/export-orders.ts'
import { orderChoiceNames } from '#core/ledger/order-choices.rules.ts'
import { cancelOrder } from '#core/orders/cancel-order.ts'
import { listCopiesToPost } from '#core/orders/copies-to-post.query.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { listOrders } from '#core/orders/list-orders.query.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { postCopies } from '#core/orders/post-copies.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { testCall } from '#core/orders/test-call.query.ts'
import { type ApiTable, get, post } from './api-call.ts'
import {
  backIssueOrderBody,
  orderBody,
  orderBodyWithoutPayment,
  paymentIntentBody,
  WireHostedOrder,
  WireLedgerRow,
  WireOrder,
  WireOrderToPost,
  WirePlacedOrder,
  WireRefund,
  wireHostedOrder,
  wireLedgerRow,
  wireOrder,
  wireOrderToPost,
  wirePlacedOrder,
  wireRefund,
} from './order.wire.ts'
import { paymentNumbers, WirePaymentIntent, wirePaymentIntent } from './payment.wire.ts'
import { pageQuery, pagesQuery, WireAmount, WireCurrency, wireAmount, wirePage } from './wire-values.ts'

/** Filters of the orders and the ledger day: days as DD/MM/YYYY or YYYY-MM-DD. */
const ledgerQuery = {
  publicationId: 'publicationId',
  from: 'from',
  until: 'until',
  by: 'by',
  asOf: 'asOf',
  ...Object.fromEntries(orderChoiceNames.map((name) => [name, name])),
}

/** A key from a browser is ignored: the publisher's own is used. So is an amount where the specification has none: its unit is not known. */
const keyFields = ['secret_key', 'secretKey']
const untrustedFields = [...keyFields, 'amount']

export const orderApi: ApiTable = {
  prefix: 'order',
  calls: [
    post({
      path: '/createOrder',
      summary:
        'Buy a subscription. The same idempotencyKey sent again gives the same order and charges nothing twice. With a paymentIntentId it returns the order of that payment once Stripe confirms it.',
      useCase: placeOrder,
      body: orderBody,
      ignored: untrustedFields,
      values: { payment: paymentNumbers },
      response: WirePlacedOrder,
      toResponse: wirePlacedOrder,
      status: 201,
      extraStatuses: [402, 404, 409, 410],
    }),
    post({
      path: '/createSTOrder',
      summary:
        "Buy a subscription through Secure Trading: returns the form that takes the buyer's browser to its hosted page. The order is paid when Secure Trading confirms it to the server.",
      useCase: placeOrder,
      body: orderBodyWithoutPayment,
      fixed: { payment: { provider: 'secure-trading', details: {} } },
      response: WireHostedOrder,
      toResponse: wireHostedOrder,
      status: 201,
      extraStatuses: [402, 404, 409, 410],
    }),
    post({
      path: '/createBackIssueOrder',
      summary:
        'Buy one copy of each listed back issue. The same idempotencyKey sent again gives the same order and charges nothing twice.',
      useCase: placeBackIssueOrder,
      body: backIssueOrderBody,
      ignored: untrustedFields,
      values: { payment: paymentNumbers },
      response: WirePlacedOrder,
      toResponse: wirePlacedOrder,
      status: 201,
      extraStatuses: [402, 404, 409, 410],
    }),
    ...(['card', 'bacs'] as const).map((method) =>
      post({
        path: `/paymentintent/${method}/`,
        summary: `Begin an order of a subscription that is paid by ${method === 'card' ? 'card or wallet' : 'direct debit'}: it is pending, and Stripe's script confirms it with the client secret. For back issues use createBackIssueOrder.`,
        useCase: placeOrder,
        body: paymentIntentBody,
        ignored: keyFields,
        fixed: { payment: { provider: `stripe-${method}`, details: {} } },
        response: WirePaymentIntent,
        toResponse: wirePaymentIntent,
        status: 201,
        extraStatuses: [402, 404, 409, 410],
      }),
    ),
    post({
      path: '/cancelOrder',
      summary:
        'Cancel a pending order, at its payment provider first; an order that was paid in the meantime stays paid.',
      useCase: cancelOrder,
      body: { orderNumber: 'orderNumber', key: 'key' },
      response: z.object({ orderNumber: z.string(), state: z.string() }),
      extraStatuses: [404],
    }),
    get({
      path: '/allorders/{publisherId}',
      summary: "The logged-in publisher's sales ledger, newest orders first",
      useCase: listOrders,
      params: { publisherId: { is: 'own' } },
      query: { ...pageQuery, ...ledgerQuery },
      response: wirePage(WireLedgerRow),
      toResponse: (page) => ({ ...page, rows: page.rows.map(wireLedgerRow) }),
    }),
    get({
      path: '/downloadallorders',
      summary:
        "The logged-in publisher's sales ledger as a CSV, newest orders first: all of it, or the orders that match the filters",
      useCase: exportOrders,
      query: { q: 'q', ...ledgerQuery },
      response: 'csv',
      toResponse: ({ fileName, chunks }) => ({ fileName, chunks }),
    }),
    get({
      path: '/order/{id}',
      summary: "One of the logged-in publisher's orders",
      useCase: getOrder,
      params: { id: { is: 'id', field: 'id' } },
      response: WireOrder,
      toResponse: wireOrder,
    }),
    post({
      path: '/refund/{id}',
      summary:
        "Refund one of the logged-in publisher's orders: whole, its unserved months, or an amount. The same key sent again is the same refund. If the provider does not respond, the refund stays planned and is retried until it does.",
      useCase: refundOrder,
      params: { id: { is: 'id', field: 'id' } },
      body: { scope: 'scope', amount: 'amount', reason: 'reason', method: 'method', way: 'way', key: 'key' },
      response: WireRefund,
      toResponse: wireRefund,
      status: 201,
      extraStatuses: [404, 409],
    }),
    get({
      path: '/topost',
      summary: "The logged-in publisher's orders of back issues whose copies are to be posted, the oldest first",
      useCase: listCopiesToPost,
      // No sort or filter: the order is fixed, and all listed copies are to be posted.
      query: pagesQuery,
      response: wirePage(WireOrderToPost),
      toResponse: (page) => ({ ...page, rows: page.rows.map(wireOrderToPost) }),
    }),
    post({
      path: '/posted',
      summary:
        'Mark the copies of these back-issue orders as posted today: their price is earned, and they never go back into stock. Repeating it changes nothing.',
      useCase: postCopies,
      body: { orderIds: 'orderIds' },
      response: z.object({ posted: z.int().describe('How many were newly marked') }),
      extraStatuses: [404, 409],
    }),
    get({
      path: '/totalorders/{id}',
      summary: "What the logged-in publisher's orders in pounds add up to",
      useCase: topBarFigures,
      params: { id: { is: 'own' } },
      response: z.object({ total: WireAmount, currency: WireCurrency }),
      toResponse: ({ orders }) => ({ total: wireAmount(orders.amount), currency: orders.currency }),
    }),
    post({
      path: '/testst',
      summary: 'Tests the connection during development: returns the time. Not available in production.',
      useCase: testCall,
      response: z.object({ data: z.literal('success'), at: z.iso.datetime() }),
      toResponse: ({ at }) => ({ data: 'success', at: at.toISOString() }),
      extraStatuses: [404],
    }),
  ],
}
