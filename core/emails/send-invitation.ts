import { z } from 'zod'
import { userTypeNames } from '../access/user-types.ts'
import { useCase } from '../use-case.ts'
import { makePasswordLink } from '../users/password-link.ts'
import type { InvitationView } from './invitation.email.ts'
import { greeting, productFrame } from './mail-frame.rules.ts'
import { hasGone, sendOnce } from './send-once.ts'

/** Mails a new user the link to choose the first password. */
export const sendInvitation = useCase({
  permission: 'machine:operate',
  input: z.object({ userId: z.number().int(), key: z.string() }),
  transaction: 'none',
  async run(ctx, { userId, key }): Promise<boolean> {
    const emailKey = `invitation:user:${userId}:${key}`
    if (await hasGone(ctx, emailKey)) return false
    const made = await makePasswordLink(ctx, userId, 'invitation')
    if (!made) return false
    const frame = productFrame(ctx.settings.appUrl)
    const view: InvitationView = {
      ...frame,
      template: 'invitation',
      greeting: greeting(made.name),
      email: made.email,
      role: userTypeNames[made.userType],
      companyName: made.companyName,
      url: made.url,
      forgotUrl: `${ctx.settings.appUrl}/forgot`,
    }
    return sendOnce(ctx, { emailKey, view, headers: { to: made.email, fromName: frame.publisherName } })
  },
})
