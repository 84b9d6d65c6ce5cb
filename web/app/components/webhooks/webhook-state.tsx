import type { ListedWebhook } from '#core/webhooks/list-webhooks.query.ts'
import { Badge } from '../ui/badge.tsx'

const pausedLabels = {
  staff: 'Paused',
  gone: 'Paused: gone (410)',
  failing: 'Paused: no response',
} as const

/** The state of a webhook as a badge. */
export function WebhookState({
  state,
  pausedWhy,
  failingSince,
}: Pick<ListedWebhook, 'state' | 'pausedWhy' | 'failingSince'>) {
  if (state === 'paused')
    return <Badge tone={pausedWhy === 'staff' ? 'neutral' : 'danger'}>{pausedLabels[pausedWhy ?? 'staff']}</Badge>
  return failingSince ? <Badge tone="warning">Failing</Badge> : <Badge tone="success">On</Badge>
}
