import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict, denied, invalid } from '../kernel/errors.ts'
import { notifyUser } from '../sessions/notify.ts'
import { useCase } from '../use-case.ts'
import { endLogIns } from './end-log-ins.ts'
import { CodeField, countCodeAttempt } from './second-step.ts'
import { pendingSecret } from './start-two-step.ts'
import { hashRecoveryCode, newRecoveryCodes, plainCode, timeStepOf } from './two-step-codes.ts'
import { userSubject } from './user-subject.ts'
import { Users } from './users.rows.ts'

/**
 * Turns on two-step log-in with the first code of the app, and returns ten recovery codes, which cannot be shown again. The user's other sessions
 * and API tokens, opened with only the password, end.
 */
export const turnOnTwoStep = useCase({
  permission: 'account:write',
  input: z.object({ code: CodeField, sessionToken: z.string().optional() }),
  transaction: 'none',
  async run(ctx, { code, sessionToken }): Promise<{ recoveryCodes: string[] }> {
    if (ctx.actor.kind !== 'staff') throw denied()
    const user = await Users.find(ctx, { id: ctx.actor.userId })
    const secret = user && pendingSecret(ctx, user)
    if (!secret) throw conflict('Start again: this set-up has expired, or two-step log-in is already on.')
    await countCodeAttempt(ctx, user.id)
    const step = timeStepOf(secret, plainCode(code), ctx.now())
    if (step === null) {
      throw invalid({
        code: 'That code is wrong. Enter the six digits that your app shows now; if it happens again, check that your phone sets its clock automatically.',
      })
    }
    const recoveryCodes = newRecoveryCodes()
    await ctx.db.transaction(async () => {
      const pending = { id: user.id, twoStepSince: null, twoStepSecret: user.twoStepSecret }
      const changed = await Users.update(ctx, pending, {
        twoStepSince: ctx.now(),
        twoStepLastStep: step,
        twoStepRecoveryCodes: recoveryCodes.map(hashRecoveryCode),
      })
      if (changed === 0) throw conflict('Start again: this was set up somewhere else a moment ago.')
      const endedSessions = await endLogIns(ctx, user, sessionToken)
      await recordAudit(ctx, 'turn-on-two-step', userSubject(user), { endedSessions })
      await notifyUser(ctx, user.id, 'two-step-on')
    })
    return { recoveryCodes }
  },
})
