import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { notifyUser } from '../sessions/notify.ts'
import { useCase } from '../use-case.ts'
import { endLogIns } from './end-log-ins.ts'
import { requireManagedUser } from './require-managed-user.ts'
import { userSubject } from './user-subject.ts'
import { Users } from './users.rows.ts'

/**
 * Turns off two-step log-in for a user who lost the device and the recovery codes. Every session ends, since somebody else may have the device, and
 * the user is notified by email.
 */
export const resetTwoStep = useCase({
  permission: 'user:write',
  input: z.object({ id: z.coerce.number().int() }),
  async run(ctx, { id }): Promise<{ id: number }> {
    const target = await requireManagedUser(ctx, 'resetTwoStep', id)
    if (target.twoStepSince === null) throw conflict('Two-step log-in is not on for this user.')
    await Users.update(
      ctx,
      { id: target.id },
      {
        twoStepSecret: null,
        twoStepRecoveryCodes: null,
        twoStepSince: null,
        twoStepLastStep: null,
      },
    )
    await endLogIns(ctx, target)
    await recordAudit(ctx, 'turn-off-two-step', userSubject(target))
    await notifyUser(ctx, target.id, 'two-step-off')
    return { id: target.id }
  },
})
