import { z } from 'zod'
import { isDelivered } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'
import { paragraphs } from './mail-frame.rules.ts'
import { type OrderFacts, orderFacts } from './order-facts.query.ts'
import type { OrderReceiptView } from './order-receipt.email.ts'
import { sendOnce } from './send-once.ts'

/** Sends the buyer the receipt of a paid order, in the publication's own words. Once, however often it is asked. */
export const sendOrderReceipt = useCase({
  permission: 'machine:operate',
  input: z.object({ orderId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { orderId }): Promise<boolean> {
    const facts = await orderFacts(ctx, orderId)
    if (facts.state !== 'paid') return false
    const { publicationName, contactEmail } = facts.frame
    return sendOnce(ctx, {
      emailKey: `receipt:order:${orderId}`,
      publicationId: facts.publicationId,
      orderId,
      view: receiptView(facts),
      headers: { to: facts.email, fromName: publicationName, ...(contactEmail ? { replyTo: contactEmail } : {}) },
    })
  },
})

function receiptView(facts: OrderFacts): OrderReceiptView {
  // The publication's receipt text thanks for a subscription: back issues are none.
  const receiptText = facts.product ? paragraphs(facts.texts.receipt) : []
  return {
    ...facts.frame,
    template: 'order-receipt',
    name: facts.name,
    orderNumber: facts.orderNumber,
    productName: facts.productName,
    opening: paragraphs(facts.texts.opening),
    receiptText: receiptText.length > 0 ? receiptText : ['Thank you for your order.'],
    ending: paragraphs(facts.texts.ending),
    rows: facts.rows,
    total: facts.total,
    totalLabel: facts.debit ? 'Total' : 'Total paid',
    notes: notesOf(facts),
    deliveryLines: facts.deliveryLines,
    apps: appLinks(facts),
  }
}

function notesOf({ debit, lacksPassword, frame }: OrderFacts): string[] {
  return [
    ...(debit ? ['This amount is taken by direct debit. A separate mail says when and from which account.'] : []),
    ...(lacksPassword ? [`Your account has no password yet. To log in, set one at ${frame.storefrontUrl}/forgot`] : []),
  ]
}

/** Print and back issues are read on paper: the apps and the online edition are for the others. Only web addresses are linked. */
function appLinks({ product, links }: OrderFacts): OrderReceiptView['apps'] {
  if (!product || (isDelivered(product) && product !== 'bundle')) return []
  return [
    { label: 'Read it online', url: links.digitalEdition },
    { label: 'iPhone and iPad app', url: links.ios },
    { label: 'Android app', url: links.android },
    { label: 'Kindle app', url: links.kindle },
  ].filter(({ url }) => /^https?:\/\//i.test(url))
}
