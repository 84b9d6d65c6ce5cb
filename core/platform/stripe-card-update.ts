import type Stripe from 'stripe'
import { AppError } from '#core/kernel/errors.ts'
import type { CardUpdate, PayeeValues } from '#core/ports/payment-gateway.ts'
import { askStripeFor } from './stripe-client.ts'

/** Another card for a customer's renewals, without a payment: Stripe's SetupIntent. */
export function makeStripeCardUpdate(open: (payee: PayeeValues) => Promise<Stripe>): CardUpdate {
  return {
    begin: ({ payee, customerReference, agreementId }) =>
      askStripeFor(async () => {
        const stripe = await open(payee)
        const setup = await stripe.setupIntents.create({
          customer: customerReference,
          usage: 'off_session',
          allowed_payment_method_types: ['card'],
          metadata: { agreement: String(agreementId) },
        })
        const publishableKey = payee.publishableKey
        if (!setup.client_secret || !publishableKey) throw new AppError('upstream', 'The card cannot be changed')
        return { reference: setup.id, clientSecret: setup.client_secret, publishableKey }
      }),

    finish: ({ payee, reference, customerReference, agreementId }) =>
      askStripeFor(async () => {
        const stripe = await open(payee)
        const setup = await stripe.setupIntents.retrieve(reference)
        const isTheirs =
          setup.customer === customerReference &&
          setup.metadata?.agreement === String(agreementId) &&
          setup.status === 'succeeded'
        return isTheirs && typeof setup.payment_method === 'string' ? setup.payment_method : null
      }),
  }
}
