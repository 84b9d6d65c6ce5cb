import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { emailToFind } from '../kernel/email-address.ts'
import { DisplayLanguage } from '../kernel/form-fields.ts'
import { CaptchaField } from '../rate-limits/captcha.ts'
import { countGuess, type GuessLimit } from '../rate-limits/guess-limit.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { missingShop, openShop, shopReference } from '../storefronts/open-shop.ts'
import { useCase } from '../use-case.ts'
import { buyerSubject, liveBuyer } from './live-buyer.ts'
import { emailKey } from './recognise-buyer.ts'

/** Limits the emails to one account, which would otherwise be a nuisance. */
const resetLimit: GuessLimit = {
  name: 'buyer-forgot',
  fromAddress: { hits: 5, windowSeconds: 60 * 60 },
  ofAccount: { hits: 10, windowSeconds: 60 * 60 },
}
const perNetwork = { hits: 20, windowSeconds: 60 * 60 }
const missing = 'Enter the email you log in with'

/** Emails a link to a buyer who has forgotten the password. The specification requires that an unknown email is reported. */
export const requestBuyerReset = useCase({
  permission: 'public',
  input: z.object({
    ...shopReference,
    email: emailToFind(missing),
    captcha: CaptchaField,
    language: DisplayLanguage,
  }),
  transaction: 'none',
  alsoCheck: missingShop,
  async run(ctx, { email, captcha, language, ...shopRef }): Promise<{ isKnown: boolean }> {
    const { id: publicationId, publisherId } = await openShop(ctx, shopRef)
    const key = emailKey(email)
    await countFromNetwork(ctx, 'buyer-forgot', perNetwork)
    await countGuess(ctx, resetLimit, `${publicationId}:${key}`, captcha)
    const buyer = await liveBuyer(ctx, { publicationId, emailKey: key })
    if (!buyer) return { isKnown: false }
    await ctx.db.transaction(async () => {
      const about = { buyerId: buyer.id, key: randomUUID(), ...(language && { language }) }
      await enqueueMail(ctx, 'buyer-reset-link', about, { publisherId })
      await recordAudit(ctx, 'buyer-ask-reset', buyerSubject(buyer))
    })
    return { isKnown: true }
  },
})
