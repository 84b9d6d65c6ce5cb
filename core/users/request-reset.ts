import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { emailToFind } from '../kernel/email-address.ts'
import { CaptchaField } from '../rate-limits/captcha.ts'
import { countGuess, type GuessLimit } from '../rate-limits/guess-limit.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { isLive } from './live-user.ts'
import { userSubject } from './user-subject.ts'
import { Users } from './users.rows.ts'

/** Limits the emails to one account, which would otherwise be a nuisance. */
const resetLimit: GuessLimit = {
  name: 'forgot',
  fromAddress: { hits: 5, windowSeconds: 60 * 60 },
  ofAccount: { hits: 10, windowSeconds: 60 * 60 },
}
const missing = 'Enter the email you log in with'
const perNetwork = { hits: 20, windowSeconds: 60 * 60 }

/**
 * Emails a link to a user who has forgotten the password. The specification requires that an unknown email is reported; a user who is deactivated, or
 * whose publisher is, counts as unknown.
 */
export const requestReset = useCase({
  permission: 'public',
  input: z.object({
    email: emailToFind(missing),
    captcha: CaptchaField,
  }),
  transaction: 'none',
  async run(ctx, { email, captcha }): Promise<{ isKnown: boolean }> {
    const emailKey = email.toLowerCase()
    await countFromNetwork(ctx, 'forgot', perNetwork)
    await countGuess(ctx, resetLimit, emailKey, captcha)
    const user = await Users.find(ctx, { emailKey })
    if (!user || !(await isLive(ctx, user))) return { isKnown: false }
    await ctx.db.transaction(async () => {
      await enqueueMail(ctx, 'reset-link', { userId: user.id, key: randomUUID() })
      await recordAudit(ctx, 'ask-reset', userSubject(user))
    })
    return { isKnown: true }
  },
})
