import { randomUUID } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { leaveMail } from '../jobs/leave-mail.ts'
import { Users } from './users.rows.ts'

/** Leaves the mail with the link by which a new user sets the first password. Belongs in the transaction that made the user. */
export async function leaveInvitation(ctx: AppContext, userId: number): Promise<void> {
  await Users.update(ctx, { id: userId }, { invitedAt: ctx.now() })
  await leaveMail(ctx, 'invitation', { userId, key: randomUUID() })
}
