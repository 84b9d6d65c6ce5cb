import type Stripe from 'stripe'
import type { ChargeResult, DeclinedResult, GatewayPayment, RefusedKeys } from '#core/ports/payment-gateway.ts'
import { idOf, type StripeMethod, withCharge } from './stripe-charge-result.ts'
import { failureDetail, isRefusedAccount, stripeCode } from './stripe-client.ts'
import { readDecline, requiresBuyer } from './stripe-declines.rules.ts'

/** The decline for a renewal that Stripe refuses before any charge. */
const refusedRenewal = (reference: string, code: string, message: string): DeclinedResult => ({
  state: 'declined',
  reference,
  ...readDecline({ code, message }),
})

/**
 * Creates the payment of a renewal without confirming it. The card is passed when it is charged, so that the same key always comes with the
 * same parameters, whatever card the buyer has entered since. `setup_future_usage` would prevent charging without the buyer.
 */
export function createRenewalIntent(
  stripe: Stripe,
  method: StripeMethod,
  payment: GatewayPayment,
): Promise<Stripe.PaymentIntent> {
  const { customerReference } = payment.storedMethod ?? {}
  return stripe.paymentIntents.create(
    {
      amount: payment.money.amount,
      currency: payment.money.currency.toLowerCase(),
      allowed_payment_method_types: [method],
      description: payment.description,
      metadata: { orderNumber: payment.orderNumber, publication: String(payment.publicationId) },
      ...(customerReference ? { customer: customerReference } : {}),
    },
    { idempotencyKey: `order-${payment.idempotencyKey}-payment` },
  )
}

/** Creates the payment of a renewal and returns its id; a refusal is a decline, unless Stripe refuses the account. */
export async function prepareStripeRenewal(
  stripe: Stripe,
  method: StripeMethod,
  payment: GatewayPayment,
): Promise<string | DeclinedResult | RefusedKeys> {
  if (!payment.storedMethod?.customerReference || !payment.storedMethod.methodReference) {
    return refusedRenewal('', 'payment_method_missing', 'No payment method for this renewal is stored at Stripe')
  }
  try {
    return (await createRenewalIntent(stripe, method, payment)).id
  } catch (error) {
    if (isRefusedAccount(error)) return { state: 'keys-refused', detail: failureDetail(error) }
    if (typeOf(error) !== 'StripeInvalidRequestError') throw error
    return refusedRenewal('', stripeCode(error) ?? 'invalid_request', messageOf(error))
  }
}

/**
 * Confirms a renewal's payment without the buyer. Returns the payment's state afterwards, or Stripe's refusal of a payment that was not
 * charged. A decline is a result; a failure with an unknown effect is thrown.
 */
export async function confirmStripeRenewal(
  stripe: Stripe,
  payment: GatewayPayment,
  reference: string,
): Promise<Stripe.PaymentIntent | { intent: Stripe.PaymentIntent; refused: DeclinedResult }> {
  const { methodReference, mandateReference } = payment.storedMethod ?? {}
  try {
    return await stripe.paymentIntents.confirm(
      reference,
      {
        off_session: true,
        ...(methodReference ? { payment_method: methodReference } : {}),
        ...(mandateReference ? { mandate: mandateReference } : {}),
        ...withCharge,
      },
      { idempotencyKey: `order-${payment.idempotencyKey}-confirm` },
    )
  } catch (error) {
    if (!['StripeCardError', 'StripeInvalidRequestError'].includes(typeOf(error))) throw error
    const intent = await stripe.paymentIntents.retrieve(reference, withCharge)
    if (!isNeverAttempted(intent)) return intent
    return { intent, refused: refusedRenewal(reference, stripeCode(error) ?? 'invalid_request', messageOf(error)) }
  }
}

/** Whether no charge of a payment has been attempted yet. */
export function isNeverAttempted({ status, last_payment_error: error }: Stripe.PaymentIntent): boolean {
  return !error && (status === 'requires_confirmation' || status === 'requires_payment_method')
}

/** The state of a renewal's unpaid payment; null if it is paid or in progress. */
export function unpaidRenewal(intent: Stripe.PaymentIntent): ChargeResult | null {
  const { id: reference, status, last_payment_error: error } = intent
  if (!unpaidStatuses.includes(status)) return null
  const decline = error && !isMarkedForBuyer(intent) ? error : null
  // A declined payment is cancelled, and keeps the reason.
  if (decline && !requiresBuyer(decline)) return { state: 'declined', reference, ...readDecline(decline) }
  if (status === 'canceled') return { state: 'unknown' }
  const needsBuyer = decline !== null || status === 'requires_action' || isMarkedForBuyer(intent)
  return { state: 'pending', reference, isOpen: true, ...(needsBuyer ? { needsBuyer } : {}) }
}

const unpaidStatuses: readonly string[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'canceled',
]

/** The card that the bank requires the buyer to confirm. A charge without the buyer leaves it only in the payment's error. */
export function attemptedCard({
  last_payment_error: error,
  payment_method: method,
}: Stripe.PaymentIntent): string | null {
  return error?.payment_method?.id ?? idOf(method)
}

const buyerMark = 'leftTo'

const isMarkedForBuyer = ({ metadata }: Stripe.PaymentIntent): boolean => metadata?.[buyerMark] === 'buyer'

/**
 * Leaves a payment to its buyer: a refused card no longer declines the renewal, and the card that they pay
 * with is stored for the next one.
 */
export async function markForBuyer(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<void> {
  if (isMarkedForBuyer(intent) || intent.status !== 'requires_payment_method') return
  await stripe.paymentIntents
    .update(intent.id, { metadata: { [buyerMark]: 'buyer' }, setup_future_usage: 'off_session' })
    .catch((error: unknown) => {
      // It was paid concurrently.
      if (stripeCode(error) !== 'payment_intent_unexpected_state') throw error
    })
}

function typeOf(error: unknown): string {
  return String((error as { type?: unknown }).type)
}

function messageOf(error: unknown): string {
  return String((error as { message?: unknown }).message ?? 'Stripe refused the payment')
}
