import type { AppContext } from '../context.ts'

/** Writes into a reader's history what somebody changed on the record, with the fields as they were before: who and when stand beside it. */
export async function recordReaderChange(
  ctx: AppContext,
  change: {
    readerId: number
    publicationId: number
    kind: 'edited' | 'renewal-off' | 'reversed' | 'merged' | 'unmerged'
    note: string
    orderId?: number
    before?: Record<string, unknown>
  },
): Promise<void> {
  const { actor } = ctx
  await ctx.db.run(
    `INSERT INTO reader_events (reader_id, publication_id, kind, order_id, before, note, actor_kind, actor_id, created_at)
     VALUES (:readerId, :publicationId, :kind, :orderId, :before, :note, :actorKind, :actorId, :now)`,
    {
      readerId: change.readerId,
      publicationId: change.publicationId,
      kind: change.kind,
      orderId: change.orderId ?? null,
      before: change.before ? JSON.stringify(change.before) : null,
      note: change.note.slice(0, 500),
      actorKind: actor.kind,
      actorId: actor.kind === 'buyer' ? actor.buyerId : actor.kind === 'staff' ? actor.userId : null,
      now: ctx.now(),
    },
  )
}
