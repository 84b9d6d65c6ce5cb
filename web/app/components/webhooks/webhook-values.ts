import { type WebhookEvent, webhookEventTypes } from '#core/webhooks/webhook-events.rules.ts'

/**
 * The name of an event's checkbox: a part of the field `events`, so that a tick clears the field's error. The event's own dots are
 * replaced: in a field's name they separate the field from its parts.
 */
export function checkboxName(type: WebhookEvent): string {
  return `events.${type.replace('.', '-')}`
}

/** The values of the form of a stored webhook. */
export function webhookValues({
  url,
  description,
  events,
}: {
  url: string
  description: string
  events: readonly WebhookEvent[]
}): Record<string, string> {
  return { url, description, ...Object.fromEntries(events.map((type) => [checkboxName(type), 'true'])) }
}

/** The events ticked in a form. */
export function checkedEvents(values: Record<string, string>): WebhookEvent[] {
  return webhookEventTypes.filter((type) => values[checkboxName(type)] === 'true')
}
