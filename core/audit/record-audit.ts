import { actingPublisherId, actorColumns } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import type { AuditAction } from './audit-actions.ts'
import { AuditLog, publisherOfUser } from './audit-log.rows.ts'

/**
 * Writes who did what to which record, in the transaction of the change. `facts` are counts and field names, never personal data.
 * The row belongs to a publisher: the one that is named, else the publisher of the affected user, else the actor's own.
 */
export async function recordAudit(
  ctx: AppContext,
  action: AuditAction,
  subject: { type: string; id: number | null; publisherId?: number | null },
  facts: object = {},
): Promise<void> {
  const { actor, origin } = ctx
  const userPublisherId =
    subject.publisherId == null && subject.type === 'user' ? await publisherOfUser(ctx, subject.id) : null
  await AuditLog.insert(ctx, {
    happenedAt: ctx.now(),
    publisherId: subject.publisherId ?? userPublisherId ?? actingPublisherId(actor),
    ...actorColumns(actor),
    door: origin.entryPoint,
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    facts,
    requestId: origin.requestId ?? null,
    address: origin.address ?? null,
  })
}
