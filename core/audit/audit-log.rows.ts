import type { AppContext } from '../context.ts'
import { defineTable, id, instant, json, nullable, ref, text } from '../table.ts'
import type { AuditAction } from './audit-actions.ts'

export const AuditLog = defineTable('audit_log', {
  id: id(),
  happenedAt: instant(),
  publisherId: nullable(ref()),
  actorKind: text<AppContext['actor']['kind']>(),
  actorId: nullable(ref()),
  /** The entry point, under an older name. */
  door: text<AppContext['origin']['entryPoint']>(),
  action: text<AuditAction>(),
  subjectType: text(),
  subjectId: nullable(ref()),
  /** Counts and field names; never personal data. */
  facts: nullable(json<object>()),
  requestId: nullable(text()),
  address: nullable(text()),
})

/** The publisher that a user belongs to: a publisher's own id, the parent's for its staff, null for all others. */
export async function publisherOfUser(ctx: AppContext, userId: number | null): Promise<number | null> {
  const [row] = await ctx.db.query<{ id: number | null }>(
    `SELECT COALESCE(u.parent_publisher_id, CASE WHEN u.user_type = 'publisher' THEN u.id END) AS id FROM users u WHERE u.id = :userId`,
    { userId },
  )
  return row?.id ?? null
}

export function removeAuditRows(ctx: AppContext, ids: readonly number[]): Promise<number> {
  return ctx.db.run(`DELETE FROM audit_log WHERE id IN (:ids)`, { ids })
}

/** Clears the network addresses of rows; the rows stay. */
export function clearAuditAddresses(ctx: AppContext, ids: readonly number[]): Promise<number> {
  return ctx.db.run(`UPDATE audit_log SET address = NULL WHERE id IN (:ids)`, { ids })
}
