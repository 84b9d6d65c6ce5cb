import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import type { Currency } from '../kernel/money.ts'
import { discounted } from '../pricing/discount.rules.ts'
import { type Product, planPhrase, productNames, type TermMonths } from '../pricing/plan-code.rules.ts'
import { type EffortText, mailedEfforts, textOfEffort } from '../series/mailed-efforts.query.ts'
import { renewalLinkKey } from '../series/renewal-link.ts'
import type { effortPlaceholders } from '../series/series.rules.ts'
import { framePlaceholders } from './frame-placeholders.rules.ts'
import { mail } from './mail.ts'
import { fromPublication, type MailFrame, sampleFrame } from './mail-frame.rules.ts'
import { greeting, type MailTranslator } from './mail-translator.ts'
import { publicationFrame } from './publication-frame.query.ts'

/** A record that an email of the series refers to. */
interface EndingRecord {
  readerId: number
  /** The name of its reader. */
  name: string
  product: Product
  endsOn: Day
  /** The offer of its link; null if the reader chooses. */
  offer: {
    product: Product
    termMonths: TermMonths | null
    price: number
    currency: Currency
    percent: number | null
  } | null
  url: string
  /** The last day of the link, its price and its promo code. */
  validUntil: Day
}

interface EffortFacts {
  publicationId: number
  frame: MailFrame
  /** The name of the recipient. */
  name: string
  firstName: string
  email: string
  language: Language | null
  country: string | null
  /** Written to the giver of a gift. */
  isGift: boolean
  /** The subscription has ended. */
  isOver: boolean
  records: readonly [EndingRecord, ...EndingRecord[]]
  /** The publisher's own text for the effort; blank: the template's. */
  text: EffortText
}

type SharedRow = Pick<
  Parameters<typeof mail<{ effortId: number }, EffortFacts, MailFrame>>[0],
  'about' | 'key' | 'facts' | 'recipient' | 'reader' | 'view'
>

const shared: SharedRow = {
  about: z.object({ effortId: z.number().int() }),
  key: ({ effortId }) => `renewal-effort:${effortId}`,
  facts: effortFacts,
  recipient: ({ email, frame, publicationId, records: [{ readerId }] }) =>
    email === '' ? null : { to: email, ...fromPublication(frame), publicationId, readerId },
  reader: ({ language, country }) => ({ language, country }),
  view(facts, _, __, t) {
    const { frame, records, isOver } = facts
    const [first, ...others] = records
    return {
      ...frame,
      ...titlesOf(facts, t),
      greeting: greeting(t, facts.name),
      rows: others.length > 0 ? records.map((record) => rowOf(record, t)) : rowsOf(facts, first, t),
      action: { label: isOver ? t('Subscribe again') : t('Renew your subscription'), url: first.url },
      links: others.map((record) => ({ label: rowOf(record, t).label, url: record.url })),
      help: t('Something not right? Write to {email}.', { email: frame.contactEmail }),
    }
  },
}

function titlesOf({ frame, records, isOver, isGift }: EffortFacts, t: MailTranslator) {
  const { publicationName: publication } = frame
  const day = t.day(records[0].endsOn)
  if (records.length > 1)
    return isOver
      ? {
          subject: t('Your subscriptions to {publication} have ended', { publication }),
          headline: t('Your subscriptions have ended'),
        }
      : {
          subject: t('Your subscriptions to {publication} end soon', { publication }),
          headline: t('Your subscriptions end soon'),
        }
  if (isOver)
    return {
      subject: t('Your subscription to {publication} ended on {day}', { publication, day }),
      headline: t('Your subscription has ended'),
    }
  if (isGift)
    return {
      subject: t('The subscription to {publication} that you gave ends on {day}', { publication, day }),
      headline: t('Your gift ends soon'),
    }
  return {
    subject: t('Your subscription to {publication} ends on {day}', { publication, day }),
    headline: t('Your subscription ends soon'),
  }
}

/** One record of several, in a line. */
function rowOf({ name, product, endsOn }: EndingRecord, t: MailTranslator) {
  const what = t.phrase(productNames[product])
  return { label: name ? `${what}, ${name}` : what, value: t.day(endsOn) }
}

function rowsOf({ isGift, isOver }: EffortFacts, { name, product, endsOn, offer }: EndingRecord, t: MailTranslator) {
  const rows = [
    { label: t('Subscription'), value: t.phrase(productNames[product]) },
    ...(isGift && name ? [{ label: t('Recipient'), value: name }] : []),
    { label: isOver ? t('Ended on') : t('Ends'), value: t.day(endsOn) },
  ]
  if (!offer) return rows
  const { price, currency, percent, termMonths } = offer
  const plan = t.phrase(planPhrase({ product: offer.product, termMonths, isRecurring: false }))
  const amount = percent === null ? price : discounted(price, percent).amount
  return [...rows, { label: plan, value: t.money({ amount, currency }) }]
}

const placeholders = (facts: EffortFacts, t: MailTranslator): Record<(typeof effortPlaceholders)[number], string> => ({
  name: facts.name,
  'first name': facts.firstName || facts.name,
  subscription: t.phrase(productNames[facts.records[0].product]),
  'expiry date': t.day(facts.records[0].endsOn),
  'valid until': t.day(facts.records[0].validUntil),
  ...framePlaceholders(facts.frame),
})

