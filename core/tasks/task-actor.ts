import type { Actor } from '../access/actor.ts'
import { can } from '../access/permissions.ts'
import type { AppContext } from '../context.ts'
import { denied } from '../kernel/errors.ts'
import { liveStaffActor } from '../users/live-staff-actor.ts'
import type { Task } from './task.ts'
import { taskKindOf } from './task-kinds.ts'

/** The current actor as the requester of a task, for its row. Throws `denied` for buyers and visitors, who cannot request tasks. */
export function requesterOf({ actor }: Pick<AppContext, 'actor'>): { actorKind: string; actorId: number | null } {
  if (actor.kind === 'staff') return { actorKind: 'staff', actorId: actor.userId }
  if (actor.kind === 'operator' || actor.kind === 'system') return { actorKind: actor.kind, actorId: null }
  throw denied()
}

/**
 * The actor on whose behalf a task changes things: the user who requested it, with their current permissions. Throws `denied` if the user can no
 * longer log in or has lost the permission.
 */
export async function taskActor(
  ctx: Pick<AppContext, 'db'>,
  task: Pick<Task, 'kind' | 'actorKind' | 'actorId'>,
): Promise<Actor> {
  const { actor: onBehalfOf, permission, label } = taskKindOf(task.kind)
  if (onBehalfOf === 'system' || task.actorKind === 'system') return { kind: 'system' }
  if (task.actorKind === 'operator') return { kind: 'operator' }
  const actor = task.actorKind === 'staff' && task.actorId !== null ? await liveStaffActor(ctx, task.actorId) : null
  if (!actor) throw denied('The user who requested this, or their publisher, has been deactivated')
  if (!can(actor, permission)) throw denied(`The user who asked for this ${label} may no longer do it`)
  return actor
}
