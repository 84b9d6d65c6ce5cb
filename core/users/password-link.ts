import type { UserType } from '../access/user-types.ts'
import type { AppContext } from '../context.ts'
import { findLink, type LinkPurpose, makeLink } from '../sessions/password-resets.rows.ts'
import { isLive } from './live-user.ts'
import { type UserRow, Users } from './users.rows.ts'

/** A link as its email needs it. The token is stored nowhere else: only its hash is. */
export interface PasswordLink {
  url: string
  email: string
  name: string
  userType: UserType
  /** Of the publisher the user belongs to, or empty. */
  companyName: string
}

/** Makes a link for a live user and voids the older ones of its purpose; null if the user is not live. */
export async function makePasswordLink(
  ctx: AppContext,
  userId: number,
  purpose: LinkPurpose,
): Promise<PasswordLink | null> {
  const user = await Users.find(ctx, { id: userId })
  if (!user || !(await isLive(ctx, user))) return null
  const token = await makeLink(ctx, { userId }, purpose)
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

/** The link that a token opens, and its user; null for an unknown, used, voided or expired one, and for a user who is not live. */
export async function openPasswordLink(
  ctx: AppContext,
  token: string,
): Promise<{ id: number; purpose: LinkPurpose; user: UserRow } | null> {
  const link = await findLink(ctx, 'userId', token)
  const user = link && (await Users.find(ctx, { id: link.ownerId }))
  if (!link || !user || !(await isLive(ctx, user))) return null
  return { id: link.id, purpose: link.purpose, user }
}
