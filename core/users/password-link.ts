import { hashToken, newToken } from '../access/tokens.ts'
import type { UserType } from '../access/user-types.ts'
import type { AppContext } from '../context.ts'
import type { Stored } from '../model.ts'
import { isLive } from './live-user.ts'
import { type UserRow, Users } from './user.model.ts'

/** What a link that sets a password is for: a forgotten one, or the first one of somebody new. */
export type LinkPurpose = 'reset' | 'invitation'

const linkHours: Record<LinkPurpose, number> = { reset: 1, invitation: 7 * 24 }

/** A link as its mail needs it. The token in it is nowhere else: only its hash is stored. */
export interface MadeLink {
  url: string
  email: string
  name: string
  userType: UserType
  /** Of the publisher the user belongs to, or empty. */
  companyName: string
}

/** Makes a link for a live user and voids the older ones of its purpose; null where there is no such user any more. */
export async function makePasswordLink(
  ctx: AppContext,
  userId: number,
  purpose: LinkPurpose,
): Promise<MadeLink | null> {
  const user = await Users(ctx).findByPk(userId)
  if (!user || !(await isLive(ctx, user))) return null
  const token = newToken()
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + linkHours[purpose] * 3_600_000)
  await ctx.db.transaction(async () => {
    await ctx.db.run(
      `UPDATE password_resets SET used_at = :now WHERE user_id = :userId AND purpose = :purpose AND used_at IS NULL`,
      { now, userId, purpose },
    )
    await ctx.db.run(
      `INSERT INTO password_resets (token_hash, user_id, purpose, expires_at, created_at)
       VALUES (:tokenHash, :userId, :purpose, :expiresAt, :now)`,
      { tokenHash: hashToken(token), userId, purpose, expiresAt, now },
    )
  })
  const [account] = await ctx.db.query<{ company_name: string | null }>(
    `SELECT company_name FROM accounts WHERE user_id = :id`,
    { id: user.parentPublisherId ?? user.id },
  )
  return {
    url: `${ctx.settings.appUrl}/reset/${token}`,
    email: user.email,
    name: `${user.firstName} ${user.lastName}`.trim(),
    userType: user.userType,
    companyName: account?.company_name ?? '',
  }
}

/** The link that a token opens and whose it is; null for an unknown, used, voided or expired one, and for a user who is not live. */
export async function openPasswordLink(
  ctx: AppContext,
  token: string,
): Promise<{ id: number; purpose: LinkPurpose; user: Stored<UserRow> } | null> {
  const [link] = await ctx.db.query<{ id: number; user_id: number; purpose: LinkPurpose }>(
    `SELECT id, user_id, purpose FROM password_resets
     WHERE token_hash = :tokenHash AND user_id IS NOT NULL AND used_at IS NULL AND expires_at > :now`,
    { tokenHash: hashToken(token), now: ctx.now() },
  )
  const user = link && (await Users(ctx).findByPk(link.user_id))
  if (!link || !user || !(await isLive(ctx, user))) return null
  return { id: link.id, purpose: link.purpose, user }
}
