import type { AppContext } from '../context.ts'
import { actingPublisherId } from './actor.ts'
import type { AuditAction } from './audit-actions.ts'

/**
 * Writes who did what to which record, in the transaction of the change. `facts` are counts and field names, never personal data.
 * The row belongs to the publisher it is about: the one that is named, else the one whose user it was done to, else the actor's own.
 */
export async function recordAudit(
  ctx: AppContext,
  action: AuditAction,
  subject: { type: string; id: number | null; publisherId?: number | null },
  facts: object = {},
): Promise<void> {
  const { actor, origin } = ctx
  await ctx.db.run(
    `INSERT INTO audit_log (happened_at, publisher_id, actor_kind, actor_id, door, action, subject_type, subject_id, facts, request_id, address)
     VALUES (:now, COALESCE(CAST(:publisherId AS ${idType(ctx)}), ${subject.type === 'user' ? publisherOfUser : 'NULL'}, CAST(:ownId AS ${idType(ctx)})), :actorKind, :actorId, :door, :action, :subjectType, :subjectId, :facts, :requestId, :address)`,
    {
      now: ctx.now(),
      publisherId: subject.publisherId ?? null,
      ownId: actingPublisherId(actor),
      actorKind: actor.kind,
      actorId: actor.kind === 'staff' ? actor.userId : actor.kind === 'buyer' ? actor.buyerId : null,
      door: origin.door,
      action,
      subjectType: subject.type,
      subjectId: subject.id,
      facts: JSON.stringify(facts),
      requestId: origin.requestId ?? null,
      address: origin.address ?? null,
    },
  )
}

const publisherOfUser = `(SELECT COALESCE(u.parent_publisher_id, CASE WHEN u.user_type = 'publisher' THEN u.id END) FROM users u WHERE u.id = :subjectId)`

/** PostgreSQL wants to know what a NULL is. */
function idType({ db }: AppContext): string {
  return db.dialect === 'postgres' ? 'BIGINT' : 'INTEGER'
}
