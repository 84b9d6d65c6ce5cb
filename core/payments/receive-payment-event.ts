import { z } from 'zod'
import { payeeOf } from '../accounts/payee-of.ts'
import { agreementsChargedBy } from '../agreements/payment-agreements.rows.ts'
import type { AppContext } from '../context.ts'
import { AppError } from '../kernel/errors.ts'
import type { PaidProvider } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentEvent } from '../ports/payment-gateway.ts'
import { useCase } from '../use-case.ts'
import { PaymentEvents } from './payment-events.rows.ts'

/** Who sends messages, and whose payments they can refer to: one Stripe account handles cards and debits. */
const senders = {
  stripe: ['stripe-card', 'stripe-bacs'],
  paypal: ['paypal'],
  'secure-trading': ['secure-trading'],
} as const satisfies Record<string, readonly PaidProvider[]>

type Sender = keyof typeof senders

/**
 * Receives a provider's signed message about a publisher's payment, or about a card or mandate that is charged again. Nothing it says is
 * trusted except its subject: it makes a job query the provider. A repeated message, or one about another publisher's payment, changes nothing.
 */
export const receivePaymentEvent = useCase({
  permission: 'public',
  input: z.object({
    sender: z.enum(Object.keys(senders) as [Sender, ...Sender[]]),
    publisherId: z.number().int(),
    body: z.string(),
    headers: z.record(z.string(), z.string()),
  }),
  transaction: 'none',
  async run(ctx, { sender, publisherId, body, headers }): Promise<{ received: true }> {
    const [provider] = senders[sender]
    const payee = await payeeOf(ctx, publisherId, provider)
    const event = await ctx.payments[provider]?.readEvent?.({ payee, body, headers, now: ctx.now() })
    if (!event) {
      ctx.log.warn({ sender, publisher: publisherId }, 'a payment message with a wrong or old signature was refused')
      throw new AppError('malformed', 'The signature of this message is wrong or too old')
    }
    await ctx.db.transaction(() => storeEvent(ctx, { sender, publisherId, event }))
    return { received: true }
  },
})

async function storeEvent(
  ctx: AppContext,
  { sender, publisherId, event }: { sender: Sender; publisherId: number; event: PaymentEvent },
): Promise<void> {
  const orderId = await orderOf(ctx, { sender, publisherId, event })
  const agreementIds = await agreementsOf(ctx, { sender, publisherId, event })
  // Two publishers may sell through one account at a provider: each is sent the message once.
  const eventId = `${publisherId}:${event.id}`.slice(0, 200)
  const inserted = await PaymentEvents.insertNew(ctx, {
    provider: sender,
    eventId,
    publisherId,
    eventType: event.type.slice(0, 100),
    orderId,
    receivedAt: ctx.now(),
  })
  if (!inserted) return
  const dedupeKey = `settle:${sender}:${eventId}`
  if (orderId !== null) await ctx.jobs.enqueue('settle-order', { orderId }, { dedupeKey, publisherId })
  for (const agreementId of agreementIds) {
    await ctx.jobs.enqueue(
      'refresh-agreement',
      { agreementId },
      { dedupeKey: `${dedupeKey}:${agreementId}`, publisherId },
    )
  }
}

/** The agreements whose card or mandate a message refers to, among this publisher's own. */
async function agreementsOf(
  ctx: AppContext,
  { sender, publisherId, event: { subject } }: { sender: Sender; publisherId: number; event: PaymentEvent },
): Promise<number[]> {
  if (!subject || !('method' in subject || 'mandate' in subject)) return []
  return agreementsChargedBy(ctx, publisherId, senders[sender], subject)
}

/** The order a message refers to, among this publisher's own: no key gives access to another publisher's orders. */
async function orderOf(
  ctx: AppContext,
  { sender, publisherId, event }: { sender: Sender; publisherId: number; event: PaymentEvent },
): Promise<number | null> {
  const { subject } = event
  if (!subject || 'method' in subject || 'mandate' in subject) return null
  const [column, value] = columnOf(subject)
  const [order] = await ctx.db.query<{ id: number }>(
    `SELECT o.id FROM payments y JOIN orders o ON o.id = y.order_id
     WHERE o.publisher_id = :publisherId AND y.provider IN (:providers) AND ${column} = :value`,
    { publisherId, providers: senders[sender], value },
  )
  return order?.id ?? null
}

function columnOf(subject: { reference: string } | { charge: string } | { orderNumber: string }): [string, string] {
  if ('reference' in subject) return ['y.provider_reference', subject.reference]
  return 'charge' in subject ? ['y.charge_reference', subject.charge] : ['o.order_number', subject.orderNumber]
}
