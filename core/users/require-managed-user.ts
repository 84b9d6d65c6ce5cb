import type { AppContext } from '../context.ts'
import { denied } from '../kernel/errors.ts'
import { ownUser } from './own-user.ts'
import { denialReason, type UserAction } from './user-rights.rules.ts'
import type { UserRow } from './users.rows.ts'

/**
 * A user on whom the actor may perform an action. A user that the actor does not manage is `notFound`; if the actor manages the user but may not
 * perform the action, it is `denied` with the reason.
 */
export async function requireManagedUser(ctx: AppContext, action: UserAction, id: number): Promise<UserRow> {
  const user = await ownUser(ctx, id)
  const reason = denialReason(ctx.actor, action, user)
  if (reason) throw denied(reason)
  return user
}
