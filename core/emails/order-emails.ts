import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { PlaceholderValues } from '../kernel/placeholders.rules.ts'
import { creditsOfOrder } from '../orders/credits.query.ts'
import { isDelivered, planPhrase } from '../pricing/plan-code.rules.ts'
import { framePlaceholders } from './frame-placeholders.rules.ts'
import { receiptVatRows } from './invoice-document.ts'
import { type MailRecipient, mail } from './mail.ts'
import { fromPublication, nonEmptyRows, paragraphs } from './mail-frame.rules.ts'
import { greeting, type MailTranslator } from './mail-translator.ts'
import { type OrderFacts, orderFacts } from './order-facts.query.ts'
import { orderOfPublication, sampleAddress, sampleOrder } from './order-sample.ts'
import { deliveryLines, giftName, giftRows, orderName, orderRows, orderTotal } from './order-texts.ts'
import { type ReversalKind, reversalNotice, reversalTexts } from './reversal-texts.ts'

const OrderMail = z.object({ orderId: z.number().int() })

async function paidOrder(ctx: AppContext, { orderId }: { orderId: number }): Promise<OrderFacts | null> {
  const facts = await orderFacts(ctx, orderId)
  return facts.state === 'paid' ? facts : null
}

function mailLogIds({ id, publicationId }: OrderFacts): { orderId: number; publicationId: number } {
  return { orderId: id, publicationId }
}

function toBuyer(facts: OrderFacts): MailRecipient {
  return { to: facts.email, ...fromPublication(facts.frame), ...mailLogIds(facts), readerId: facts.readerId }
}

/** The publication's order address, with its copy address. */
function toPublication(facts: OrderFacts): MailRecipient | null {
  const to = facts.orderEmailAddress || facts.frame.contactEmail
  const cc = facts.ccEmail ? { cc: facts.ccEmail } : {}
  return to ? { to, ...cc, fromName: facts.frame.publicationName, ...mailLogIds(facts) } : null
}

/** The language and country of the buyer, also for the recipient of a gift, whose own are not known. */
const readerOf = ({ language, country }: OrderFacts) => ({ language, country })

