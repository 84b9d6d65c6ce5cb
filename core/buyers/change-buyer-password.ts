import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { newPasswordProblems } from '../access/password-policy.ts'
import { hashPassword, passwordMatches } from '../access/passwords.ts'
import { countTry, forgetTries } from '../access/rate-limit.ts'
import { invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { buyerSubject, ownBuyer } from './live-buyer.ts'
import { buyerTries } from './recognise-buyer.ts'
import { storeBuyerPassword } from './store-buyer-password.ts'

/** Changes the signed-in reader's password. The session with `sessionToken` stays; all others, tokens and open links end, and the reader is told by mail. */
export const changeBuyerPassword = useCase({
  permission: 'buyer',
  input: z.object({
    currentPassword: z
      .string('Enter your current password')
      .min(1, 'Enter your current password')
      .max(200, 'Must be 200 characters or fewer'),
    password: z.string(),
    password2: z.string(),
    sessionToken: z.string().optional(),
  }),
  transaction: 'none',
  alsoCheck: (ctx, raw) => newPasswordProblems(raw, ctx.settings.passwordMinLength),
  async run(ctx, { currentPassword, password, sessionToken }): Promise<{ endedSessions: number }> {
    const buyer = await ownBuyer(ctx)
    const tries = buyerTries(buyer.publication_id, buyer.email)
    await countTry(ctx, tries.key, tries.limit)
    if (!(await passwordMatches(buyer.password_hash, currentPassword))) {
      throw invalid({ currentPassword: 'The current password is not right' })
    }
    await forgetTries(ctx, tries.key)
    if (password === currentPassword) {
      throw invalid({ password: 'This is your current password. Choose another one.' })
    }
    const passwordHash = await hashPassword(password)
    return ctx.db.transaction(async () => {
      const { endedSessions } = await storeBuyerPassword(ctx, buyer, passwordHash, { keep: sessionToken })
      await recordAudit(ctx, 'buyer-change-password', buyerSubject(buyer), { endedSessions })
      await ctx.jobs.enqueue(
        'send-buyer-notice',
        { buyerId: buyer.id, key: randomUUID(), kind: 'password-changed' },
        { publisherId: buyer.publisher_id },
      )
      return { endedSessions }
    })
  },
})
