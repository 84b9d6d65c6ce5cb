import type { UserType } from '../access/user-types.ts'
import type { AppContext } from '../context.ts'
import { findLink, type LinkPurpose, makeLink } from '../sessions/password-resets.rows.ts'
import { isLive } from './live-user.ts'
import { type UserRow, Users } from './users.rows.ts'

/** A link with the data of its email. The token is only in the link: the database has its hash. */
export interface PasswordLink {
  url: string
  email: string
  name: string
  userType: UserType
  /** The company of the user or of the user's publisher; empty if there is none. */
  companyName: string
}

/** Makes a link for a user and voids older links with the same purpose; null if the user may not log in (`isLive`). */
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

/** The link of a token, with its user; null if it is unknown, used, voided or expired, or if the user may not log in (`isLive`). */
export async function openPasswordLink(
  ctx: AppContext,
  token: string,
): Promise<{ id: number; purpose: LinkPurpose; user: UserRow } | null> {
  const link = await findLink(ctx, 'userId', token)
  const user = link && (await Users.find(ctx, { id: link.ownerId }))
  if (!link || !user || !(await isLive(ctx, user))) return null
  return { id: link.id, purpose: link.purpose, user }
}
