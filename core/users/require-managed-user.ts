import type { AppContext } from '../context.ts'
import { denied } from '../kernel/errors.ts'
import { ownUser } from './own-user.ts'
import { denialReason, type UserAction } from './user-rights.rules.ts'
import type { UserRow } from './users.rows.ts'

/**
 * A user the actor manages and may do this to: one it does not manage is not found, one that it manages but may not
 * change is denied with the reason.
 */
export async function requireManagedUser(ctx: AppContext, action: UserAction, id: number): Promise<UserRow> {
  const user = await ownUser(ctx, id)
  const reason = denialReason(ctx.actor, action, user)
  if (reason) throw denied(reason)
  return user
}