const sampleFacts: EffortFacts = {
  publicationId: 7,
  frame: sampleFrame,
  name: "Mrs Ann O'Brien",
  firstName: 'Ann',
  email: 'ann@example.com',
  language: null,
  country: 'GB',
  isGift: false,
  isOver: false,
  records: [
    {
      readerId: 88,
      name: "Mrs Ann O'Brien",
      product: 'print',
      endsOn: '2027-11-21',
      offer: { product: 'print', termMonths: 12, price: 2999, currency: 'GBP', percent: null },
      url: 'https://subscriptions.example.com/harbour-light/extend/1.1k.sample',
      validUntil: '2028-01-11',
    },
  ],
  text: { subject: '', body: '' },
}

/** The emails to readers before and after the end of a subscription that does not renew automatically (core/series). */
export const reminderEmails = {
  /** Before the end. Neutral: an offer would make it advertising. */
  'renewal-reminder': mail({
    kind: 'reminder',
    ...shared,
    until: ({ records: [{ endsOn }] }) => endsOn,
    custom: {
      title: 'Renewal Template',
      sentWhen: 'Before the end of a subscription that does not renew automatically.',
      placeholders,
      ownText: ({ text }) => text,
      standard: (t, { frame, records, isGift }) => {
        const { publicationName: publication } = frame
        const day = t.day(records[0].endsOn)
        if (records.length > 1)
          return [
            t('These subscriptions to {publication} end soon. To go on reading, renew them before then.', {
              publication,
            }),
          ]
        if (isGift)
          return [
            t(
              'The subscription to {publication} that you gave ends on {day}. To continue the gift, renew it before then.',
              { publication, day },
            ),
          ]
        return [
          t('Your subscription to {publication} ends on {day}. To go on reading, renew it before then.', {
            publication,
            day,
          }),
        ]
      },
      sampleOf: (facts, { frame }) => ({ ...facts, frame }),
    },
    sample: { about: { effortId: 31 }, facts: sampleFacts },
  }),

  /** After the end, or with an offer: marketing, to buyers of this publication who accept offers. */
  'renewal-offer': mail({
    kind: 'offer',
    ...shared,
    custom: {
      title: 'Renewal offer',
      sentWhen: 'After a subscription has ended, or before its end if the effort includes an offer.',
      placeholders,
      ownText: ({ text }) => text,
      standard: (t, { frame, records, isOver }) => {
        const { publicationName: publication } = frame
        const day = t.day(records[0].endsOn)
        if (records.length > 1)
          return [t('If you would like to go on reading {publication}, you can renew here.', { publication })]
        return isOver
          ? [
              t(
                'Your subscription to {publication} ended on {day}. If you would like to go on reading, you can subscribe again here.',
                { publication, day },
              ),
            ]
          : [t('If you would like to go on reading {publication}, you can renew here.', { publication })]
      },
      sampleOf: (facts, { frame, currency }) => {
        const [record] = facts.records
        return {
          ...facts,
          frame,
          records: [{ ...record, offer: record.offer && { ...record.offer, currency } }] as const,
        }
      },
    },
    sample: { about: { effortId: 32 }, facts: { ...sampleFacts, isOver: true } },
  }),
}

/** Null if the email no longer applies: the end was moved, the subscription was bought again, the email was stopped, or the record was removed. */
async function effortFacts(ctx: AppContext, { effortId }: { effortId: number }): Promise<EffortFacts | null> {
  const on = dayOf(ctx.now(), ctx.settings.timeZone)
  const [lead, ...others] = await mailedEfforts(ctx, effortId, on)
  if (!lead) return null
  const { publicationId } = lead
  const frame = await publicationFrame(ctx, publicationId)
  const isGift = lead.addressee === 'buyer'
  const record = (effort: typeof lead): EndingRecord => ({
    readerId: effort.readerId,
    product: effort.currentProduct,
    endsOn: effort.cycleOn,
    name: nameOf(effort.reader) || effort.reader.fullName,
    validUntil: effort.validUntil,
    offer:
      effort.product && effort.currency && effort.price !== null
        ? {
            product: effort.product,
            termMonths: effort.termMonths,
            price: effort.price,
            currency: effort.currency,
            percent: effort.percent,
          }
        : null,
    url: `${frame.storefrontUrl}/extend/${renewalLinkKey(ctx.settings.appSecret, { publicationId, effortId: effort.id })}`,
  })
  const recipient = isGift ? lead.buyer : lead.reader
  return {
    publicationId,
    frame,
    isGift,
    email: lead.email,
    language: lead.language,
    name: nameOf(recipient) || (isGift ? '' : lead.reader.fullName),
    firstName: recipient.firstName,
    country: lead.country || null,
    isOver: lead.cycleOn < on,
    records: [record(lead), ...others.map(record)],
    text: await textOfEffort(ctx, lead),
  }
}

function nameOf({ title, firstName, lastName }: { title: string; firstName: string; lastName: string }): string {
  return [title, firstName, lastName].filter(Boolean).join(' ')
}
