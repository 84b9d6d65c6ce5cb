import type { AppContext } from '../context.ts'
import { denied } from '../kernel/errors.ts'
import { liveStaffActor } from '../users/live-staff-actor.ts'

/**
 * The worker's context in the name of whoever asked for the work (null: the machine's operator): what it changes is theirs, with the rights
 * they have now. Who has left, or whose publisher has, ends the upload; so does who may not import any more.
 */
export async function asUploader(ctx: AppContext, userId: number | null): Promise<AppContext> {
  if (userId === null) return { ...ctx, actor: { kind: 'operator' } }
  const actor = await liveStaffActor(ctx, userId)
  if (!actor) throw denied('The user who uploaded this file, or their publisher, has been deactivated')
  return { ...ctx, actor }
}
