import { z } from 'zod'
import { type Currency, type Money, parseMinorUnits } from '#core/kernel/money.ts'
import type { ChargeResult, ProviderDispute, ProviderRefund } from '#core/ports/payment-gateway.ts'
import { providerFault } from './call-provider.ts'

const Amount = z.object({ currency_code: z.string(), value: z.string() })
const Capture = z.object({
  id: z.string().optional(),
  status: z.string(),
  amount: Amount,
  status_details: z.object({ reason: z.string().optional() }).optional(),
})
const Refund = z.object({
  id: z.string(),
  status: z.string(),
  amount: Amount.optional(),
  custom_id: z.string().optional(),
  status_details: z.object({ reason: z.string().optional() }).optional(),
})

const Order = z.object({
  id: z.string(),
  status: z.string(),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).default([]),
  purchase_units: z
    .array(
      z.object({
        amount: Amount.optional(),
        payments: z.object({ captures: z.array(Capture).default([]), refunds: z.array(Refund).default([]) }).optional(),
      }),
    )
    .default([]),
})

/** An order as PayPal returns it. */
export type PayPalOrder = z.output<typeof Order>

export function readPayPalOrder(json: unknown): PayPalOrder {
  const read = Order.safeParse(json)
  if (!read.success) throw providerFault('PayPal', { problem: 'an order that cannot be read' })
  return read.data
}

/** The amount the buyer agrees to; null if the response does not contain it. */
export function agreedMoney({ purchase_units: units }: PayPalOrder): Money | null {
  const amounts = units.flatMap(({ amount }) => amount ?? [])
  return amounts.length === units.length && amounts.length > 0 ? sumOf(amounts) : null
}

/** Whether PayPal waits for the buyer, or for us to capture what the buyer has approved. */
export function stageOf({ status }: PayPalOrder): 'open' | 'approved' | 'over' {
  if (status === 'APPROVED') return 'approved'
  return ['CREATED', 'SAVED', 'PAYER_ACTION_REQUIRED'].includes(status) ? 'open' : 'over'
}

const capturedStates = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'])

/**
 * The outcome of an order's captures. Money has arrived only if it was captured. A reversed capture is a lost dispute under its own id, as an order does
 * not name the case; once PayPal gives the money back, the capture is completed again.
 */
export function chargeResultOf(order: PayPalOrder): ChargeResult {
  const reference = order.id
  const captures = order.purchase_units.flatMap(({ payments }) => payments?.captures ?? [])
  const refunds = refundsAt(order)
  const isFullyRefunded = captures.some(({ status }) => status === 'REFUNDED')
  const captured = captures.filter(({ status }) => capturedStates.has(status) || status === 'REVERSED')
  // If a capture was refunded but no refund is listed, all that is known is that everything was returned.
  if (captured.length > 0 && !(isFullyRefunded && refunds.length === 0)) {
    const chargeReference = captured[0]?.id
    const disputes = captured.flatMap((capture) => lostBy(capture))
    const money = sumOf(captured.map(({ amount }) => amount))
    const paid = { state: 'paid', reference, money, refunds, disputes } as const
    return chargeReference ? { ...paid, chargeReference } : paid
  }
  const captureIn = (...states: string[]) => captures.find(({ status }) => states.includes(status))
  if (captureIn('PENDING')) return { state: 'pending', reference, isOpen: false }
  if (captureIn('REFUNDED')) return { state: 'refunded', reference, reason: 'Refunded at PayPal' }
  const declined = captureIn('DECLINED', 'FAILED')
  if (declined)
    return { state: 'declined', reference, reason: declined.status_details?.reason ?? 'PayPal declined the payment' }
  if (order.status === 'VOIDED') return { state: 'unknown' }
  return { state: 'pending', reference, isOpen: order.status !== 'COMPLETED' }
}

function lostBy({ id, status, amount }: z.output<typeof Capture>): ProviderDispute[] {
  const lost = parseMinorUnits(amount.value)
  if (status !== 'REVERSED' || id === undefined || lost === null) return []
  return [{ reference: id, state: 'lost', amount: lost, reason: 'Reversed at PayPal', fee: null }]
}

/** The refunds of an order, whoever made them. */
export function refundsAt({ purchase_units: units }: PayPalOrder): ProviderRefund[] {
  return units
    .flatMap(({ payments }) => payments?.refunds ?? [])
    .flatMap((refund) => {
      const amount = parseMinorUnits(refund.amount?.value ?? '')
      return amount === null
        ? []
        : [{ ...refundResultOf(refund), reference: refund.id, idempotencyKey: keyOf(refund.custom_id), amount }]
    })
}

/** Our key follows the order's number, which identifies the messages about a refund. */
const separator = '/'
export const refundCustomId = (orderNumber: string, key: string) => `${orderNumber}${separator}${key}`
export const orderNumberOf = (customId: string) => customId.split(separator)[0] as string
const keyOf = (customId: string | undefined) => customId?.split(separator)[1] ?? null

const refundStates: Record<string, ProviderRefund['state']> = {
  COMPLETED: 'succeeded',
  PENDING: 'pending',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
}

function refundResultOf({ id, status, status_details: details }: z.output<typeof Refund>) {
  const state = refundStates[status] ?? 'pending'
  const isReturned = state === 'succeeded' || state === 'pending'
  return {
    state,
    reference: id,
    reason: isReturned ? 'Refunded at PayPal' : (details?.reason ?? `PayPal: ${status.toLowerCase()}`),
  }
}

/** The response to a refund request. */
export function readPayPalRefund(json: unknown): ReturnType<typeof refundResultOf> {
  const read = Refund.safeParse(json)
  if (!read.success) throw providerFault('PayPal', { problem: 'a refund that cannot be read' })
  return refundResultOf(read.data)
}

function sumOf(amounts: z.output<typeof Amount>[]): Money {
  const currency = amounts[0]?.currency_code
  let amount = 0
  for (const { currency_code: code, value } of amounts) {
    const minor = parseMinorUnits(value)
    if (minor === null || code !== currency) throw providerFault('PayPal', { problem: 'an amount that cannot be read' })
    amount += minor
  }
  // An unsupported currency is passed on unchanged: it is not the order's, and is rejected there.
  return { amount, currency: currency as Currency }
}
