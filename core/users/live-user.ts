import type { AppContext } from '../context.ts'
import type { UserRow } from './users.rows.ts'
import { Users } from './users.rows.ts'

/** Whether a user may use the back office: the user is active and, for a publisher's staff, the publisher too. */
export async function isLive(
  ctx: Pick<AppContext, 'db'>,
  user: Pick<UserRow, 'isActive' | 'userType' | 'parentPublisherId'>,
): Promise<boolean> {
  if (!user.isActive) return false
  if (!['pubadmin', 'admin', 'mailer'].includes(user.userType)) return true
  if (user.parentPublisherId === null) return false
  const parent = await Users.find(ctx, { id: user.parentPublisherId })
  return parent?.isActive === true
}
