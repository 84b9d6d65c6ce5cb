import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { confirmPassword } from './confirm-password.ts'
import { hashRecoveryCode, newRecoveryCodes } from './two-step-codes.ts'
import { userSubject } from './user-subject.ts'
import { Users } from './users.rows.ts'

/** Creates ten new recovery codes, which are shown only once; the old codes become invalid. */
export const makeRecoveryCodes = useCase({
  permission: 'account:write',
  input: z.object({ currentPassword: z.string().max(200, 'Must be 200 characters or fewer').default('') }),
  transaction: 'none',
  async run(ctx, { currentPassword }): Promise<{ recoveryCodes: string[] }> {
    const user = await confirmPassword(ctx, currentPassword)
    if (!user.twoStepSince) throw conflict('Two-step log-in is off. Turn it on to get recovery codes.')
    const recoveryCodes = newRecoveryCodes()
    await ctx.db.transaction(async () => {
      await Users.update(ctx, { id: user.id }, { twoStepRecoveryCodes: recoveryCodes.map(hashRecoveryCode) })
      await recordAudit(ctx, 'make-recovery-codes', userSubject(user))
    })
    return { recoveryCodes }
  },
})
