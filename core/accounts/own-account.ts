import type { Actor } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { denied } from '../kernel/errors.ts'
import { type AccountRow, Accounts, accountOfUser } from '../users/accounts.rows.ts'

type StaffActor = Extract<Actor, { kind: 'staff' }>

/** The acting user; throws `denied` for a caller who is not logged in to the back office. */
export function accountHolder({ actor }: Pick<AppContext, 'actor'>): StaffActor {
  if (actor.kind !== 'staff') throw denied()
  return actor
}

/**
 * The authorisation guard of accounts: whose company account the actor may see. Publishers, resellers and superusers see their own;
 * publication administrators see their publisher's, read-only; all others none.
 */
export function visibleAccount(ctx: Pick<AppContext, 'actor'>): { userId: number; isOwn: boolean } | null {
  const { userType, userId, publisherId } = accountHolder(ctx)
  if (userType === 'publisher' || userType === 'reseller' || userType === 'superuser') return { userId, isOwn: true }
  return userType === 'pubadmin' && publisherId !== null ? { userId: publisherId, isOwn: false } : null
}

/** The company account the actor may see, if one has been saved. */
export async function storedAccount(ctx: AppContext): Promise<AccountRow | null> {
  const visible = visibleAccount(ctx)
  return visible && Accounts.find(ctx, { userId: visible.userId })
}

/** The actor's own account, to be written; created on first use. Call it in a transaction. */
export async function ownAccount(ctx: AppContext): Promise<AccountRow> {
  const visible = visibleAccount(ctx)
  if (!visible?.isOwn) throw denied()
  return accountOfUser(ctx, visible.userId)
}
