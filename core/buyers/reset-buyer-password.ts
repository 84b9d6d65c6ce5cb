import { recordAudit } from '../audit/record-audit.ts'
import { resetGuesses } from '../rate-limits/guess-limit.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { notifyBuyer } from '../sessions/notify.ts'
import { LinkPassword, linkPasswordProblems, setPasswordByLink } from '../sessions/replace-password.ts'
import { useCase } from '../use-case.ts'
import { openBuyerLink } from './buyer-link.ts'
import { Buyers } from './buyers.rows.ts'
import { buyerSubject } from './live-buyer.ts'
import { buyerAccountKey, buyerGuesses } from './recognise-buyer.ts'
import { storeBuyerPassword } from './store-buyer-password.ts'

const perNetwork = { hits: 20, windowSeconds: 15 * 60 }

/**
 * Sets a buyer's new password by the token of an emailed link, which is valid once. Sessions, tokens and other links end; the buyer is notified by
 * email.
 */
export const resetBuyerPassword = useCase({
  permission: 'public',
  input: LinkPassword,
  transaction: 'none',
  alsoCheck: linkPasswordProblems,
  async run(ctx, { token, password }): Promise<{ publicationId: number }> {
    await countFromNetwork(ctx, 'buyer-set-password', perNetwork)
    const opened = await openBuyerLink(ctx, token)
    const { buyer } = await setPasswordByLink(ctx, opened, password, async ({ buyer }, passwordHash) => {
      const { endedSessions } = await storeBuyerPassword(ctx, buyer, passwordHash)
      await Buyers.update(ctx, { id: buyer.id }, { emailProvenAt: ctx.now() })
      await recordAudit(ctx, 'buyer-reset-password', buyerSubject(buyer), { endedSessions })
      await notifyBuyer(ctx, buyer, 'password-changed')
    })
    await resetGuesses(ctx, buyerGuesses, buyerAccountKey(buyer.publicationId, buyer.email))
    return { publicationId: buyer.publicationId }
  },
})
