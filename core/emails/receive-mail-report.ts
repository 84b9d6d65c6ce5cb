import { z } from 'zod'
import { mailProviderKeys, mailProviders } from '../bounces/mail-providers.ts'
import { spendToken } from '../bounces/spent-webhook-tokens.rows.ts'
import { unauthenticated } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { recordReport } from './record-report.ts'

/**
 * Receives reports of a mail provider, or a mail server, about emails. A report that does not prove its origin changes nothing; receiving the same
 * report again is idempotent.
 */
export const receiveMailReport = useCase({
  permission: 'public',
  input: z.object({
    provider: z.enum(mailProviderKeys),
    body: z.string(),
    headers: z.record(z.string(), z.string()),
  }),
  transaction: 'none',
  async run(ctx, { provider, body, headers }): Promise<{ received: true }> {
    const verified = await mailProviders[provider].read(ctx, { body, headers })
    const isAccepted =
      verified !== null &&
      (await ctx.db.transaction(async () => {
        if (verified.once && !(await spendToken(ctx, verified.once))) return false
        for (const event of verified.events) await recordReport(ctx, event)
        return true
      }))
    if (!isAccepted) {
      ctx.log.warn({ provider }, 'an email report of unverified origin was refused')
      throw unauthenticated('The sender of this message could not be verified')
    }
    return { received: true }
  },
})
