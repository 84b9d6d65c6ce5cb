import type { Actor } from '../access/actor.ts'
import { hashToken } from '../access/tokens.ts'
import type { UserType } from '../access/user-types.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext, Services } from '../context.ts'
import { asBoolean } from '../database.ts'
import { type EndReason, endSession, isExpired, recordSeen, Sessions } from '../sessions/sessions.rows.ts'
import { sessionHours } from './open-session.ts'
import { staffActor } from './staff-actor.ts'

const session = Sessions.pick('id', 'tokenVersion', 'lastSeenAt', 'expiresAt', 'endedAt', 'endReason')

/** The user of a session, read together with it. */
interface SessionOwner {
  user_id: number
  user_type: UserType
  email: string
  first_name: string
  last_name: string
  parent_publisher_id: number | null
  current_version: number
  is_live: unknown
  two_step_since: Date | string | null
  avatar_file: string | null
  company_name: string | null
}

export interface StaffSession {
  actor: Actor
  name: string
  companyName: string
  avatarFile: string | null
  /** This installation requires two-step log-in and the user has not set it up: every page redirects there first. */
  mustSetUpTwoStep: boolean
}

/** Why a session ended. `changed`: the password or the role was changed, but it is not known which. */
export type SessionEnd = 'expired' | 'signed-out' | 'changed' | 'unknown' | Exclude<EndReason, 'logout'>

/** The result for a cookie: a valid session, or why it is not valid (shown on the log-in page) and the type of its user, if known. */
export type SessionResult = { session: StaffSession } | { ended: SessionEnd; userType?: UserType }

/**
 * Reads a session by the token of its cookie. A session ends when the user logs out, when its absolute or idle time is over, when the user or the
 * user's publisher is deactivated, and when the password, the role or two-step log-in changes (which increments the user’s token version).
 */
export async function readSession(services: Services, token: string): Promise<SessionResult> {
  const [row] = await session.rows<SessionOwner>(
    services,
    `SELECT ${session.columns('s')}, s.user_id, u.user_type, u.email, u.first_name, u.last_name,
            u.parent_publisher_id, u.token_version AS current_version, u.two_step_since, u.avatar_file, a.company_name,
            CASE WHEN u.is_active AND (u.user_type NOT IN ('pubadmin', 'admin', 'mailer') OR p.is_active) THEN 1 ELSE 0 END AS is_live
     FROM sessions s JOIN users u ON u.id = s.user_id
     LEFT JOIN users p ON p.id = u.parent_publisher_id
     LEFT JOIN accounts a ON a.user_id = COALESCE(u.parent_publisher_id, u.id)
     WHERE s.token_hash = :tokenHash`,
    { tokenHash: hashToken(token) },
  )
  if (!row) return { ended: 'unknown' }
  const userType = row.user_type
  if (!asBoolean(row.is_live)) return { ended: 'deactivated', userType }
  if (row.endedAt) {
    return { ended: row.endReason === null || row.endReason === 'logout' ? 'signed-out' : row.endReason, userType }
  }
  if (row.tokenVersion !== row.current_version) return { ended: 'changed', userType }
  if (isExpired(row, sessionHours, services.now())) return { ended: 'expired', userType }
  await recordSeen(services, row, 60)
  return {
    session: {
      actor: staffActor({
        id: row.user_id,
        userType,
        email: row.email,
        parentPublisherId: row.parent_publisher_id,
      }),
      name: `${row.first_name} ${row.last_name}`.trim(),
      companyName: row.company_name ?? '',
      avatarFile: row.avatar_file,
      mustSetUpTwoStep: row.two_step_since === null && needsTwoStep(services, userType),
    },
  }
}

/** Whether this installation requires two-step log-in for this type of user. */
export function needsTwoStep({ settings }: Pick<Services, 'settings'>, userType: UserType): boolean {
  return settings.requireTwoStep === 'all' || settings.requireTwoStep === userType
}

/** Logs out: ends the session on the server, so that its cookie is no longer valid. */
export async function logOut(ctx: AppContext, token: string): Promise<void> {
  await ctx.db.transaction(async () => {
    const userId = await endSession(ctx, 'userId', token)
    if (userId !== undefined) await recordAudit(ctx, 'log-out', { type: 'user', id: userId })
  })
}
