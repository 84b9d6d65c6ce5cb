import { z } from 'zod'
import { jsonOrNull } from '#core/kernel/json-or-null.ts'
import type { PaymentEvent, PaymentGateway } from '#core/ports/payment-gateway.ts'
import { providerFault } from './call-provider.ts'
import type { PayPalClient } from './paypal-client.ts'
import { orderNumberOf } from './paypal-order.ts'

type Message = Parameters<NonNullable<PaymentGateway['readEvent']>>[0]

const Event = z.object({
  id: z.string().min(1),
  event_type: z.string(),
  resource: z.record(z.string(), z.unknown()).default({}),
})

/** Where a resource names its order: it is the order itself, or a capture or refund of it. A dispute names only the captures. */
const Resource = z.object({
  custom_id: z.string().optional().catch(undefined),
  purchase_units: z
    .array(z.object({ custom_id: z.string().optional() }))
    .optional()
    .catch(undefined),
  supplementary_data: z
    .object({ related_ids: z.object({ order_id: z.string().optional() }).optional() })
    .optional()
    .catch(undefined),
  disputed_transactions: z
    .array(z.object({ seller_transaction_id: z.string().optional() }))
    .optional()
    .catch(undefined),
})

/**
 * Reads a webhook. PayPal itself verifies whether it sent the message to this webhook of the publisher; if no webhook id is stored nothing can
 * be trusted, and the return page and the sweep determine the outcome of payments.
 */
export async function readPayPalEvent(
  callPayPal: PayPalClient,
  { payee, body, headers }: Message,
): Promise<PaymentEvent | null> {
  const signature = {
    auth_algo: headers['paypal-auth-algo'],
    cert_url: headers['paypal-cert-url'],
    transmission_id: headers['paypal-transmission-id'],
    transmission_sig: headers['paypal-transmission-sig'],
    transmission_time: headers['paypal-transmission-time'],
    webhook_id: payee.webhookId,
  }
  const event = Event.safeParse(jsonOrNull(body))
  if (!event.success || Object.values(signature).some((part) => !part)) return null
  // The event is sent verbatim: re-serialised, its signature would no longer match.
  const verification = `${JSON.stringify(signature).slice(0, -1)},"webhook_event":${body}}`
  const { status, json } = await callPayPal({
    method: 'POST',
    path: '/v1/notifications/verify-webhook-signature',
    payee,
    body: verification,
  })
  // A signature it cannot parse is invalid too.
  if (status === 400 || status === 422) return null
  if (status !== 200) throw providerFault('PayPal', { status, call: 'verify-webhook-signature' })
  if ((json as { verification_status?: unknown } | null)?.verification_status !== 'SUCCESS') return null
  const { id, event_type: type, resource } = event.data
  return { id, type, subject: subjectOf(resource, type) }
}

function subjectOf(resource: Record<string, unknown>, type: string): PaymentEvent['subject'] {
  const parsed = Resource.parse(resource)
  const { custom_id: customId, purchase_units: units, supplementary_data: supplement } = parsed
  const orderNumber = customId ?? units?.[0]?.custom_id
  if (orderNumber) return { orderNumber: orderNumberOf(orderNumber) }
  const isOrder = type.startsWith('CHECKOUT.ORDER.') && typeof resource.id === 'string'
  const reference = isOrder ? String(resource.id) : supplement?.related_ids?.order_id
  if (reference) return { reference }
  const charge = parsed.disputed_transactions?.[0]?.seller_transaction_id
  return charge ? { charge } : null
}
