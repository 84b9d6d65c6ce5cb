import { z } from 'zod'
import { useCase } from '../use-case.ts'
import type { GiftNoticeView } from './gift-notice.email.ts'
import { greeting, paragraphs } from './mail-frame.rules.ts'
import { orderFacts } from './order-facts.query.ts'
import { sendOnce } from './send-once.ts'

/** Tells somebody that they were given a subscription, where the giver named their e-mail. Once, however often it is asked. */
export const sendGiftNotice = useCase({
  permission: 'machine:operate',
  input: z.object({ orderId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { orderId }): Promise<boolean> {
    const facts = await orderFacts(ctx, orderId)
    const { gift, frame } = facts
    if (facts.state !== 'paid' || !gift?.email) return false
    const view: GiftNoticeView = {
      ...frame,
      template: 'gift-notice',
      greeting: greeting(gift.name),
      buyerName: facts.name,
      productName: facts.productName,
      message: paragraphs(gift.message),
      rows: facts.rows.filter(({ label }) => ['Subscription', 'Starts', 'Ends'].includes(label)),
      deliveryLines: facts.deliveryLines,
    }
    return sendOnce(ctx, {
      emailKey: `gift:order:${orderId}`,
      publicationId: facts.publicationId,
      orderId,
      view,
      headers: {
        to: gift.email,
        fromName: frame.publicationName,
        ...(frame.contactEmail ? { replyTo: frame.contactEmail } : {}),
      },
    })
  },
})
