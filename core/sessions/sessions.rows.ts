import { hashToken, newToken } from '../access/tokens.ts'
import type { AppContext, Services } from '../context.ts'
import { defineTable, id, instant, integer, nullable, ref, text } from '../table.ts'

/** The owner of a session or an emailed link: a back office user, or a buyer, who has an account at a storefront. */
export type SessionOwner = { userId: number } | { buyerId: number }

/** Why a session ended on the server; the log-in page shows it as text. */
export type EndReason =
  | 'logout'
  | 'password-changed'
  | 'email-changed'
  | 'role-changed'
  | 'deactivated'
  | 'two-step-changed'

/** The maximum lifetime of a session, and its idle timeout, in hours. */
export interface SessionHours {
  absolute: number
  idle: number
}

/** Sessions of cookies: `userId` or `buyerId` is the owner. Only the hash of the token is stored. */
export const Sessions = defineTable('sessions', {
  id: id(),
  tokenHash: text(),
  userId: nullable(ref()),
  buyerId: nullable(ref()),
  /** The owner's value when the session began: a changed password or role increments it. */
  tokenVersion: integer(),
  startedAt: instant(),
  lastSeenAt: instant(),
  expiresAt: instant(),
  endedAt: nullable(instant()),
  endReason: nullable(text<EndReason>()),
  address: nullable(text()),
})

/** The owner as a condition: a column and its value `:ownerId`. */
export function ownerColumn(owner: SessionOwner): { column: 'user_id' | 'buyer_id'; ownerId: number } {
  return 'userId' in owner
    ? { column: 'user_id', ownerId: owner.userId }
    : { column: 'buyer_id', ownerId: owner.buyerId }
}

/** Starts a session for a user or buyer who has passed all checks; the token goes into an HttpOnly cookie. Call it in a transaction. */
export async function startSession(
  ctx: AppContext,
  owner: SessionOwner,
  { tokenVersion, hours }: { tokenVersion: number; hours: SessionHours },
): Promise<{ sessionToken: string; expiresAt: Date }> {
  const sessionToken = newToken()
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + hours.absolute * 3_600_000)
  await Sessions.insert(ctx, {
    ...owner,
    tokenHash: hashToken(sessionToken),
    tokenVersion,
    startedAt: now,
    lastSeenAt: now,
    expiresAt,
    address: ctx.origin.address ?? null,
  })
  return { sessionToken, expiresAt }
}

/** Whether a session is past its absolute or its idle end. */
export function isExpired(
  { expiresAt, lastSeenAt }: { expiresAt: Date; lastSeenAt: Date },
  { idle }: SessionHours,
  now: Date,
): boolean {
  return expiresAt <= now || lastSeenAt.getTime() + idle * 3_600_000 <= now.getTime()
}

/** Records that a session was used, if the last record is older than `everySeconds`: a write for each page would be too many. */
export async function recordSeen(
  services: Services,
  { id: sessionId, lastSeenAt }: { id: number; lastSeenAt: Date },
  everySeconds: number,
): Promise<void> {
  const now = services.now()
  if (now.getTime() - lastSeenAt.getTime() <= everySeconds * 1000) return
  await Sessions.update(services, { id: sessionId }, { lastSeenAt: now })
}

const ownerColumns = Sessions.pick('userId', 'buyerId')

/** Logs out: the cookie is invalid from now on, on the server too. Returns its owner; undefined if it had ended, or never was a session. */
export async function endSession(
  ctx: AppContext,
  ownerKind: 'userId' | 'buyerId',
  token: string,
): Promise<number | undefined> {
  const column = ownerKind === 'userId' ? 'user_id' : 'buyer_id'
  const [session] = await ownerColumns.rows(
    ctx,
    `UPDATE sessions SET ended_at = :now, end_reason = 'logout'
     WHERE token_hash = :tokenHash AND ended_at IS NULL AND ${column} IS NOT NULL RETURNING ${ownerColumns.columns()}`,
    { now: ctx.now(), tokenHash: hashToken(token) },
  )
  return session?.[ownerKind] ?? undefined
}

/** Ends an owner's sessions, all or all except the one with the token `keep`. Returns how many there were. */
export function endSessions(ctx: AppContext, owner: SessionOwner, reason: EndReason, keep?: string): Promise<number> {
  const { column, ownerId } = ownerColumn(owner)
  return ctx.db.run(
    `UPDATE sessions SET ended_at = :now, end_reason = :reason
     WHERE ${column} = :ownerId AND ended_at IS NULL AND token_hash <> :kept`,
    { now: ctx.now(), reason, ownerId, kept: keep === undefined ? '' : hashToken(keep) },
  )
}

/** Ends the sessions of a publisher's staff, when the publisher is deactivated. */
export async function endStaffSessions(ctx: AppContext, publisherId: number): Promise<void> {
  await ctx.db.run(
    `UPDATE sessions SET ended_at = :now, end_reason = 'deactivated'
     WHERE ended_at IS NULL AND user_id IN (SELECT id FROM users WHERE parent_publisher_id = :publisherId)`,
    { publisherId, now: ctx.now() },
  )
}

/** Keeps one session of an owner valid after their token version was incremented from `before`. */
export async function keepSession(ctx: AppContext, owner: SessionOwner, token: string, before: number): Promise<void> {
  await Sessions.update(
    ctx,
    { ...owner, tokenHash: hashToken(token), tokenVersion: before, endedAt: null },
    { tokenVersion: before + 1 },
  )
}

/** Deletes sessions that ended before a given time. Returns how many there were. */
export function clearSessions(ctx: AppContext, before: Date): Promise<number> {
  return ctx.db.run(`DELETE FROM sessions WHERE expires_at < :before OR ended_at < :before`, { before })
}
