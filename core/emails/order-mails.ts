import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { printDay } from '../kernel/dates.ts'
import { isDelivered } from '../pricing/plan-code.rules.ts'
import { type MailRecipient, mail } from './mail.ts'
import { fromPublication, greeting, paragraphs, sampleFrame } from './mail-frame.rules.ts'
import { type OrderFacts, orderFacts } from './order-facts.query.ts'
import { paymentFailedWords } from './payment-failed-words.ts'

const OrderMail = z.object({ orderId: z.number().int() })

async function paidOrder(ctx: AppContext, { orderId }: { orderId: number }): Promise<OrderFacts | null> {
  const facts = await orderFacts(ctx, orderId)
  return facts.state === 'paid' ? facts : null
}

function filed({ id, publicationId }: OrderFacts): { orderId: number; publicationId: number } {
  return { orderId: id, publicationId }
}

function toBuyer(facts: OrderFacts): MailRecipient {
  return { to: facts.email, ...fromPublication(facts.frame), ...filed(facts) }
}

/** The publication's order address, with its copy address. */
function toPublication(facts: OrderFacts): MailRecipient | null {
  const to = facts.orderEmailAddress || facts.frame.contactEmail
  const cc = facts.ccEmail ? { cc: facts.ccEmail } : {}
  return to ? { to, ...cc, fromName: facts.frame.publicationName, ...filed(facts) } : null
}

