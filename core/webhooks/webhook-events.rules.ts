/** The table of events that webhooks report, and what each means on the page and in the documentation. */
export const webhookEvents = {
  'order.paid': 'An order was paid',
  'order.refunded': 'An order was refunded, or its payment reversed by the bank',
  'reader.added': 'A reader was added',
  'reader.changed': 'A reader’s record was changed',
  'reader.merged': 'Readers were merged into one',
  'reader.erased': 'A reader was removed',
  'subscription.started': 'A subscription started',
  'subscription.renewed': 'A subscription was extended',
  'subscription.cancelled': 'An automatic renewal was turned off, or was not paid',
  'subscription.ended': 'A subscription ended',
  'import.done': 'An import of a reader file finished, or was undone',
} as const satisfies Record<string, string>

export type WebhookEvent = keyof typeof webhookEvents

export const webhookEventTypes = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]]

/** Sent by a test; cannot be subscribed to. */
export const testEvent = 'webhook.test'

/** The version of the payload: a breaking change gets a new one. */
export const payloadVersion = 1
