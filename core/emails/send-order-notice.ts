import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { orderFacts } from './order-facts.query.ts'
import type { OrderNoticeView } from './order-notice.email.ts'
import { sendOnce } from './send-once.ts'

/** Tells the publication's order address (and its copy address) about a paid order. Once, however often it is asked. */
export const sendOrderNotice = useCase({
  permission: 'machine:operate',
  input: z.object({ orderId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { orderId }): Promise<boolean> {
    const facts = await orderFacts(ctx, orderId)
    const to = facts.orderEmailAddress || facts.frame.contactEmail
    if (facts.state !== 'paid' || !to) return false
    const view: OrderNoticeView = {
      ...facts.frame,
      template: 'order-notice',
      orderNumber: facts.orderNumber,
      productName: facts.productName,
      buyerName: facts.name,
      total: facts.total,
      rows: [
        ...facts.rows.filter(({ label }) => label !== 'Your reference'),
        ...facts.oversold.map((volume) => ({
          label: `Oversold: ${volume}`,
          value: 'No copy was left when the payment came. Please settle it with the buyer.',
        })),
        ...(facts.readerReference ? [{ label: 'Reader', value: facts.readerReference }] : []),
        { label: 'Email', value: facts.email },
        ...(facts.mobile ? [{ label: 'Telephone', value: facts.mobile }] : []),
      ],
      deliveryLines: facts.deliveryLines,
      answers: facts.answers,
      orderUrl: `${ctx.settings.appUrl}/orderDetails/${orderId}`,
    }
    return sendOnce(ctx, {
      emailKey: `notice:order:${orderId}`,
      publicationId: facts.publicationId,
      orderId,
      view,
      headers: { to, fromName: facts.frame.publicationName, ...(facts.ccEmail ? { cc: facts.ccEmail } : {}) },
    })
  },
})
