import { z } from 'zod'
import { CurrentPassword } from '../access/password.input.ts'
import { newPasswordProblems } from '../access/password-policy.ts'
import { hashPassword, passwordMatches } from '../access/passwords.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { invalid } from '../kernel/errors.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { resetAttempts } from '../rate-limits/rate-limits.rows.ts'
import { notifyBuyer } from '../sessions/notify.ts'
import { useCase } from '../use-case.ts'
import { buyerSubject, ownBuyer } from './live-buyer.ts'
import { storeBuyerPassword } from './store-buyer-password.ts'

const perBuyer = { hits: 10, windowSeconds: 15 * 60 }

/**
 * Changes the logged-in buyer's password. All sessions except the one of `sessionToken`, all tokens and all open links become invalid, and the buyer
 * is notified by email.
 */
export const changeBuyerPassword = useCase({
  permission: 'buyer',
  input: z.object({
    currentPassword: CurrentPassword,
    password: z.string('Required'),
    password2: z.string('Required'),
    sessionToken: z.string().optional(),
  }),
  transaction: 'none',
  alsoCheck: (ctx, raw) => newPasswordProblems(raw, ctx.settings.passwordMinLength),
  async run(ctx, { currentPassword, password, sessionToken }): Promise<{ endedSessions: number }> {
    const buyer = await ownBuyer(ctx)
    // Counted per buyer, not per email or network: only the logged-in buyer can use up these attempts.
    const key = `confirm-buyer:${buyer.id}`
    await countAttempt(ctx, key, perBuyer)
    if (!(await passwordMatches(buyer.passwordHash, currentPassword))) {
      throw invalid({ currentPassword: 'The current password is wrong' })
    }
    await resetAttempts(ctx, key)
    if (password === currentPassword) {
      throw invalid({ password: 'This is your current password. Choose another one.' })
    }
    const passwordHash = await hashPassword(password)
    return ctx.db.transaction(async () => {
      const { endedSessions } = await storeBuyerPassword(ctx, buyer, passwordHash, { keep: sessionToken })
      await recordAudit(ctx, 'buyer-change-password', buyerSubject(buyer), { endedSessions })
      await notifyBuyer(ctx, buyer, 'password-changed')
      return { endedSessions }
    })
  },
})
