import { z } from 'zod'
import { mailProviderKeys, mailProviders } from '../bounces/mail-providers.ts'
import { spendToken } from '../bounces/spent-webhook-tokens.rows.ts'
import { signedOut } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { recordReport } from './record-report.ts'

/**
 * Receives what a mail provider, or a mail server, reports of mails. A report that does not prove its origin changes nothing; the same report again
 * changes nothing more.
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
    const news = await mailProviders[provider].read(ctx, { body, headers })
    const isAccepted =
      news !== null &&
      (await ctx.db.transaction(async () => {
        if (news.once && !(await spendToken(ctx, news.once))) return false
        for (const event of news.events) await recordReport(ctx, event)
        return true
      }))
    if (!isAccepted) {
      ctx.log.warn({ provider }, 'a report about mails that nobody proved to have sent was refused')
      throw signedOut('This message does not prove who sent it')
    }
    return { received: true }
  },
})
