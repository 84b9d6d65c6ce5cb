import { randomUUID } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { Users } from './users.rows.ts'

/** Enqueues the email with the link for setting the first password. Call it in the transaction that adds or changes the user. */
export async function enqueueInvitation(ctx: AppContext, userId: number): Promise<void> {
  await Users.update(ctx, { id: userId }, { invitedAt: ctx.now() })
  await enqueueMail(ctx, 'invitation', { userId, key: randomUUID() })
}
