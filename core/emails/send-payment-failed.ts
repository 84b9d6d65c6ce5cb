import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { greeting } from './mail-frame.rules.ts'
import { orderFacts } from './order-facts.query.ts'
import type { PaymentFailedView } from './payment-failed.email.ts'
import { paymentFailedWords } from './payment-failed-words.ts'
import { sendOnce } from './send-once.ts'

/** Tells the buyer, or the publication's order address, that a paid order was taken back. Once each, however often it is asked. */
export const sendPaymentFailed = useCase({
  permission: 'machine:operate',
  input: z.object({ orderId: z.number().int(), to: z.enum(['buyer', 'publication']) }),
  transaction: 'none',
  async run(ctx, { orderId, to }): Promise<boolean> {
    const facts = await orderFacts(ctx, orderId)
    const { state, frame } = facts
    if (state !== 'reversed' && state !== 'refunded') return false
    const address = to === 'buyer' ? facts.email : facts.orderEmailAddress || frame.contactEmail
    if (!address) return false
    const { headline, paragraphs } = paymentFailedWords[state][to]
    const view: PaymentFailedView = {
      ...frame,
      template: 'payment-failed',
      headline,
      orderNumber: facts.orderNumber,
      greeting: greeting(to === 'buyer' ? facts.name : ''),
      paragraphs: paragraphs({
        publicationName: frame.publicationName,
        buyerName: facts.name,
        hasTerm: facts.product !== null,
      }),
      rows: [
        { label: 'Order number', value: facts.orderNumber },
        { label: 'Ordered', value: facts.productName },
        { label: 'Amount', value: facts.total },
      ],
      action:
        to === 'buyer'
          ? { label: 'Order again', url: frame.storefrontUrl }
          : { label: 'Open the order', url: `${ctx.settings.appUrl}/orderDetails/${orderId}` },
    }
    return sendOnce(ctx, {
      emailKey: `payment-failed:${to}:order:${orderId}`,
      publicationId: facts.publicationId,
      orderId,
      view,
      headers: {
        to: address,
        fromName: frame.publicationName,
        ...(to === 'buyer' && frame.contactEmail ? { replyTo: frame.contactEmail } : {}),
        ...(to === 'publication' && facts.ccEmail ? { cc: facts.ccEmail } : {}),
      },
    })
  },
})
