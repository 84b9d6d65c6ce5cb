import type { AppContext } from '../context.ts'
import { AppError, isAppError } from '../kernel/errors.ts'
import type { OrderState } from '../kernel/order-state.ts'
import type { ChargeResult, GatewayPayment, PaymentStep } from '../ports/payment-gateway.ts'
import { gatewayPayment } from './gateway-payment.ts'
import { Payments } from './payments.rows.ts'
import { settleOrder } from './settle-order.ts'

const noResponse: ChargeResult = { state: 'pending', reference: '', isOpen: false }

/**
 * Begins the payment of a pending order, outside any transaction: it is settled by the gateway's answer, or the browser has a step to
 * take. On a repeated call the gateway returns the same payment.
 */
export async function startPayment(
  ctx: AppContext,
  orderId: number,
  details: GatewayPayment['details'],
): Promise<{ state: OrderState; next: PaymentStep | null }> {
  const { payment, gateway, provider } = await gatewayPayment(ctx, orderId, details)
  if (!gateway) return { state: 'pending', next: null }
  try {
    const result = await gateway.begin(payment)
    if (result.state !== 'requires-action') return { state: await settleOrder(ctx, { orderId, result }), next: null }
    await storeReference(ctx, orderId, result.reference)
    return { state: 'pending', next: result.step }
  } catch (error) {
    // No payment was made: what the order reserves is free for the form's next attempt, which is a new order.
    if (isAppError(error) && error.kind === 'invalid') await settleOrder(ctx, { orderId, result: { state: 'unknown' } })
    if (isAppError(error) && error.kind !== 'upstream') throw error
    ctx.log.warn({ error, order: orderId }, 'the payment gateway did not respond; the order stays pending')
    // Only the demo bank charges at this point, and may have done so; other providers take no payment before the browser's step.
    if (provider === 'demo') return { state: 'pending', next: null }
    throw new AppError('upstream', 'The payment provider is not responding at the moment. No money was taken.', {
      hint: 'Please try again in a moment, or choose another payment method.',
      cause: error,
    })
  }
}

/**
 * Charges a renewal whose order is pending, outside any transaction. The payment's id is stored before money can move; a
 * lost response is polled later, and never causes a second charge. `keys-refused`: no charge was requested, and the order is unchanged.
 */
export async function chargeRenewalOrder(ctx: AppContext, orderId: number): Promise<OrderState | 'keys-refused'> {
  const { payment, gateway } = await gatewayPayment(ctx, orderId)
  if (!gateway?.prepareRenewal || !gateway.chargeRenewal) {
    const reason = 'This payment method is no longer set up'
    return settleOrder(ctx, { orderId, result: { state: 'declined', reference: '', reason, isFinal: true } })
  }
  try {
    const prepared = payment.reference ?? (await gateway.prepareRenewal(payment))
    if (typeof prepared !== 'string' && prepared.state === 'keys-refused') {
      ctx.log.info({ order: orderId, ...prepared.detail }, 'the payment provider refused the publisher’s keys')
      return prepared.state
    }
    if (typeof prepared !== 'string') return await settleOrder(ctx, { orderId, result: prepared })
    await storeReference(ctx, orderId, prepared)
    const isNew = payment.reference === null
    return await settleOrder(ctx, {
      orderId,
      isRenewal: true,
      result: await gateway.chargeRenewal({ ...payment, reference: prepared }, { isNew }),
    })
  } catch (error) {
    if (isAppError(error) && error.kind !== 'upstream') throw error
    ctx.log.warn({ error, order: orderId }, 'the payment gateway did not respond; the renewal is polled later')
    return 'pending'
  }
}

/**
 * Polls the gateway for the outcome of a payment and settles it. If the gateway does not respond, the order is unchanged. An approved payment of
 * a cancelled or declined order is not completed: its buyer was informed that no money is taken. One that was already taken still makes the order paid.
 */
export async function pollPayment(ctx: AppContext, orderId: number): Promise<OrderState> {
  return (await lookUpPayment(ctx, orderId)).state
}

/** `pollPayment` for a buyer who waits. `isProcessing`: it is still pending, and there is nothing left for the buyer to do. */
export async function lookUpPayment(
  ctx: AppContext,
  orderId: number,
): Promise<{ state: OrderState; isProcessing: boolean }> {
  const { payment, gateway, state } = await gatewayPayment(ctx, orderId)
  const hasEnded = state === 'cancelled' || state === 'declined'
  const result = gateway ? await (hasEnded ? gateway.cancel(payment) : gateway.lookUp(payment)) : noResponse
  const settled = await settleOrder(ctx, { orderId, result })
  return { state: settled, isProcessing: settled === 'pending' && result.state === 'pending' && !result.isOpen }
}

/** Cancels an open payment, at the provider first: a payment completed meanwhile is kept. */
export async function cancelPayment(ctx: AppContext, orderId: number): Promise<OrderState> {
  const { payment, gateway } = await gatewayPayment(ctx, orderId)
  return settleOrder(ctx, { orderId, result: gateway ? await gateway.cancel(payment) : noResponse })
}

async function storeReference(ctx: AppContext, orderId: number, reference: string | null): Promise<void> {
  if (!reference) return
  await Payments.update(ctx, { orderId }, { providerReference: reference })
}
