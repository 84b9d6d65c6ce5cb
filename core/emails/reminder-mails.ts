import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import { type Product, productNames } from '../pricing/plan-code.rules.ts'
import { mail } from './mail.ts'
import { fromPublication, type MailFrame, sampleFrame } from './mail-frame.rules.ts'
import { framePlaceholders } from './mail-text.rules.ts'
import { greeting } from './mail-translator.ts'
import { publicationFrame } from './publication-frame.query.ts'

interface ReminderFacts {
  readerId: number
  publicationId: number
  frame: MailFrame
  name: string
  firstName: string
  email: string
  product: Product
  endsOn: Day
  language: Language | null
  country: string | null
}

/** What readers are reminded of who have to do something themselves. Neutral: an offer would make it advertising. */
export const reminderMails = {
  /** To a reader whose subscription ends and does not renew by itself. */
  'renewal-reminder': mail({
    kind: 'reminder',
    about: z.object({ readerId: z.number().int(), endsOn: z.iso.date() }),
    key: ({ readerId, endsOn }) => `renewal-reminder:${readerId}:${endsOn}`,
    facts: reminderFacts,
    recipient: ({ email, frame, publicationId, readerId }) =>
      email === '' ? null : { to: email, ...fromPublication(frame), publicationId, readerId },
    until: ({ endsOn }) => endsOn,
    reader: ({ language, country }) => ({ language, country }),
    view(facts, _, __, t) {
      const { frame, product } = facts
      const day = t.day(facts.endsOn)
      return {
        ...frame,
        subject: t('Your subscription to {publication} ends on {day}', { publication: frame.publicationName, day }),
        headline: t('Your subscription ends soon'),
        greeting: greeting(t, facts.name),
        rows: [
          { label: t('Subscription'), value: t.phrase(productNames[product]) },
          { label: t('Ends'), value: day },
        ],
        action: { label: t('Renew your subscription'), url: frame.storefrontUrl },
        help: t('Something not right? Write to {email}.', { email: frame.contactEmail }),
      }
    },
    custom: {
      title: 'Renewal Template',
      sentWhen: 'Before a subscription ends that does not renew by itself.',
      placeholders: (facts, t) => ({
        name: facts.name,
        'first name': facts.firstName || facts.name,
        subscription: t.phrase(productNames[facts.product]),
        'expiry date': t.day(facts.endsOn),
        ...framePlaceholders(facts.frame),
      }),
      standard: (t, { frame, endsOn }) => [
        t('Your subscription to {publication} ends on {day}. To go on reading, renew it before then.', {
          publication: frame.publicationName,
          day: t.day(endsOn),
        }),
      ],
      sampleOf: (facts, { frame }) => ({ ...facts, frame }),
    },
    sample: {
      about: { readerId: 88, endsOn: '2027-11-21' },
      facts: {
        readerId: 88,
        publicationId: 7,
        frame: sampleFrame,
        name: "Mrs Ann O'Brien",
        firstName: 'Ann',
        email: 'ann@example.com',
        product: 'print',
        endsOn: '2027-11-21',
        language: null,
        country: 'GB',
      },
    },
  }),
}

interface Row {
  publicationId: number
  title: string
  firstName: string
  lastName: string
  fullName: string
  email: string
  product: Product
  country: string
  language: Language | null
}

/** Null where the reader is gone, or the subscription has another end by now. */
async function reminderFacts(
  ctx: AppContext,
  { readerId, endsOn }: { readerId: number; endsOn: Day },
): Promise<ReminderFacts | null> {
  const [row] = await ctx.db.query<Row>(
    `SELECT r.publication_id AS "publicationId", r.title, r.first_name AS "firstName", r.last_name AS "lastName",
       r.full_name AS "fullName", r.email, r.sub_type AS product, r.country, b.language
     FROM readers r JOIN publications p ON p.id = r.publication_id LEFT JOIN buyers b ON b.id = r.buyer_id
     WHERE r.id = :readerId AND r.sub_end_on = :endsOn AND NOT r.is_deleted AND p.removed_at IS NULL`,
    { readerId, endsOn },
  )
  if (!row) return null
  const { publicationId, firstName, email, product, language } = row
  return {
    ...{ readerId, publicationId, firstName, email, product, language, endsOn },
    frame: await publicationFrame(ctx, publicationId),
    name: [row.title, firstName, row.lastName].filter(Boolean).join(' ') || row.fullName,
    country: row.country || null,
  }
}