/** The emails about an order. */
export const orderEmails = {
  /** The buyer's receipt. Its opening and ending are the publication's own texts. */
  'order-receipt': mail({
    kind: 'notice',
    // Staff may send it again, under a new key.
    about: OrderMail.extend({ key: z.string().optional() }),
    key: ({ orderId, key }) => `receipt:order:${orderId}${key ? `:${key}` : ''}`,
    facts: (ctx, about) => paidOrder(ctx, about),
    recipient: toBuyer,
    reader: (facts) => readerOf(facts),
    view(facts, _, __, t) {
      const { orderNumber, frame } = facts
      return {
        ...frame,
        subject: t('Your order {orderNumber}: {publication}', { orderNumber, publication: frame.publicationName }),
        headline: t('Thank you for your order'),
        greeting: greeting(t, facts.name),
        opening: paragraphs(facts.texts.opening),
        ending: paragraphs(facts.texts.ending),
        rows: [...orderRows(t, facts), ...receiptVatRows(t, facts)],
        total: orderTotal(t, facts),
        totalLabel: facts.debit ? t('Total') : t('Total paid'),
        notes: receiptNotes(t, facts),
        deliveredTo: t('Delivered to'),
        deliveryLines: deliveryLines(t, facts),
        startReading: t('Start reading'),
        // A gift is read by its recipient.
        apps: facts.gift ? [] : appLinks(t, facts),
        help: t('Something not right? Write to {email} and quote {orderNumber}.', {
          email: frame.contactEmail,
          orderNumber,
        }),
      }
    },
    custom: {
      title: 'Purchase Receipt',
      sentWhen: 'When an order for a subscription is paid.',
      // The publication's text is for subscriptions, not for back issues.
      placeholders: (facts, t) => (facts.plan ? orderPlaceholders(t, facts) : null),
      standard: (t) => [t('Here are the details of your order:')],
      sampleOf: orderOfPublication,
    },
    sample: { about: { orderId: 1204 }, facts: sampleOrder() },
  }),

  /** The email to the publication's order address for every paid order. */
  'order-notice': mail({
    kind: 'notice',
    about: OrderMail,
    key: ({ orderId }) => `notice:order:${orderId}`,
    facts: paidOrder,
    recipient: toPublication,
    view: (facts, { orderId }, { appUrl }, t) => ({
      ...facts.frame,
      orderNumber: facts.orderNumber,
      productName: facts.productName,
      buyerName: facts.name,
      total: orderTotal(t, facts),
      rows: [
        ...orderRows(t, { ...facts, readerReference: '' }),
        ...facts.oversold.map((volume) => ({
          label: `Oversold: ${volume}`,
          value: 'No copy was left when the payment arrived. Please contact the buyer.',
        })),
        ...(facts.readerReference ? [{ label: 'Reader', value: facts.readerReference }] : []),
        { label: 'Email', value: facts.email },
        ...(facts.mobile ? [{ label: 'Telephone', value: facts.mobile }] : []),
      ],
      deliveryLines: deliveryLines(t, facts),
      answers: facts.answers,
      orderUrl: `${appUrl}/orderDetails/${orderId}`,
    }),
    sample: { about: { orderId: 1204 }, facts: sampleOrder() },
  }),

  /** To the recipient of a gift subscription, where the giver entered their email. The message is the only text by the giver. */
  'gift-notice': mail({
    kind: 'notice',
    about: OrderMail,
    key: ({ orderId }) => `gift:order:${orderId}`,
    async facts(ctx, about) {
      const facts = await paidOrder(ctx, about)
      return facts?.gift ? { ...facts, gift: facts.gift } : null
    },
    recipient: (facts) => (facts.gift.email ? { ...toBuyer(facts), to: facts.gift.email } : null),
    reader: (facts) => readerOf(facts),
    view(facts, _, __, t) {
      const { frame, name, gift } = facts
      const publication = frame.publicationName
      const apps = appLinks(t, facts)
      return {
        ...frame,
        subject: t('{name} has given you {publication}', { name, publication }),
        headline: t('A gift for you'),
        greeting: greeting(t, gift.name),
        announcement: t('{name} has given you a subscription to {publication}: {plan}.', {
          name,
          publication,
          plan: giftName(t, facts),
        }),
        message: paragraphs(gift.message),
        rows: giftRows(t, facts),
        sentTo: t('It will be sent to'),
        deliveryLines: deliveryLines(t, facts),
        startReading: t('Start reading'),
        apps,
        // Apps send that link at the first attempt to log in (docs/partners.md).
        digital:
          apps.length > 0
            ? t(
                'Your gift includes the digital edition. Log in with {email}. If you have no password yet, your first attempt sends a link to this address, with which you choose one.',
                { email: gift.email },
              )
            : '',
        help: t('There is nothing to pay. Has the address changed, or is this not for you? Write to {email}.', {
          email: frame.contactEmail,
        }),
      }
    },
    custom: {
      title: 'Gift notice',
      sentWhen: 'To the recipient of a gift subscription, when it is paid.',
      placeholders: (facts, t) => ({
        giver: facts.name,
        ...orderPlaceholders(t, { ...facts, name: facts.gift.name }),
        order: giftName(t, facts),
      }),
      sampleOf: orderOfPublication,
    },
    sample: {
      about: { orderId: 1204 },
      facts: {
        ...sampleOrder(),
        gift: {
          name: 'Mr Jack Tar',
          email: 'jack@example.com',
          message: 'Happy birthday!\nI hope you enjoy it.',
        },
        delivery: {
          ...sampleAddress,
          title: 'Mr',
          firstName: 'Jack',
          lastName: 'Tar',
          addressOne: '9 Harbour Road',
          city: 'Falmouth',
          postCode: 'TR11 3LH',
        },
      },
    },
  }),

  /**
   * The advance notice that the Direct Debit rules require, sent once the bank has accepted the payment: how much will be taken, when, from
   * which account, and how it appears on the statement.
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
    reader: (facts) => readerOf(facts),
    view(facts, _, __, t) {
      const { frame, debit, orderNumber } = facts
      const total = orderTotal(t, facts)
      const rows = [
        { label: t('Amount'), value: total },
        { label: t('Account ending in'), value: debit.lastFour },
        { label: t('Mandate reference'), value: debit.mandate },
        { label: t('Shown on your statement as'), value: debit.statementName },
      ]
      return {
        ...frame,
        subject: t('Your direct debit for {publication}: {orderNumber}', {
          publication: frame.publicationName,
          orderNumber,
        }),
        headline: t('Your direct debit'),
        greeting: greeting(t, facts.name),
        // The bank may not have named the day yet.
        announcement: debit.chargedOn
          ? t(
              'Thank you for your order {orderNumber}. {total} will be taken from your account by direct debit on {day}.',
              { orderNumber, total, day: t.day(debit.chargedOn) },
            )
          : t(
              'Thank you for your order {orderNumber}. {total} will be taken from your account by direct debit in the next few working days.',
              { orderNumber, total },
            ),
        rows: nonEmptyRows(rows),
        guarantee: t(
          'You are protected by the Direct Debit Guarantee: if a mistake is made with this payment, your bank refunds the full amount at once, and you can cancel a direct debit at any time by telling your bank.',
        ),
        help: t('Something not right? Write to {email} before that day and quote {orderNumber}.', {
          email: frame.contactEmail,
          orderNumber,
        }),
      }
    },
    custom: {
      title: 'Direct debit notice',
      sentWhen: 'When an order is paid by direct debit, before the money is taken.',
      placeholders: (facts, t) => orderPlaceholders(t, facts),
      sampleOf: orderOfPublication,
    },
    sample: {
      about: { orderId: 1204 },
      facts: {
        ...sampleOrder(),
        debit: { chargedOn: '2026-11-27', lastFour: '4321', mandate: 'HLQ7XK2M', statementName: 'QUAYSIDE PRESS' },
      },
    },
  }),

  /** To the buyer, and to the publication's order address, when a paid order was reversed. */
  'payment-failed': mail({
    kind: 'notice',
    // `round`: the order was reversed before, and paid again.
    about: OrderMail.extend({ to: z.enum(['buyer', 'publication']), round: z.number().int().optional() }),
    key: ({ orderId, to, round }) => `payment-failed:${to}:order:${orderId}${round ? `:${round}` : ''}`,
    async facts(ctx, { orderId }) {
      const facts = await orderFacts(ctx, orderId)
      const { state } = facts
      const creditKept =
        state === 'refunded' ? (await creditsOfOrder(ctx, orderId)).reduce((sum, { amount }) => sum + amount, 0) : 0
      return state === 'reversed' || state === 'refunded' ? { ...facts, state, creditKept } : null
    },
    recipient: (facts, { to }) => (to === 'buyer' ? toBuyer(facts) : toPublication(facts)),
    reader: (facts, { to }) => (to === 'buyer' ? readerOf(facts) : { language: null, country: null }),
    view(facts, { orderId, to }, { appUrl }, t) {
      const { frame, orderNumber, state, currency } = facts
      const creditKept = facts.creditKept > 0 ? t.moneyWithCode({ amount: facts.creditKept, currency }) : null
      const about = {
        publicationName: frame.publicationName,
        buyerName: facts.name,
        hasTerm: facts.plan !== null,
        creditKept,
      }
      const message = to === 'buyer' ? reversalTexts(t, state, about) : reversalNotice(state, about)
      return {
        ...frame,
        headline: message.headline,
        orderNumber,
        greeting: greeting(t, to === 'buyer' ? facts.name : ''),
        paragraphs: message.paragraphs,
        rows: [
          { label: t('Order number'), value: orderNumber },
          { label: t('Ordered'), value: orderName(t, facts) },
          { label: t('Amount'), value: orderTotal(t, facts) },
        ],
        action:
          to === 'buyer'
            ? { label: t('Order again'), url: frame.storefrontUrl }
            : { label: 'Open the order', url: `${appUrl}/orderDetails/${orderId}` },
      }
    },
    custom: {
      title: 'Order reversed',
      sentWhen: 'When the payment of an order fails afterwards, or the whole order is refunded.',
      placeholders: (facts, t, { to }) => (to === 'buyer' ? orderPlaceholders(t, facts) : null),
      sampleOf: orderOfPublication,
    },
    sample: {
      about: { orderId: 1204, to: 'buyer' },
      facts: { ...sampleOrder(), state: 'reversed' as ReversalKind, creditKept: 0 },
    },
  }),
}

