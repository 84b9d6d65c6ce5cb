import { z } from 'zod'
import { unseal } from '../access/sealed.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { invalid, isAppError } from '../kernel/errors.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { resetAttempts } from '../rate-limits/rate-limits.rows.ts'
import { notifyUser } from '../sessions/notify.ts'
import { hashRecoveryCode, plainCode, timeStepOf } from './two-step-codes.ts'
import { userSubject } from './user-subject.ts'
import { lockedUser, takeTwoStepCode, type UserRow, Users } from './users.rows.ts'

const perUser = { hits: 10, windowSeconds: 15 * 60 }

/** A code as a field of a form or of an API call. */
export const CodeField = z
  .string('Enter the code')
  .trim()
  .min(1, 'Enter the code')
  .max(60, 'That is too long for a code')

const wrongCode = 'That code is wrong. Enter the six digits that your app shows now, or a recovery code.'
const usedCode = 'That code has been used. Wait until your app shows the next one, and enter that.'

/** Counts a guess at a user's codes. Call it outside a transaction, whose rollback would undo the count. */
export async function countCodeAttempt(ctx: AppContext, userId: number): Promise<void> {
  await countAttempt(ctx, `two-step:${userId}`, perUser)
}

export async function resetCodeAttempts(ctx: AppContext, userId: number): Promise<void> {
  await resetAttempts(ctx, `two-step:${userId}`)
}

/** Uses up the code of the second step and runs the log-in in the same transaction. A refused code is recorded in the activity log. */
export async function withSecondStep<Result>(
  ctx: AppContext,
  user: UserRow,
  code: string,
  logIn: () => Promise<Result>,
): Promise<Result> {
  await countCodeAttempt(ctx, user.id)
  try {
    const result = await ctx.db.transaction(async () => {
      await takeCode(ctx, user.id, plainCode(code))
      return logIn()
    })
    await resetCodeAttempts(ctx, user.id)
    return result
  } catch (error) {
    if (isAppError(error) && error.kind === 'invalid') {
      await recordAudit(ctx, 'log-in-refused', userSubject(user), { step: 'code' })
    }
    throw error
  }
}

/** Marks a code as used. A code is valid once: if it is used twice concurrently, the second use is refused. */
async function takeCode(ctx: AppContext, userId: number, code: string): Promise<void> {
  const user = await lockedUser(ctx, userId)
  if (!user?.twoStepSince) throw invalid({ code: wrongCode })
  if (/^\d{6}$/.test(code)) await takeAppCode(ctx, user, code)
  else await takeRecoveryCode(ctx, user, code)
}

async function takeAppCode(ctx: AppContext, user: UserRow, code: string): Promise<void> {
  const secret = unseal(ctx.settings.appSecret, 'two-step', user.twoStepSecret)
  const step = secret === null ? null : timeStepOf(secret, code, ctx.now())
  if (step === null) throw invalid({ code: wrongCode })
  if (!(await takeTwoStepCode(ctx, user.id, step))) throw invalid({ code: usedCode })
}

async function takeRecoveryCode(ctx: AppContext, user: UserRow, code: string): Promise<void> {
  const codes = user.twoStepRecoveryCodes ?? []
  const remaining = codes.filter((hash) => hash !== hashRecoveryCode(code))
  if (remaining.length === codes.length) throw invalid({ code: wrongCode })
  await Users.update(ctx, { id: user.id }, { twoStepRecoveryCodes: remaining })
  await recordAudit(ctx, 'use-recovery-code', userSubject(user), { left: remaining.length })
  await notifyUser(ctx, user.id, 'recovery-code-used')
}
