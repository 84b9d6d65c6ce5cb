import type { UserType } from '../access/user-types.ts'
import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { denied } from '../kernel/errors.ts'
import { staffActor } from '../users/staff-actor.ts'

/**
 * The worker's context in the name of whoever asked for the work (null: the machine's operator): what it changes is theirs, with the rights they have now. Who has left
 * or may not import any more ends the upload.
 */
export async function asUploader(ctx: AppContext, userId: number | null): Promise<AppContext> {
  if (userId === null) return { ...ctx, actor: { kind: 'operator' } }
  const [user] = await ctx.db.query<{
    id: number
    user_type: UserType
    email: string
    parent_publisher_id: number | null
    is_active: boolean | number
  }>(`SELECT id, user_type, email, parent_publisher_id, is_active FROM users WHERE id = :id`, { id: userId })
  if (!user || !asBoolean(user.is_active)) throw denied('The user who uploaded this file has been deactivated')
  const { id, user_type: userType, email, parent_publisher_id: parent } = user
  const parentPublisherId = parent === null ? null : Number(parent)
  return { ...ctx, actor: staffActor({ id: Number(id), userType, email, parentPublisherId }) }
}
