import { z } from 'zod'
import { printDay } from '../kernel/dates.ts'
import { useCase } from '../use-case.ts'
import type { DirectDebitNoticeView } from './direct-debit-notice.email.ts'
import { greeting } from './mail-frame.rules.ts'
import { orderFacts } from './order-facts.query.ts'
import { sendOnce } from './send-once.ts'

/**
 * Sends the advance notice that the rules of direct debit ask for, as soon as the bank has taken the payment on. Once, however often
 * it is asked; not for an order that was taken back meanwhile.
 */
export const sendDirectDebitNotice = useCase({
  permission: 'machine:operate',
  input: z.object({ orderId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { orderId }): Promise<boolean> {
    const facts = await orderFacts(ctx, orderId)
    const { frame, debit } = facts
    if (facts.state !== 'paid' || !debit) return false
    const rows = [
      { label: 'Amount', value: facts.total },
      { label: 'Account ending in', value: debit.lastFour },
      { label: 'Mandate reference', value: debit.mandate },
      { label: 'On your statement as', value: debit.statementName },
    ]
    const view: DirectDebitNoticeView = {
      ...frame,
      template: 'direct-debit-notice',
      greeting: greeting(facts.name),
      orderNumber: facts.orderNumber,
      total: facts.total,
      takenOn: debit.chargedOn ? `on ${printDay(debit.chargedOn)}` : 'in the next few working days',
      rows: rows.filter(({ value }) => value !== ''),
    }
    return sendOnce(ctx, {
      emailKey: `direct-debit:order:${orderId}`,
      publicationId: facts.publicationId,
      orderId,
      view,
      headers: {
        to: facts.email,
        fromName: frame.publicationName,
        ...(frame.contactEmail ? { replyTo: frame.contactEmail } : {}),
      },
    })
  },
})
