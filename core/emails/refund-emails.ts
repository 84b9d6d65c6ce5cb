import { z } from 'zod'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type Currency, formatMoney, type Money } from '../kernel/money.ts'
import { Refunds } from '../orders/refunds.rows.ts'
import { type MailRecipient, mail } from './mail.ts'
import { fromPublication } from './mail-frame.rules.ts'
import { greeting, type MailTranslator } from './mail-translator.ts'
import { orderPlaceholders } from './order-emails.ts'
import { type OrderFacts, orderFacts } from './order-facts.query.ts'
import { orderOfPublication, sampleOrder } from './order-sample.ts'
import { orderName } from './order-texts.ts'
import { keptAsCreditText } from './reversal-texts.ts'

interface RefundFacts extends OrderFacts {
  refunded: Money
  /** No money was sent. */
  isKeptAsCredit: boolean
  /** The last remaining day of a subscription whose unserved months were refunded; null elsewhere. */
  runsUntil: Day | null
  reason: string
  problem: string
}

function recipientOf(facts: RefundFacts, to: 'buyer' | 'publication'): MailRecipient | null {
  const mailReferences = { orderId: facts.id, publicationId: facts.publicationId }
  if (to === 'buyer')
    return { to: facts.email, ...fromPublication(facts.frame), ...mailReferences, readerId: facts.readerId }
  const address = facts.orderEmailAddress || facts.frame.contactEmail
  const cc = facts.ccEmail ? { cc: facts.ccEmail } : {}
  return address ? { to: address, ...cc, fromName: facts.frame.publicationName, ...mailReferences } : null
}

/** The emails about partial refunds; `payment-failed` covers a whole order. */
export const refundEmails = {
  /** To the buyer when a part is refunded; to the publication when a refund failed after it had been accepted. */
  'refund-notice': mail({
    kind: 'notice',
    about: z.object({ orderId: z.number().int(), refundId: z.number().int(), to: z.enum(['buyer', 'publication']) }),
    key: ({ refundId, to }) => `refund:${to}:${refundId}`,
    async facts(ctx, { orderId, refundId, to }): Promise<RefundFacts | null> {
      const refund = await Refunds.find(ctx, { id: refundId, orderId })
      const isFailed = refund?.state === 'failed' || refund?.state === 'cancelled'
      if (!refund || isFailed !== (to === 'publication')) return null
      const { amount, currency, reason } = refund
      const runsUntil = refund.scope === 'months' && refund.fromOn ? addDays(refund.fromOn, -1) : null
      const facts = await orderFacts(ctx, orderId)
      const isKeptAsCredit = refund.method === 'credit'
      return {
        ...facts,
        refunded: { amount, currency },
        isKeptAsCredit,
        runsUntil,
        reason,
        problem: refund.problem ?? '',
      }
    },
    recipient: (facts, { to }) => recipientOf(facts, to),
    reader: ({ language, country }, { to }) =>
      to === 'buyer' ? { language, country } : { language: null, country: null },
    view: (facts, { orderId, to }, { appUrl }, t) =>
      to === 'buyer' ? buyerNotice(t, facts) : publicationNotice(t, facts, `${appUrl}/orderDetails/${orderId}`),
    custom: {
      title: 'Refund',
      sentWhen: 'When a part of an order is refunded.',
      placeholders: (facts, t, { to }) =>
        to === 'buyer' ? { refund: t.money(facts.refunded), ...orderPlaceholders(t, facts) } : null,
      sampleOf: (facts, publication) => ({
        ...orderOfPublication(facts, publication),
        refunded: { ...facts.refunded, currency: publication.currency },
      }),
    },
    sample: {
      about: { orderId: 1204, refundId: 7, to: 'buyer' },
      facts: {
        ...sampleOrder(),
        refunded: { amount: 2003, currency: 'GBP' as Currency },
        isKeptAsCredit: false,
        runsUntil: '2027-03-20',
        reason: 'Moved abroad',
        problem: '',
      },
    },
  }),
}

function buyerNotice(t: MailTranslator, facts: RefundFacts) {
  const { frame, refunded, isKeptAsCredit, runsUntil, reason, orderNumber } = facts
  const amount = t.moneyWithCode(refunded)
  return {
    ...frame,
    headline: isKeptAsCredit ? t('Your credit') : t('Your refund'),
    orderNumber,
    greeting: greeting(t, facts.name),
    paragraphs: [
      isKeptAsCredit
        ? keptAsCreditText(t, amount, frame.publicationName)
        : t(
            '{amount} of your order for {publication} has been refunded. It can take your bank a few days to show it.',
            { amount, publication: frame.publicationName },
          ),
      ...(runsUntil ? [t('Your subscription runs until {day} and is not renewed.', { day: t.day(runsUntil) })] : []),
    ],
    rows: [
      { label: t('Order number'), value: orderNumber },
      { label: t('Ordered'), value: orderName(t, facts) },
      { label: isKeptAsCredit ? t('Credit') : t('Refund'), value: amount },
      ...(reason ? [{ label: t('Reason'), value: reason }] : []),
    ],
    action: { label: frame.publicationName, url: frame.storefrontUrl },
  }
}

function publicationNotice(t: MailTranslator, facts: RefundFacts, url: string) {
  const { frame, refunded, problem, orderNumber, name } = facts
  const amount = formatMoney(refunded)
  return {
    ...frame,
    headline: 'A refund failed',
    orderNumber,
    greeting: greeting(t, ''),
    paragraphs: [
      `A refund of ${amount} to ${name} did not arrive: ${problem}`,
      'The buyer has not received the money, and the refund has been reversed in the ledger. Refund it again, or send the money yourself and record that on the order.',
    ],
    rows: [
      { label: 'Order number', value: orderNumber },
      { label: 'Ordered', value: facts.productName },
      { label: 'Refund', value: amount },
    ],
    action: { label: 'Open the order', url },
  }
}
