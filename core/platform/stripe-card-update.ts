import type Stripe from 'stripe'
import { AppError } from '#core/kernel/errors.ts'
import type { CardUpdate, PayeeValues, StoredCard } from '#core/ports/payment-gateway.ts'
import { lastDayOf } from './stripe-charge-result.ts'
import { callStripe } from './stripe-client.ts'

/** Replaces the card of a customer's renewals, without a payment: Stripe's SetupIntent. */
export function makeStripeCardUpdate(open: (payee: PayeeValues) => Promise<Stripe>): CardUpdate {
  return {
    begin: ({ payee, customerReference, agreementId }) =>
      callStripe(async () => {
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
      callStripe(async () => {
        const stripe = await open(payee)
        const setup = await stripe.setupIntents.retrieve(reference, { expand: ['payment_method'] })
        const isTheirs =
          setup.customer === customerReference &&
          setup.metadata?.agreement === String(agreementId) &&
          setup.status === 'succeeded'
        return isTheirs ? cardOf(setup.payment_method) : null
      }),
  }
}

/** An expanded payment method, as a card. */
function cardOf(method: string | Stripe.PaymentMethod | null): StoredCard | null {
  if (method === null || typeof method === 'string' || !method.card) return null
  const { last4, exp_year: year, exp_month: month } = method.card
  return { method: method.id, lastFour: last4, expiresOn: year && month ? lastDayOf(year, month) : null }
}
