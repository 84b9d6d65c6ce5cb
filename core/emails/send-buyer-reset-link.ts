import { z } from 'zod'
import { makeBuyerLink } from '../buyers/buyer-link.ts'
import { useCase } from '../use-case.ts'
import type { BuyerResetLinkView } from './buyer-reset-link.email.ts'
import { greeting } from './mail-frame.rules.ts'
import { publicationFrame } from './publication-frame.query.ts'
import { hasGone, sendOnce } from './send-once.ts'

/**
 * Mails the link to a reader who has forgotten the password, in the publication's name. The token is made here, where the mail is
 * written, so that it stands in no job; a job that is tried again makes a new one.
 */
export const sendBuyerResetLink = useCase({
  permission: 'machine:operate',
  input: z.object({ buyerId: z.number().int(), key: z.string() }),
  transaction: 'none',
  async run(ctx, { buyerId, key }): Promise<boolean> {
    const emailKey = `reset:buyer:${buyerId}:${key}`
    if (await hasGone(ctx, emailKey)) return false
    const made = await makeBuyerLink(ctx, buyerId)
    if (!made) return false
    const frame = await publicationFrame(ctx, made.publicationId)
    const view: BuyerResetLinkView = {
      ...frame,
      template: 'buyer-reset-link',
      greeting: greeting(made.name),
      email: made.email,
      url: made.url,
    }
    return sendOnce(ctx, {
      emailKey,
      publicationId: made.publicationId,
      view,
      headers: {
        to: made.email,
        fromName: frame.publicationName,
        ...(frame.contactEmail ? { replyTo: frame.contactEmail } : {}),
      },
    })
  },
})
