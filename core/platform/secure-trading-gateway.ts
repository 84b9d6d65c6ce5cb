import { sameText } from '#core/access/tokens.ts'
import type { ChargeAnswer, PaymentAsk, PaymentGateway } from '#core/ports/payment-gateway.ts'
import { callProvider, providerFault } from './call-provider.ts'
import { hostedPageForm, notificationHash } from './secure-trading-page.ts'
import { readRecords, recordsAnswer } from './secure-trading-records.ts'

interface Places {
  /** Where its web services are asked. */
  webServices: string
  /** Where buyers type their card. */
  pages: string
}

/**
 * Secure Trading's hosted page: the buyer's browser takes a signed form there, and what became of it is asked by web services. The page
 * stays open for hours whether or not anybody still wants it, so an order that was let go is asked after once more (`ask-closed-pages`).
 */
export function makeSecureTradingGateway(places: Places, now: () => Date): PaymentGateway {
  const lookUp = (ask: PaymentAsk) => query(places.webServices, ask)

  return {
    lookUp,

    async begin(ask) {
      if (ask.reference) {
        // Back from the page and ordering again: a card that was charged is not shown the form a second time.
        const silent: ChargeAnswer = { state: 'pending', reference: ask.orderNumber, isOpen: false }
        const answer = await lookUp(ask).catch(() => silent)
        if (answer.state !== 'pending' || !answer.isOpen) return answer
      }
      return { state: 'next', reference: ask.orderNumber, step: hostedPageForm(places.pages, ask, now()) }
    },

    async cancel(ask) {
      const answer = await lookUp(ask)
      return answer.state === 'pending' && answer.isOpen ? { state: 'unknown' } : answer
    },

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
        about: orderNumber ? { orderNumber } : null,
      }
    },
  }
}

/** Asks for every transaction with the order's number on the publisher's site. */
async function query(base: string, ask: PaymentAsk): Promise<ChargeAnswer> {
  const { user, pass, ref } = ask.payee
  const { status, json } = await callProvider({
    provider: 'Secure Trading',
    method: 'POST',
    url: `${base}/json/`,
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      alias: user,
      version: '1.00',
      request: [
        {
          requesttypedescriptions: ['TRANSACTIONQUERY'],
          filter: { sitereference: [{ value: ref }], orderreference: [{ value: ask.orderNumber }] },
        },
      ],
    }),
  })
  if (status !== 200) throw providerFault('Secure Trading', { status })
  return recordsAnswer(readRecords(json), ask)
}
