import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { notifyUser } from '../sessions/notify.ts'
import { useCase } from '../use-case.ts'
import { confirmPassword } from './confirm-password.ts'
import { endLogIns } from './end-log-ins.ts'
import { needsTwoStep } from './sessions.ts'
import { userSubject } from './user-subject.ts'
import { Users } from './users.rows.ts'

/** Turns off two-step log-in after checking the password, unless the installation requires it. Ends the user's other sessions and API tokens. */
export const turnOffTwoStep = useCase({
  permission: 'account:write',
  input: z.object({
    currentPassword: z.string().max(200, 'Must be 200 characters or fewer').default(''),
    sessionToken: z.string().optional(),
  }),
  transaction: 'none',
  async run(ctx, { currentPassword, sessionToken }): Promise<{ endedSessions: number }> {
    const user = await confirmPassword(ctx, currentPassword)
    if (needsTwoStep(ctx, user.userType)) {
      throw conflict(
        'Two-step log-in cannot be turned off: this installation requires it. You can create new recovery codes instead.',
      )
    }
    if (!user.twoStepSince) throw conflict('Two-step log-in is already off.')
    return ctx.db.transaction(async () => {
      await Users.update(
        ctx,
        { id: user.id },
        {
          twoStepSecret: null,
          twoStepRecoveryCodes: null,
          twoStepSince: null,
          twoStepLastStep: null,
        },
      )
      const endedSessions = await endLogIns(ctx, user, sessionToken)
      await recordAudit(ctx, 'turn-off-two-step', userSubject(user), { endedSessions })
      await notifyUser(ctx, user.id, 'two-step-off')
      return { endedSessions }
    })
  },
})
