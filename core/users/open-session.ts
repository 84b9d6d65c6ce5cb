import type { UserType } from '../access/user-types.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { type SessionHours, startSession } from '../sessions/sessions.rows.ts'
import { userSubject } from './user-subject.ts'
import { type UserRow, Users } from './users.rows.ts'

/** How long staff stays logged in. */
export const sessionHours: SessionHours = { absolute: 24 * 7, idle: 12 }

export interface OpenedSession {
  /** For an HttpOnly cookie; only its hash is stored. */
  sessionToken: string
  userType: UserType
  expiresAt: Date
}

/** Opens a new session for a user who has passed all checks. Call it in a transaction. */
export async function openSession(ctx: AppContext, user: UserRow): Promise<OpenedSession> {
  const { tokenVersion } = user
  const { sessionToken, expiresAt } = await startSession(
    ctx,
    { userId: user.id },
    { tokenVersion, hours: sessionHours },
  )
  await Users.update(ctx, { id: user.id }, { lastLoginAt: ctx.now() })
  await recordAudit(ctx, 'log-in', userSubject(user))
  return { sessionToken, userType: user.userType, expiresAt }
}
