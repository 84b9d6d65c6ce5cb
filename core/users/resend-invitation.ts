import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { enqueueInvitation } from './enqueue-invitation.ts'
import { isLive } from './live-user.ts'
import { requireManagedUser } from './require-managed-user.ts'
import { userSubject } from './user-subject.ts'

const perUser = { hits: 5, windowSeconds: 60 * 60 }

/** Resends the invitation to a user who never set a password. */
export const resendInvitation = useCase({
  permission: 'user:write',
  input: z.object({ id: z.coerce.number().int() }),
  async run(ctx, { id }): Promise<{ id: number; email: string }> {
    const target = await requireManagedUser(ctx, 'edit', id)
    if (target.passwordHash !== null)
      throw conflict('This user already has a password. A forgotten password can be reset on the log-in page.')
    if (!target.isActive) throw conflict('This user is deactivated. Reactivate the user first.')
    if (!(await isLive(ctx, target)))
      throw conflict(
        'The publisher of this user is deactivated, so the link would not work. Reactivate the publisher first.',
      )
    await countAttempt(ctx, `invite:${target.id}`, perUser)
    await enqueueInvitation(ctx, target.id)
    await recordAudit(ctx, 'invite-user', userSubject(target))
    return { id: target.id, email: target.email }
  },
})
