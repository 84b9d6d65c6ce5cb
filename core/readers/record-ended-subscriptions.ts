import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { useCase } from '../use-case.ts'
import { writtenEvent } from '../webhooks/queue-webhooks.ts'
import { addDeliveriesTo } from '../webhooks/webhook-deliveries.rows.ts'
import {
  endpointsBehind,
  endpointsBetween,
  moveEndedUntil,
  type WebhookEndpointRow,
} from '../webhooks/webhook-endpoints.rows.ts'

/** Readers per statement. */
const maxReaders = 1000

/** Notifies webhooks of the subscriptions whose last day has passed, once for each. One that was extended meanwhile did not end. */
export const recordEndedSubscriptions = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ ended: number }> {
    const until = addDays(dayOf(ctx.now(), ctx.settings.timeZone), -1)
    let ended = 0
    for (const endpoint of await endpointsBehind(ctx, until)) {
      ended += await ctx.db.transaction(async () => {
        // Another process may be running: the one that updates the day notifies.
        return (await moveEndedUntil(ctx, endpoint, until)) ? notifyEndpoint(ctx, endpoint, until) : 0
      })
    }
    return { ended }
  },
})

/**
 * Notifies webhooks of a subscription whose last day was moved back to a day already reported: no later run finds it. One whose
 * previous last day was already reported has been reported. Call it in the transaction of the change.
 */
export async function recordEndedEarlier(
  ctx: AppContext,
  moved: { publicationId: number; readerId: number; endedOn: Day; endsOn: Day },
): Promise<void> {
  const { publicationId, readerId } = moved
  for (const { id } of await endpointsBetween(ctx, moved))
    await addDeliveriesTo(ctx, id, [writtenEvent(ctx, 'subscription.ended', { publicationId, readerId }, readerId)])
}

async function notifyEndpoint(
  ctx: AppContext,
  { id, publisherId, endedUntil }: WebhookEndpointRow,
  until: Day,
): Promise<number> {
  let added = 0
  let after = 0
  for (;;) {
    const readers = await ctx.db.query<{ id: number; publication_id: number }>(
      `SELECT r.id, r.publication_id FROM readers r JOIN publications p ON p.id = r.publication_id
       WHERE p.publisher_id = :publisherId AND p.removed_at IS NULL AND NOT p.is_example AND NOT r.is_deleted AND r.sub_type <> ''
         AND r.sub_end_on > :endedUntil AND r.sub_end_on <= :until AND r.id > :after
       ORDER BY r.id LIMIT :limit`,
      { publisherId, endedUntil, until, after, limit: maxReaders },
    )
    if (readers.length === 0) return added
    const events = readers.map(({ id: readerId, publication_id: publicationId }) =>
      writtenEvent(ctx, 'subscription.ended', { publicationId, readerId }, readerId),
    )
    added += await addDeliveriesTo(ctx, id, events)
    after = readers.at(-1)?.id ?? after
  }
}
