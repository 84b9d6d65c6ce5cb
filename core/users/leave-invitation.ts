import { randomUUID } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { leaveMail } from '../jobs/leave-mail.ts'

/** Leaves the mail with the link by which a new user sets the first password. Belongs in the transaction that made the user. */
export async function leaveInvitation(ctx: AppContext, userId: number): Promise<void> {
  await ctx.db.run(`UPDATE users SET invited_at = :now, updated_at = :now WHERE id = :userId`, {
    userId,
    now: ctx.now(),
  })
  await leaveMail(ctx, 'invitation', { userId, key: randomUUID() })
}
