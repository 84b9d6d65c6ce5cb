import { z } from 'zod'
import { mailProviderKeys, mailProviders } from '#core/bounces/mail-providers.ts'
import { receiveMailReport } from '#core/emails/receive-mail-report.ts'
import { receivePaymentEvent } from '#core/payments/receive-payment-event.ts'
import { receivePlanEvent } from '#core/plan-events/receive-plan-event.ts'
import { type ApiCall, type ApiTable, post } from './api-call.ts'

/** Webhooks of payment providers, at one address per publisher. Messages not signed with that publisher's secret are refused. */
function paymentWebhook(sender: string, name: string): ApiCall {
  return post({
    path: `/${sender}/{publisher}`,
    summary: `Signed messages from ${name} about a publisher's payments. Each only triggers a query to ${name}; a repeated one changes nothing.`,
    useCase: receivePaymentEvent,
    params: { publisher: { is: 'id', field: 'publisherId' } },
    isSigned: true,
    fixed: { sender },
    response: z.object({ received: z.literal(true) }),
  })
}

export const webhookApi: ApiTable = {
  prefix: 'webhooks',
  calls: [
    post({
      path: '/stripe',
      summary:
        "Signed messages from Stripe about publishers' plans, to the account of this installation. Each only triggers a query to Stripe; a repeated one changes nothing.",
      useCase: receivePlanEvent,
      isSigned: true,
      response: z.object({ received: z.literal(true) }),
    }),
    paymentWebhook('stripe', 'Stripe'),
    paymentWebhook('paypal', 'PayPal'),
    paymentWebhook('secure-trading', 'Secure Trading'),
    ...mailProviderKeys.map((provider) =>
      post({
        path: `/mail/${provider}`,
        summary: `Reports of ${mailProviders[provider].name} about emails that could not be delivered, and about complaints. Requests must be authenticated; a repeated report changes nothing.`,
        useCase: receiveMailReport,
        isSigned: true,
        fixed: { provider },
        response: z.object({ received: z.literal(true) }),
      }),
    ),
  ],
}
