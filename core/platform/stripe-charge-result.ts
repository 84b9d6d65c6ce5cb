import type Stripe from 'stripe'
import type { Currency } from '#core/kernel/money.ts'
import type { ChargeResult, PaymentFacts, ProviderDispute, ProviderRefund } from '#core/ports/payment-gateway.ts'
import { readDecline } from './stripe-declines.rules.ts'

/** The two Stripe payment methods in use, by Stripe's names. A payment by a wallet is a card payment. */
export type StripeMethod = 'card' | 'bacs_debit'

/** The field that every query of a payment expands: the charge shows what happened to the money afterwards. */
export const withCharge = { expand: ['latest_charge'] }

/** A payment's current state at Stripe in our terms, with its refunds and disputes. */
export function chargeResultOf(
  method: StripeMethod,
  intent: Stripe.PaymentIntent,
  { refunds, disputes }: { refunds: Stripe.Refund[]; disputes: Stripe.Dispute[] },
): ChargeResult {
  const { id: reference, status } = intent
  const charge = chargeOf(intent)
  const facts = factsOf(intent, charge)
  const currency = intent.currency.toUpperCase() as Currency
  switch (status) {
    case 'succeeded':
      return {
        state: 'paid',
        reference,
        money: { amount: intent.amount_received, currency },
        facts,
        ...(charge ? { chargeReference: charge.id } : {}),
        refunds: refunds.map(refundOf),
        disputes: disputes.flatMap((dispute) => disputeOf(dispute) ?? []),
      }
    case 'processing':
      // A debit takes days at the bank and is polled; a card's outcome is known in seconds and awaited.
      return method === 'bacs_debit'
        ? { state: 'accepted', reference, money: { amount: intent.amount, currency }, facts }
        : { state: 'pending', reference, isOpen: false }
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'requires_action':
    case 'canceled':
      if (debitFailed(method, intent))
        return {
          state: 'failed',
          reference,
          ...readDecline({ code: charge?.failure_code, message: charge?.failure_message ?? 'The bank did not pay' }),
        }
      return status === 'canceled' ? { state: 'unknown' } : { state: 'pending', reference, isOpen: true }
    default:
      return { state: 'pending', reference, isOpen: false }
  }
}

/** Our key is in the metadata of a refund. */
export const refundKey = 'refund'

/** A refund made by the publisher or by us. One that needs the buyer's bank details is pending until Stripe gives up. */
export function refundOf(refund: Stripe.Refund): ProviderRefund {
  const { id, amount, status, metadata, failure_reason: failure } = refund
  const states: Record<string, ProviderRefund['state']> = {
    succeeded: 'succeeded',
    failed: 'failed',
    canceled: 'cancelled',
  }
  const state = states[status ?? ''] ?? 'pending'
  const isReturned = state === 'succeeded' || state === 'pending'
  const reason = isReturned ? 'The money was refunded' : (failure ?? 'The refund did not arrive').replaceAll('_', ' ')
  return { reference: id, idempotencyKey: metadata?.[refundKey] ?? null, amount, state, reason }
}

/**
 * A dispute that has taken money. An inquiry, which Stripe calls a warning, has not. A prevented dispute was settled in the buyer's favour without
 * a decision by the bank: no decision follows, so it counts as lost if it took money.
 */
function disputeOf(dispute: Stripe.Dispute): ProviderDispute | null {
  const { id, amount, status, reason, balance_transactions: transactions } = dispute
  if (status.startsWith('warning')) return null
  const amountTaken = -(transactions ?? []).reduce((sum, transaction) => sum + transaction.amount, 0)
  if (status === 'prevented' && amountTaken <= 0) return null
  const withFee = transactions?.filter(({ fee }) => fee > 0) ?? []
  const [first] = withFee
  return {
    reference: id,
    state: status === 'lost' || status === 'prevented' ? 'lost' : status === 'won' ? 'won' : 'open',
    amount,
    reason: `The bank took the money back (${reason ?? 'disputed'})`,
    fee: first
      ? { amount: withFee.reduce((sum, { fee }) => sum + fee, 0), currency: first.currency.toUpperCase() as Currency }
      : null,
  }
}

/**
 * A debit that fails at the bank days later leaves a failed charge, and a payment that could be started again. A declined card
 * leaves the same, but then the buyer tries another card immediately.
 */
export function debitFailed(method: StripeMethod, intent: Stripe.PaymentIntent): boolean {
  return method === 'bacs_debit' && chargeOf(intent)?.status === 'failed'
}

/** The expanded charge of a payment. */
export function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof charge === 'object' ? charge : null
}

function factsOf(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): PaymentFacts {
  const { card, bacs_debit: debit } = charge?.payment_method_details ?? {}
  const isStored = intent.setup_future_usage === 'off_session'
  return withoutBlanks({
    customerReference: isStored ? idOf(intent.customer) : null,
    methodReference: isStored ? idOf(intent.payment_method) : null,
    mandateReference: debit?.mandate ?? null,
    accountLastFour: debit?.last4 ?? card?.last4 ?? null,
    chargedOn: debit?.expected_debit_date ?? null,
    cardExpiresOn: isStored && card?.exp_year && card.exp_month ? lastDayOf(card.exp_year, card.exp_month) : null,
  })
}

/** A card is valid until the last day of the month printed on it. */
export function lastDayOf(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

function withoutBlanks(facts: Record<keyof PaymentFacts, string | null>): PaymentFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null))
}

export function idOf(value: string | { id: string } | null): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}
