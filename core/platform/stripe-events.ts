import type { PaymentEvent, PaymentGateway } from '#core/ports/payment-gateway.ts'

/** How old a signature may be, as Stripe's own library has it. */
const toleranceSeconds = 300

/** Stripe's signed messages. Of what is in them only the payment, card or mandate they are about is looked at: everything else is asked for. */
export const readStripeEvent: NonNullable<PaymentGateway['readEvent']> = async ({ payee, body, headers, now }) => {
  const signature = headers['stripe-signature']
  if (!payee.webhookSecret || !signature) return null
  const { default: Stripe } = await import('stripe')
  try {
    const event: unknown = Stripe.webhooks.constructEvent(
      body,
      signature,
      payee.webhookSecret,
      toleranceSeconds,
      undefined,
      now.getTime(),
    )
    return eventOf(event as SignedEvent)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null
    throw error
  }
}

interface SignedEvent {
  id: string
  type: string
  data?: { object?: { object?: string; id?: string; payment_intent?: string | { id: string } | null } }
}

function eventOf({ id, type, data }: SignedEvent): PaymentEvent {
  const object = data?.object ?? {}
  if (object.id && object.object === 'payment_method') return { id, type, about: { method: object.id } }
  if (object.id && object.object === 'mandate') return { id, type, about: { mandate: object.id } }
  const intent = object.payment_intent
  // A payment itself, or what belongs to one: a charge, a refund, a dispute.
  const reference =
    object.object === 'payment_intent' ? object.id : typeof intent === 'object' && intent ? intent.id : intent
  return { id, type, about: reference ? { reference } : null }
}
