import { type WebhookEvent, webhookEventTypes } from '#core/webhooks/webhook-events.rules.ts'

/** The name of an event's tick box, without dots, which would nest it. */
export function tickOf(type: WebhookEvent): string {
  return `on-${type.replace('.', '-')}`
}

/** The events ticked in a form. */
export function tickedEvents(values: Record<string, string>): WebhookEvent[] {
  return webhookEventTypes.filter((type) => values[tickOf(type)] === 'true')
}
