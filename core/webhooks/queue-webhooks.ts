import type { AppContext } from '../context.ts'
import { newMessageId } from './sign-webhook.ts'
import { addDeliveries, type WrittenEvent } from './webhook-deliveries.rows.ts'
import { payloadVersion, type testEvent, type WebhookEvent } from './webhook-events.rules.ts'

/** An event: only ids, so that no receiver gets personal data that it did not request. */
export interface NotedEvent {
  type: WebhookEvent
  /** The reader concerned; events about one reader are sent in order. */
  readerId?: number | null
  /** Another reader, if the event has to be sent in the order of that one's events. */
  inOrderOf?: number
  data?: Record<string, number | string | readonly number[] | null>
}

/** Queues events of a publication for the endpoints that subscribe to them. Call it in the transaction of the change: both happen or neither. */
export async function queueWebhooks(
  ctx: Pick<AppContext, 'db' | 'now'>,
  publicationId: number,
  ...events: readonly NotedEvent[]
): Promise<void> {
  await addDeliveries(
    ctx,
    publicationId,
    events.map(({ type, readerId, inOrderOf = readerId, data }) =>
      writtenEvent(ctx, type, { publicationId, ...(readerId === undefined ? {} : { readerId }), ...data }, inOrderOf),
    ),
  )
}

/** An event as it is sent. */
export function writtenEvent(
  { now }: Pick<AppContext, 'now'>,
  type: WebhookEvent | typeof testEvent,
  data: Record<string, unknown>,
  readerId: number | null = null,
): WrittenEvent {
  const body = JSON.stringify({ type, version: payloadVersion, timestamp: now().toISOString(), data })
  return { messageId: newMessageId(), type, aboutReader: readerId, body }
}
