import { z } from 'zod'
import type { PlacedOrder } from '#core/orders/order-once.ts'
import type { PaymentStep } from '#core/ports/payment-gateway.ts'
import { WireAmount, WireCurrency, wireAmount } from './wire-values.ts'

/** The payment methods by their numbers in the specification. Our own names are accepted, too. */
export const paymentNumbers: Record<string, string> = { '1': 'paypal', '2': 'stripe-card', '3': 'stripe-bacs' }

const publishableKey = z.string().describe("The publisher's own, for Stripe's script")

/** The step that the buyer's browser has to take to pay. */
export const WireStep = z
  .union([
    z.object({
      kind: z.literal('confirm').describe("Confirm with Stripe's script"),
      client_secret: z.string(),
      publishable_key: publishableKey,
      direct_debit: z.boolean(),
    }),
    z.object({ kind: z.literal('go').describe("Go to the provider's page"), url: z.string() }),
    z.object({
      kind: z.literal('post').describe("Post the fields to the provider's page"),
      url: z.string(),
      fields: z.array(z.object({ name: z.string(), value: z.string() })),
    }),
  ])
  .nullable()
  .describe('null where nothing is left to do')

export function wireStep(step: PaymentStep | null): z.input<typeof WireStep> {
  if (step?.kind !== 'confirm') return step
  const { kind, clientSecret, publishableKey: key, isDirectDebit } = step
  return { kind, client_secret: clientSecret, publishable_key: key, direct_debit: isDirectDebit }
}

/** The payment of a pending order: what Stripe's script needs to confirm it. */
export const WirePaymentIntent = z.object({
  client_secret: z.string().nullable().describe('null where nothing more is to be paid'),
  publishable_key: publishableKey.nullable(),
  orderNumber: z.string(),
  key: z.string().describe('Opens /ordersuccess and cancelOrder together with the number'),
  amount: WireAmount.describe("The server's own; one that is sent, in minor units, is compared with it"),
  currency: WireCurrency,
})

export function wirePaymentIntent(order: PlacedOrder): z.input<typeof WirePaymentIntent> {
  const step = order.next?.kind === 'confirm' ? order.next : null
  return {
    client_secret: step?.clientSecret ?? null,
    publishable_key: step?.publishableKey ?? null,
    orderNumber: order.orderNumber,
    key: order.key,
    amount: wireAmount(order.amount),
    currency: order.currency,
  }
}
