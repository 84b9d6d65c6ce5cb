import type { Actor } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { isLive } from './live-user.ts'
import { staffActor } from './staff-actor.ts'
import { Users } from './users.rows.ts'

/** A user's current actor; null if the user was removed, or could not log in since they or their publisher are deactivated. */
export async function liveStaffActor(ctx: Pick<AppContext, 'db'>, userId: number): Promise<Actor | null> {
  const user = await Users.find(ctx, { id: userId })
  return user && (await isLive(ctx, user)) ? staffActor(user) : null
}
