import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { SubType } from '../terms/term.rules.ts'

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
      | 'edited'
      | 'deactivated'
      | 'reactivated'
      | 'restored'
      | 'renewal-off'
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
  const { actor } = ctx
  const { subscription } = change
  await ctx.db.run(
    `INSERT INTO reader_events (reader_id, publication_id, kind, sub_type, start_on, end_on, amount, currency, order_id, before, note,
       actor_kind, actor_id, created_at)
     VALUES (:readerId, :publicationId, :kind, :subType, :startOn, :endOn, :amount, :currency, :orderId, :before, :note, :actorKind,
       :actorId, :now)`,
    {
      readerId: change.readerId,
      publicationId: change.publicationId,
      kind: change.kind,
      subType: subscription?.subType || null,
      startOn: subscription?.subStartOn ?? null,
      endOn: subscription?.subEndOn ?? null,
      amount: subscription?.subPaid ?? null,
      currency: subscription && subscription.subPaid !== null ? subscription.subCurrency : null,
      orderId: change.orderId ?? null,
      before: change.before ? JSON.stringify(change.before) : null,
      note: change.note.slice(0, 500),
      actorKind: actor.kind,
      actorId: actor.kind === 'buyer' ? actor.buyerId : actor.kind === 'staff' ? actor.userId : null,
      now: ctx.now(),
    },
  )
}
