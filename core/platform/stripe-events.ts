import type { PaymentEvent, PaymentGateway } from '#core/ports/payment-gateway.ts'
import type { PlanBilling, PlanEvent } from '#core/ports/plan-billing.ts'

/** How old a signature may be, as in Stripe's own library. */
const toleranceSeconds = 300

/** Stripe's signed messages to a publisher. Only the payment, card or mandate they refer to is read from them: everything else is queried. */
export const readStripeEvent: NonNullable<PaymentGateway['readEvent']> = async ({ payee, ...message }) => {
  const event = await signedEvent(payee.webhookSecret ?? null, message)
  return event && paymentEventOf(event)
}

/** Reads Stripe's signed messages to the platform about publishers' plans. */
export async function readStripePlanEvent(
  webhookSecret: string | null,
  message: Parameters<PlanBilling['readEvent']>[0],
): Promise<PlanEvent | null> {
  const event = await signedEvent(webhookSecret, message)
  return event && planEventOf(event)
}

type Expandable = string | { id: string } | null

interface SignedEvent {
  id: string
  type: string
  data?: {
    object?: {
      object?: string
      id?: string
      payment_intent?: Expandable
      invoice?: Expandable
      subscription?: Expandable
      customer?: Expandable
      /** For an invoice: its subscription. */
      parent?: { subscription_details?: { subscription?: Expandable } | null } | null
    }
  }
}

/** A message from its text and headers; null if it was not recently signed with this secret. */
async function signedEvent(
  secret: string | null,
  { body, headers, now }: Parameters<PlanBilling['readEvent']>[0],
): Promise<SignedEvent | null> {
  const signature = headers['stripe-signature']
  if (!secret || !signature) return null
  const { default: Stripe } = await import('stripe')
  try {
    const event: unknown = Stripe.webhooks.constructEvent(
      body,
      signature,
      secret,
      toleranceSeconds,
      undefined,
      now.getTime(),
    )
    return event as SignedEvent
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null
    throw error
  }
}

function paymentEventOf({ id, type, data }: SignedEvent): PaymentEvent {
  const object = data?.object ?? {}
  if (object.id && object.object === 'payment_method') return { id, type, subject: { method: object.id } }
  if (object.id && object.object === 'mandate') return { id, type, subject: { mandate: object.id } }
  // A payment, or an object that names one: a charge, a refund, a dispute.
  const reference = (object.object === 'payment_intent' ? object.id : null) ?? idOf(object.payment_intent)
  return { id, type, subject: reference ? { reference } : null }
}

function planEventOf({ id, type, data }: SignedEvent): PlanEvent {
  const object = data?.object ?? {}
  const idIf = (kind: string) => (object.object === kind ? (object.id ?? null) : null)
  return {
    id,
    type,
    about: {
      payment: idIf('payment_intent') ?? idOf(object.payment_intent),
      invoice: idIf('invoice') ?? idOf(object.invoice),
      subscription:
        idIf('subscription') ?? idOf(object.subscription) ?? idOf(object.parent?.subscription_details?.subscription),
      customer: idIf('customer') ?? idOf(object.customer),
    },
  }
}

function idOf(value: Expandable | undefined): string | null {
  return typeof value === 'object' ? (value?.id ?? null) : (value ?? null)
}