/** What is mailed about an order. */
export const orderMails = {
  /** The receipt a buyer gets. The order's words are the publication's own; the figures are the order's. */
  'order-receipt': mail({
    kind: 'notice',
    about: OrderMail,
    key: ({ orderId }) => `receipt:order:${orderId}`,
    facts: paidOrder,
    recipient: toBuyer,
    view(facts) {
      // The publication's receipt text thanks for a subscription: back issues are none.
      const receiptText = facts.product ? paragraphs(facts.texts.receipt) : []
      return {
        ...facts.frame,
        name: facts.name,
        orderNumber: facts.orderNumber,
        productName: facts.productName,
        opening: paragraphs(facts.texts.opening),
        receiptText: receiptText.length > 0 ? receiptText : ['Thank you for your order.'],
        ending: paragraphs(facts.texts.ending),
        rows: facts.rows,
        // "£29.99 GBP", or "Free".
        total: facts.total,
        totalLabel: facts.debit ? 'Total' : 'Total paid',
        notes: receiptNotes(facts),
        deliveryLines: facts.deliveryLines,
        apps: appLinks(facts),
      }
    },
    sample: {
      ...sampleFrame,
      name: "Mrs Ann O'Brien",
      orderNumber: 'OD-7KQ2MXA',
      productName: 'Print and digital, one year',
      opening: [],
      receiptText: ['Thank you for coming aboard.', 'Printed copies leave us in the last week of the month.'],
      ending: ['Fair winds,', 'the crew of Harbour Light'],
      rows: [
        { label: 'Order number', value: 'OD-7KQ2MXA' },
        { label: 'Subscription', value: 'Print and digital, one year' },
        { label: 'Starts', value: '21/11/2026' },
        { label: 'Ends', value: '21/11/2027' },
      ],
      total: '£29.99 GBP',
      totalLabel: 'Total paid',
      notes: ['Your account has no password yet. Set one at https://subscriptions.example.com/harbour-light/forgot'],
      deliveryLines: ["Mrs Ann O'Brien", '1 Quay Street', 'London', 'SW1A 1AA', 'United Kingdom'],
      apps: [{ label: 'Read it online', url: 'https://read.harbour-light.example/' }],
    },
  }),

  /** What the publication's order address gets for every paid order. */
  'order-notice': mail({
    kind: 'notice',
    about: OrderMail,
    key: ({ orderId }) => `notice:order:${orderId}`,
    facts: paidOrder,
    recipient: toPublication,
    view: (facts, { orderId }, { appUrl }) => ({
      ...facts.frame,
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
      orderUrl: `${appUrl}/orderDetails/${orderId}`,
    }),
    sample: {
      ...sampleFrame,
      orderNumber: 'OD-7KQ2MXA',
      productName: 'Print, one year',
      buyerName: "Mrs Ann O'Brien",
      total: '£29.99 GBP',
      rows: [
        { label: 'Order number', value: 'OD-7KQ2MXA' },
        { label: 'Reader', value: 'HL4407689' },
        { label: 'Email', value: 'ann@example.com' },
      ],
      deliveryLines: ["Mrs Ann O'Brien", '1 Quay Street', 'London', 'SW1A 1AA', 'United Kingdom'],
      answers: [{ label: 'Do you own a boat?', value: 'Yes' }],
      orderUrl: 'https://subscriptions.example.com/orderDetails/1204',
    },
  }),

  /** What somebody is told who was given a subscription, where the giver named their e-mail. The giver's message is the only text of theirs. */
  'gift-notice': mail({
    kind: 'notice',
    about: OrderMail,
    key: ({ orderId }) => `gift:order:${orderId}`,
    async facts(ctx, about) {
      const facts = await paidOrder(ctx, about)
      return facts?.gift ? { ...facts, gift: facts.gift } : null
    },
    recipient: (facts) => (facts.gift.email ? { ...toBuyer(facts), to: facts.gift.email } : null),
    view: ({ gift, ...facts }) => ({
      ...facts.frame,
      greeting: greeting(gift.name),
      buyerName: facts.name,
      productName: facts.productName,
      message: paragraphs(gift.message),
      rows: facts.rows.filter(({ label }) => ['Subscription', 'Starts', 'Ends'].includes(label)),
      deliveryLines: facts.deliveryLines,
    }),
    sample: {
      ...sampleFrame,
      greeting: 'Dear Mr Jack Tar,',
      buyerName: "Ann O'Brien",
      productName: 'Print, one year',
      message: ['Happy birthday!', 'May it find you in every port.'],
      rows: [
        { label: 'Subscription', value: 'Print, one year' },
        { label: 'Starts', value: '21/11/2026' },
        { label: 'Ends', value: '21/11/2027' },
      ],
      deliveryLines: ['Mr Jack Tar', '3 Rope Walk', 'Falmouth', 'TR11 3JT', 'United Kingdom'],
    },
  }),

  /**
   * The advance notice that the rules of direct debit ask for, as soon as the bank has taken the payment on: what will be taken, when, from
   * which account, and how it shows on the statement.
   */
  'direct-debit-notice': mail({
    kind: 'notice',
    about: OrderMail,
    key: ({ orderId }) => `direct-debit:order:${orderId}`,
    async facts(ctx, about) {
      const facts = await paidOrder(ctx, about)
      return facts?.debit ? { ...facts, debit: facts.debit } : null
    },
    recipient: (facts) => toBuyer(facts),
    view({ debit, ...facts }) {
      const rows = [
        { label: 'Amount', value: facts.total },
        { label: 'Account ending in', value: debit.lastFour },
        { label: 'Mandate reference', value: debit.mandate },
        { label: 'On your statement as', value: debit.statementName },
      ]
      return {
        ...facts.frame,
        greeting: greeting(facts.name),
        orderNumber: facts.orderNumber,
        total: facts.total,
        // The bank may have named no day yet.
        takenOn: debit.chargedOn ? `on ${printDay(debit.chargedOn)}` : 'in the next few working days',
        rows: rows.filter(({ value }) => value !== ''),
      }
    },
    sample: {
      ...sampleFrame,
      greeting: "Dear Mrs Ann O'Brien,",
      orderNumber: 'OD-7KQ2MXA',
      total: '£29.99 GBP',
      takenOn: 'on 27/11/2026',
      rows: [
        { label: 'Amount', value: '£29.99 GBP' },
        { label: 'Account ending in', value: '4321' },
        { label: 'Mandate reference', value: 'HLQ7XK2M' },
        { label: 'On your statement as', value: 'QUAYSIDE PRESS' },
      ],
    },
  }),

  /** To the buyer, and to the publication's order address, when a paid order was taken back. */
  'payment-failed': mail({
    kind: 'notice',
    about: OrderMail.extend({ to: z.enum(['buyer', 'publication']) }),
    key: ({ orderId, to }) => `payment-failed:${to}:order:${orderId}`,
    async facts(ctx, { orderId }) {
      const facts = await orderFacts(ctx, orderId)
      const { state } = facts
      return state === 'reversed' || state === 'refunded' ? { ...facts, state } : null
    },
    recipient: (facts, { to }) => (to === 'buyer' ? toBuyer(facts) : toPublication(facts)),
    view(facts, { orderId, to }, { appUrl }) {
      const words = paymentFailedWords[facts.state][to]
      return {
        ...facts.frame,
        headline: words.headline,
        orderNumber: facts.orderNumber,
        greeting: greeting(to === 'buyer' ? facts.name : ''),
        paragraphs: words.paragraphs({
          publicationName: facts.frame.publicationName,
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
            ? { label: 'Order again', url: facts.frame.storefrontUrl }
            : { label: 'Open the order', url: `${appUrl}/orderDetails/${orderId}` },
      }
    },
    sample: {
      ...sampleFrame,
      headline: 'Your payment could not be taken',
      orderNumber: 'OD-7KQ2MXA',
      greeting: "Dear Mrs Ann O'Brien,",
      paragraphs: [
        'Your bank did not pay the direct debit for your order of Harbour Light, and the order has been taken back.',
        'You can order again and pay by another card or account.',
      ],
      rows: [
        { label: 'Order number', value: 'OD-7KQ2MXA' },
        { label: 'Ordered', value: 'Print, one year' },
        { label: 'Amount', value: '£29.99 GBP' },
      ],
      action: { label: 'Order again', url: 'https://subscriptions.example.com/harbour-light' },
    },
  }),
}

/** What the buyer has to know besides: a debit that is to come, an account without a password. */
function receiptNotes({ debit, lacksPassword, frame }: OrderFacts): string[] {
  return [
    ...(debit ? ['This amount is taken by direct debit. A separate mail says when and from which account.'] : []),
    ...(lacksPassword ? [`Your account has no password yet. To log in, set one at ${frame.storefrontUrl}/forgot`] : []),
  ]
}

/** Print and back issues are read on paper: the apps and the online edition are for the others. Only web addresses are linked. */
function appLinks({ product, links }: OrderFacts): { label: string; url: string }[] {
  if (!product || (isDelivered(product) && product !== 'bundle')) return []
  return [
    { label: 'Read it online', url: links.digitalEdition },
    { label: 'iPhone and iPad app', url: links.ios },
    { label: 'Android app', url: links.android },
    { label: 'Kindle app', url: links.kindle },
  ].filter(({ url }) => /^https?:\/\//i.test(url))
}
