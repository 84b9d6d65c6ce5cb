import { z } from 'zod'
import { CurrentPassword } from '../access/password.input.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { EmailAddress } from '../kernel/email-address.ts'
import { type FieldErrors, invalid } from '../kernel/errors.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { notifyUser } from '../sessions/notify.ts'
import { voidLinks } from '../sessions/password-resets.rows.ts'
import { endSessions } from '../sessions/sessions.rows.ts'
import { useCase } from '../use-case.ts'
import { confirmPassword } from '../users/confirm-password.ts'
import { emailTakenProblem, reportTakenEmail } from '../users/taken-email.ts'
import { userSubject } from '../users/user-subject.ts'
import { changeUser } from '../users/users.rows.ts'
import { accountHolder } from './own-account.ts'

/** Limits how many addresses a user may try, so that this cannot be used to find out who has an account. */
const perUser = { hits: 20, windowSeconds: 60 * 60 }

/**
 * Changes the logged-in user's own log-in email. Asks for the password; the session with `sessionToken` stays, the others and the open
 * reset links end, and both addresses are notified.
 */
export const changeEmail = useCase({
  permission: 'account:write',
  input: z.object({
    email: EmailAddress,
    currentPassword: CurrentPassword,
    sessionToken: z.string().optional(),
  }),
  transaction: 'none',
  alsoCheck: emailProblems,
  async run(ctx, { email, currentPassword, sessionToken }): Promise<void> {
    const user = await confirmPassword(ctx, currentPassword)
    if (user.email === email) throw invalid({ email: 'This is already your email' })
    await reportTakenEmail(() => ctx.db.transaction(() => writeEmail(ctx, user, email, sessionToken)))
  },
})

/** The error for an email that another user already has, ignoring case. */
export async function emailProblems(ctx: AppContext, raw: Record<string, unknown>): Promise<FieldErrors> {
  if (typeof raw.email !== 'string') return {}
  const { userId } = accountHolder(ctx)
  await countAttempt(ctx, `change-email:${userId}`, perUser)
  return emailTakenProblem(ctx, raw.email, userId)
}

/** Writes the new email and performs all dependent changes. Call it in a transaction, after the password was confirmed. */
export async function writeEmail(
  ctx: AppContext,
  user: Awaited<ReturnType<typeof confirmPassword>>,
  email: string,
  sessionToken?: string,
): Promise<void> {
  const { id: userId, email: former } = user
  await changeUser(ctx, userId, { email })
  const endedSessions = await endSessions(ctx, { userId }, 'email-changed', sessionToken)
  await voidLinks(ctx, { userId })
  await recordAudit(ctx, 'change-email', userSubject(user), { endedSessions })
  await notifyUser(ctx, userId, 'email-changed')
  // The reader of the old address may not have requested this change.
  await notifyUser(ctx, userId, 'email-changed', former)
}
