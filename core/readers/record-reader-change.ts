import { actorColumns } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { SubType } from '../terms/term.rules.ts'
import { ReaderEvents } from './reader-events.rows.ts'

/** A subscription as the history tells it. */
export interface SubscriptionFacts {
  subType: SubType | ''
  subStartOn: Day
  subEndOn: Day
  /** Minor units; null is free. */
  subPaid: number | null
  subCurrency: Currency
}

/** Writes into a reader's history what somebody changed on the record, with the fields as they were before: who and when stand beside it. */
export async function recordReaderChange(
  ctx: AppContext,
  change: {
    readerId: number
    publicationId: number
    kind:
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
    note: string
    orderId?: number
    /** The subscription as it is now, where the change is of it. */
    subscription?: SubscriptionFacts
    before?: Record<string, unknown>
  },
): Promise<void> {
  const { subscription, readerId, publicationId, kind, orderId, before } = change
  await ReaderEvents.insert(ctx, {
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
}
