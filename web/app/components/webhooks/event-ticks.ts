import { type WebhookEvent, webhookEventTypes } from '#core/webhooks/webhook-events.rules.ts'

/** The name of the field that an event is chosen by: no dot is in it. */
export function tickOf(type: WebhookEvent): string {
  return `on-${type.replace('.', '-')}`
}

/** The events that a form has chosen. */
export function tickedEvents(values: Record<string, string>): WebhookEvent[] {
  return webhookEventTypes.filter((type) => values[tickOf(type)] === 'true')
}
