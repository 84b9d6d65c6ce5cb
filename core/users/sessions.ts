import type { Actor } from '../access/actor.ts'
import { recordAudit } from '../access/audit.ts'
import { hashToken } from '../access/tokens.ts'
import type { UserType } from '../access/user-types.ts'
import type { AppContext, Services } from '../context.ts'
import { asBoolean, asInstant } from '../database.ts'
import type { EndReason } from './end-sessions.ts'
import { sessionHours } from './open-session.ts'
import { staffActor } from './staff-actor.ts'

interface SessionRow {
  id: number
  token_version: number
  last_seen_at: Date | string
  expires_at: Date | string
  ended_at: Date | string | null
  end_reason: EndReason | null
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
  /** This installation asks for two-step login and the user has not set it up: every screen leads there first. */
  mustSetUpTwoStep: boolean
}

/** Why a session is over, as exactly as it is known. `changed`: the password or the role, without a word which. */
export type SessionEnd = 'expired' | 'signed-out' | 'changed' | 'unknown' | Exclude<EndReason, 'logout'>

/** What a cookie is worth: a live session, or the reason it is not (shown on /login). */
export type SessionAnswer = { session: StaffSession } | { ended: SessionEnd }

/**
 * Reads a session by the token of its cookie. It is over after logout, its absolute or idle end, deactivation (also of the
 * publisher a user belongs to), and any password or role change (the user's token version moved on).
 */
export async function readSession(services: Services, token: string): Promise<SessionAnswer> {
  const { db } = services
  const [row] = await db.query<SessionRow>(
    `SELECT s.id, s.token_version, s.last_seen_at, s.expires_at, s.ended_at, s.end_reason, s.user_id, u.user_type, u.email, u.first_name, u.last_name,
            u.parent_publisher_id, u.token_version AS current_version, u.two_step_since, u.avatar_file, a.company_name,
            CASE WHEN u.is_active AND (u.user_type NOT IN ('pubadmin', 'admin', 'mailer') OR p.is_active) THEN 1 ELSE 0 END AS is_live
     FROM sessions s JOIN users u ON u.id = s.user_id
     LEFT JOIN users p ON p.id = u.parent_publisher_id
     LEFT JOIN accounts a ON a.user_id = COALESCE(u.parent_publisher_id, u.id)
     WHERE s.token_hash = :tokenHash`,
    { tokenHash: hashToken(token) },
  )
  if (!row) return { ended: 'unknown' }
  const now = services.now().getTime()
  const lastSeen = asInstant(row.last_seen_at).getTime()
  if (!asBoolean(row.is_live)) return { ended: 'deactivated' }
  if (row.ended_at) {
    return { ended: row.end_reason === null || row.end_reason === 'logout' ? 'signed-out' : row.end_reason }
  }
  if (row.token_version !== row.current_version) return { ended: 'changed' }
  if (asInstant(row.expires_at).getTime() <= now || lastSeen + sessionHours.idle * 3_600_000 <= now)
    return { ended: 'expired' }
  // Once a minute is enough to keep a session alive and saves a write per request.
  if (now - lastSeen > 60_000)
    await db.run(`UPDATE sessions SET last_seen_at = :now WHERE id = :id`, { now: services.now(), id: row.id })
  return {
    session: {
      actor: staffActor({
        id: row.user_id,
        userType: row.user_type,
        email: row.email,
        parentPublisherId: row.parent_publisher_id,
      }),
      name: `${row.first_name} ${row.last_name}`.trim(),
      companyName: row.company_name ?? '',
      avatarFile: row.avatar_file,
      mustSetUpTwoStep: row.two_step_since === null && needsTwoStep(services, row.user_type),
    },
  }
}

/** Whether this installation asks a user of this type for two-step login. */
export function needsTwoStep({ settings }: Pick<Services, 'settings'>, userType: UserType): boolean {
  return settings.requireTwoStep === 'all' || settings.requireTwoStep === userType
}

/** Logs out: the cookie is worth nothing from now on, on the server too. */
export async function endSession(ctx: AppContext, token: string): Promise<void> {
  await ctx.db.transaction(async () => {
    const [session] = await ctx.db.query<{ user_id: number }>(
      `UPDATE sessions SET ended_at = :now, end_reason = 'logout' WHERE token_hash = :tokenHash AND ended_at IS NULL
       RETURNING user_id`,
      { now: ctx.now(), tokenHash: hashToken(token) },
    )
    if (session) await recordAudit(ctx, 'log-out', { type: 'user', id: session.user_id })
  })
}