/** What else the buyer must know: the renewal, a direct debit to come, an account without a password. */
function receiptNotes(t: MailTranslator, { plan, replaced, debit, lacksPassword, frame }: OrderFacts): string[] {
  return [
    ...(plan?.isRecurring
      ? [
          t('It renews after each term, until you turn that off in your account: {url}', {
            url: `${frame.storefrontUrl}/account`,
          }),
        ]
      : []),
    ...(replaced
      ? [
          t('This order replaced your automatic renewal of {plan}, {amount}, due on {day}.', {
            plan: t.phrase(planPhrase(replaced.plan)),
            amount: t.money(replaced.price),
            day: t.day(replaced.on),
          }),
        ]
      : []),
    ...(debit ? [t('This amount is taken by direct debit. A separate email says when and from which account.')] : []),
    ...(lacksPassword
      ? [
          t('Your account has no password yet. To log in, set one at {url}', {
            url: `${frame.storefrontUrl}/forgot`,
          }),
        ]
      : []),
  ]
}

/** None for print and back issues, which are read on paper. Only web addresses are linked. */
function appLinks(t: MailTranslator, { plan, links }: OrderFacts): { label: string; url: string }[] {
  if (!plan || (isDelivered(plan.product) && plan.product !== 'bundle')) return []
  return [
    { label: t('Read it online'), url: links.digitalEdition },
    { label: t('iPhone and iPad app'), url: links.ios },
    { label: t('Android app'), url: links.android },
    { label: t('Kindle app'), url: links.kindle },
  ].filter(({ url }) => /^https?:\/\//i.test(url))
}

/** The values of the placeholders in an email about an order. */
export function orderPlaceholders(t: MailTranslator, facts: OrderFacts): PlaceholderValues {
  return {
    name: facts.name,
    'order number': facts.orderNumber,
    order: orderName(t, facts),
    total: orderTotal(t, facts),
    ...framePlaceholders(facts.frame),
  }
}
