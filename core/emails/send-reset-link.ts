import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { makePasswordLink } from '../users/password-link.ts'
import { greeting, productFrame } from './mail-frame.rules.ts'
import type { ResetLinkView } from './reset-link.email.ts'
import { hasGone, sendOnce } from './send-once.ts'

/**
 * Mails the link to somebody who has forgotten the password. The token is made here, where the mail is written, so that it stands in no
 * job; a job that is tried again makes a new one.
 */
export const sendResetLink = useCase({
  permission: 'machine:operate',
  input: z.object({ userId: z.number().int(), key: z.string() }),
  transaction: 'none',
  async run(ctx, { userId, key }): Promise<boolean> {
    const emailKey = `reset:user:${userId}:${key}`
    if (await hasGone(ctx, emailKey)) return false
    const made = await makePasswordLink(ctx, userId, 'reset')
    if (!made) return false
    const frame = productFrame(ctx.settings.appUrl)
    const view: ResetLinkView = {
      ...frame,
      template: 'reset-link',
      greeting: greeting(made.name),
      email: made.email,
      url: made.url,
    }
    return sendOnce(ctx, { emailKey, view, headers: { to: made.email, fromName: frame.publisherName } })
  },
})
