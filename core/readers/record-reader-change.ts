import { actorColumns } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { awaitAll } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { SubType } from '../terms/term.rules.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import type { WebhookEvent } from '../webhooks/webhook-events.rules.ts'
import { ReaderEvents, recordEvents } from './reader-events.rows.ts'

/** A subscription as the history shows it. */
export interface SubscriptionFacts {
  subType: SubType | ''
  subStartOn: Day
  subEndOn: Day
  /** Minor units; null is free. */
  subPaid: number | null
  subCurrency: Currency
}

type ChangeKind =
  | 'added'
  | 'subscribed'
  | 'edited'
  | 'deactivated'
  | 'reactivated'
  | 'restored'
  | 'renewal-off'
  | 'renewal-price'
  | 'reversed'
  | 'merged'
  | 'unmerged'

/** The webhook events of a change. The end of a renewal and a merge are reported where they happen. */
const eventOf: Partial<Record<ChangeKind, WebhookEvent>> = {
  added: 'reader.added',
  restored: 'reader.added',
  subscribed: 'subscription.renewed',
  edited: 'reader.changed',
  deactivated: 'reader.changed',
  reactivated: 'reader.changed',
  reversed: 'reader.changed',
  unmerged: 'reader.changed',
}

/** Writes a change of the record into the reader's history, with the fields' previous values, who made it and when. */
export async function recordReaderChange(
  ctx: AppContext,
  change: {
    readerId: number
    publicationId: number
    kind: ChangeKind
    note: string
    orderId?: number
    /** The current subscription, if the change concerns it. */
    subscription?: SubscriptionFacts
    before?: Record<string, unknown>
    /** The record is removed: webhooks have reported that, and report it as added once it is restored. */
    isRemoved?: boolean
  },
): Promise<void> {
  const { subscription, readerId, publicationId, kind, orderId, before, isRemoved = false } = change
  const inserted = ReaderEvents.insert(ctx, {
    readerId,
    publicationId,
    kind,
    subType: subscription?.subType || null,
    startOn: subscription?.subStartOn ?? null,
    endOn: subscription?.subEndOn ?? null,
    amount: subscription?.subPaid ?? null,
    currency: subscription && subscription.subPaid !== null ? subscription.subCurrency : null,
    orderId: orderId ?? null,
    before: before ?? null,
    note: change.note.slice(0, 500),
    ...actorColumns(ctx.actor),
  })
  const type = eventOf[kind]
  if (type === undefined || isRemoved) {
    await inserted
    return
  }
  const data = type === 'subscription.renewed' && orderId !== undefined ? { data: { orderId } } : {}
  await awaitAll(inserted, queueWebhooks(ctx, publicationId, { type, readerId, ...data }))
}

/** Writes that readers were restored after they were removed together, as `recordReaderChange` does for one. */
export async function recordRestored(
  ctx: AppContext,
  publicationId: number,
  readerIds: readonly number[],
): Promise<void> {
  await recordEvents(ctx, readerIds, { publicationId, kind: 'restored', note: 'Restored after it was removed' })
  await queueWebhooks(ctx, publicationId, ...readerIds.map((readerId) => ({ type: 'reader.added' as const, readerId })))
}
