import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { newPasswordProblems } from '../access/password-policy.ts'
import { hashPassword } from '../access/passwords.ts'
import { countTry, forgetTries } from '../access/rate-limit.ts'
import { invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { passwordTexts } from '../users/password-texts.rules.ts'
import { openBuyerLink } from './buyer-link.ts'
import { buyerSubject } from './live-buyer.ts'
import { buyerTries } from './recognise-buyer.ts'
import { storeBuyerPassword } from './store-buyer-password.ts'

const perAddress = { hits: 20, windowSeconds: 15 * 60 }

/** Sets a reader's new password for the token of a mailed link, once; sessions, tokens and other links end, and the reader is told by mail. */
export const resetBuyerPassword = useCase({
  permission: 'public',
  input: z.object({ token: z.string(), password: z.string(), password2: z.string().optional() }),
  transaction: 'none',
  // A program sends the password once; a form sends it twice.
  alsoCheck: (ctx, { password, password2 = password }) =>
    newPasswordProblems({ password, password2 }, ctx.settings.passwordMinLength),
  async run(ctx, { token, password }): Promise<void> {
    if (ctx.origin.address) await countTry(ctx, `buyer-set-password-from:${ctx.origin.address}`, perAddress)
    const refused = invalid({ token: passwordTexts.badToken }, passwordTexts.badToken)
    const link = await openBuyerLink(ctx, token)
    if (!link) throw refused
    const { id, buyer } = link
    const passwordHash = await hashPassword(password)
    await ctx.db.transaction(async () => {
      const used = await ctx.db.run(
        `UPDATE password_resets SET used_at = :now WHERE id = :id AND used_at IS NULL AND expires_at > :now`,
        { id, now: ctx.now() },
      )
      if (used === 0) throw refused
      const { endedSessions } = await storeBuyerPassword(ctx, buyer, passwordHash)
      await recordAudit(ctx, 'buyer-reset-password', buyerSubject(buyer), { endedSessions })
      await ctx.jobs.enqueue(
        'send-buyer-notice',
        { buyerId: buyer.id, key: randomUUID(), kind: 'password-changed' },
        { publisherId: buyer.publisher_id },
      )
    })
    await forgetTries(ctx, buyerTries(buyer.publication_id, buyer.email).key)
  },
})
