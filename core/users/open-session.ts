import { recordAudit } from '../access/audit.ts'
import { hashToken, newToken } from '../access/tokens.ts'
import type { UserType } from '../access/user-types.ts'
import type { AppContext } from '../context.ts'
import type { Stored } from '../model.ts'
import type { UserRow } from './user.model.ts'
import { userSubject } from './user-subject.ts'

/** How long a session lives at the most, and how long it may lie idle, in hours. */
export const sessionHours = { absolute: 24 * 7, idle: 12 }

export interface OpenedSession {
  /** For an HttpOnly cookie; stored hashed only. */
  sessionToken: string
  userType: UserType
  expiresAt: Date
}

/** Opens a fresh session for a user who has shown all that was asked. Belongs in a transaction. */
export async function openSession(ctx: AppContext, user: Stored<UserRow>): Promise<OpenedSession> {
  const sessionToken = newToken()
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + sessionHours.absolute * 3_600_000)
  await ctx.db.run(
    `INSERT INTO sessions (token_hash, user_id, token_version, started_at, last_seen_at, expires_at, address)
     VALUES (:tokenHash, :userId, :tokenVersion, :now, :now, :expiresAt, :address)`,
    {
      tokenHash: hashToken(sessionToken),
      userId: user.id,
      tokenVersion: user.tokenVersion,
      now,
      expiresAt,
      address: ctx.origin.address ?? null,
    },
  )
  await user.update({ lastLoginAt: now })
  await recordAudit(ctx, 'log-in', userSubject(user))
  return { sessionToken, userType: user.userType, expiresAt }
}
