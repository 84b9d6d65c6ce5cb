import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import type { PaymentState } from '../payment-methods/payment-states.rules.ts'
import type { ChargeResult, PaymentProvider } from '../ports/payment-gateway.ts'
import { day, defineTable, id, instant, integer, nullable, ref, text } from '../table.ts'

/** The payment of an order, as its provider knows it. `updatedAt` is also when the provider was last polled. */
export const Payments = defineTable('payments', {
  id: id(),
  orderId: ref(),
  provider: text<PaymentProvider>(),
  state: text<PaymentState>(),
  /** Minor units. */
  amount: integer(),
  currency: text<Currency>(),
  idempotencyKey: text(),
  providerReference: nullable(text()),
  /** The provider's id of the charge if it differs from the payment's: PayPal's capture, Stripe's charge. Its reports refer to it. */
  chargeReference: nullable(text()),
  /** The provider's id of a second payment of the same order, which staff have to refund there, and when it was found. */
  secondReference: nullable(text()),
  secondFoundAt: nullable(instant()),
  declineReason: nullable(text()),
  /** The provider's own code for the reason of the decline. */
  declineCode: nullable(text()),
  mandateReference: nullable(text()),
  accountLastFour: nullable(text()),
  chargedOn: nullable(day()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Stores what the provider took and its id there. */
export async function storePayment(
  ctx: AppContext,
  orderId: number,
  result: Extract<ChargeResult, { state: 'paid' | 'accepted' }>,
): Promise<void> {
  const { state, reference, facts } = result
  await Payments.update(
    ctx,
    { orderId },
    {
      state,
      providerReference: reference,
      chargeReference: (result.state === 'paid' && result.chargeReference) || null,
      declineReason: null,
      declineCode: null,
      mandateReference: facts?.mandateReference ?? null,
      accountLastFour: facts?.accountLastFour ?? null,
      chargedOn: facts?.chargedOn ?? null,
    },
  )
}

/** Marks a payment whose amount differs from its order's; false if it was already marked. */
export async function markMismatch(ctx: AppContext, orderId: number, reference: string | null): Promise<boolean> {
  const changed = await ctx.db.run(
    `UPDATE payments SET state = 'mismatch', provider_reference = :reference, updated_at = :now
     WHERE order_id = :orderId AND state <> 'mismatch'`,
    { orderId, reference, now: ctx.now() },
  )
  return changed > 0
}

/** Stores that an order was paid a second time; false if that is stored already. */
export async function markPaidTwice(ctx: AppContext, orderId: number, reference: string): Promise<boolean> {
  const changed = await ctx.db.run(
    `UPDATE payments SET second_reference = :reference, second_found_at = :now
     WHERE order_id = :orderId AND second_reference IS NULL`,
    { orderId, reference, now: ctx.now() },
  )
  return changed > 0
}

/** Records that the provider was polled about a payment in progress, so that the others come first next time. */
export async function recordPaymentCheck(ctx: AppContext, orderId: number): Promise<void> {
  await ctx.db.run(
    `UPDATE payments SET updated_at = :now WHERE order_id = :orderId AND state IN ('pending', 'accepted')`,
    { orderId, now: ctx.now() },
  )
}
