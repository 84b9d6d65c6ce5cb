import { z } from 'zod'
import { planByKey } from '../pricing/publisher-plans.rules.ts'
import { newPublisher } from '../signup/new-publisher.query.ts'
import { useCase } from '../use-case.ts'
import { greeting, productFrame } from './mail-frame.rules.ts'
import { sendOnce } from './send-once.ts'
import type { WelcomeView } from './welcome.email.ts'

/** Mails a publisher who has signed up that the account is there, and how to begin. Once, however often it is asked. */
export const sendWelcome = useCase({
  permission: 'machine:operate',
  input: z.object({ userId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { userId }): Promise<boolean> {
    const publisher = await newPublisher(ctx, userId)
    const frame = productFrame(ctx.settings.appUrl)
    const view: WelcomeView = {
      ...frame,
      template: 'welcome',
      greeting: greeting(`${publisher.firstName} ${publisher.lastName}`.trim()),
      companyName: publisher.companyName,
      planName: planByKey(publisher.planKey)?.name ?? publisher.planKey,
      email: publisher.email,
      loginUrl: `${ctx.settings.appUrl}/login`,
    }
    return sendOnce(ctx, {
      emailKey: `welcome:user:${userId}`,
      view,
      headers: { to: publisher.email, fromName: frame.publisherName },
    })
  },
})
