import type { Actor } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { denied } from '../kernel/errors.ts'
import { type AccountRow, Accounts, accountOfUser } from '../users/accounts.rows.ts'

type StaffActor = Extract<Actor, { kind: 'staff' }>

/** Whoever has an account is a signed-in member of staff. */
export function accountHolder({ actor }: Pick<AppContext, 'actor'>): StaffActor {
  if (actor.kind !== 'staff') throw denied()
  return actor
}

/**
 * The authorisation guard of accounts: whose company account the actor sees. A publisher, a reseller and a superuser its own; a publication
 * administrator its publisher's, which it cannot change; everybody else none.
 */
export function accountInSight(ctx: Pick<AppContext, 'actor'>): { userId: number; isOwn: boolean } | null {
  const { userType, userId, publisherId } = accountHolder(ctx)
  if (userType === 'publisher' || userType === 'reseller' || userType === 'superuser') return { userId, isOwn: true }
  return userType === 'pubadmin' && publisherId !== null ? { userId: publisherId, isOwn: false } : null
}

/** The company account in sight, if it was ever saved. */
export async function storedAccount(ctx: AppContext): Promise<AccountRow | null> {
  const inSight = accountInSight(ctx)
  return inSight && Accounts.find(ctx, { userId: inSight.userId })
}

/** The actor's own account to write in; made when it is saved for the first time. Belongs in a transaction. */
export async function ownAccount(ctx: AppContext): Promise<AccountRow> {
  const inSight = accountInSight(ctx)
  if (!inSight?.isOwn) throw denied()
  return accountOfUser(ctx, inSight.userId)
}
