import { z } from 'zod'
import { makeBuyerLink } from '../buyers/buyer-link.ts'
import { liveBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { type Day, printDay, printMoment } from '../kernel/dates.ts'
import { type Product, planName, type TermMonths } from '../pricing/plan-code.rules.ts'
import { buyerNotices, buyerNoticeWords } from './buyer-notice-words.ts'
import { mail } from './mail.ts'
import { fromPublication, greeting, type MailRow, sampleFrame } from './mail-frame.rules.ts'
import { publicationFrame } from './publication-frame.query.ts'

/** `key` names one asking: the same link is never mailed twice, and asking again sends a new one. */
const BuyerMail = z.object({ buyerId: z.number().int(), key: z.string() })

/** What a reader with an account at a publication is mailed about it, in the publication's name. */
export const buyerMails = {
  /** The link to set a new password. The token is made where the mail is written, so that it stands in no job. */
  'buyer-reset-link': mail({
    kind: 'notice',
    about: BuyerMail,
    key: ({ buyerId, key }) => `reset:buyer:${buyerId}:${key}`,
    async facts(ctx, { buyerId }) {
      const link = await makeBuyerLink(ctx, buyerId)
      return link && { link, frame: await publicationFrame(ctx, link.publicationId) }
    },
    recipient: ({ link: { email, publicationId }, frame }) => ({
      to: email,
      ...fromPublication(frame),
      publicationId,
    }),
    view: ({ link, frame }) => ({ ...frame, greeting: greeting(link.name), email: link.email, url: link.url }),
    sample: {
      ...sampleFrame,
      greeting: "Dear Mrs Ann O'Brien,",
      email: 'ann@example.com',
      url: 'https://subscriptions.example.com/resetsub/4YbVq0Yb9nY3h1tZ7o8Vwq3jv0pC2xk5sR6uEwDfGhI',
    },
  }),

  /** What happened to the account or its renewals, and what to do if it was not wanted. */
  'buyer-notice': mail({
    kind: 'notice',
    about: BuyerMail.extend({ kind: z.enum(buyerNotices), agreementId: z.number().int().optional() }),
    key: ({ buyerId, kind, key }) => `buyer-notice:${buyerId}:${kind}:${key}`,
    async facts(ctx, { buyerId, agreementId }) {
      const buyer = await liveBuyer(ctx, { id: buyerId })
      if (!buyer) return null
      const frame = await publicationFrame(ctx, buyer.publicationId)
      const agreement = agreementId === undefined ? null : await agreementOf(ctx, agreementId, buyerId)
      return { buyer, frame, rows: agreement?.rows ?? [], at: agreement?.endedAt ?? ctx.now() }
    },
    recipient: ({ buyer, frame }) => ({
      to: buyer.email,
      ...fromPublication(frame),
      publicationId: buyer.publicationId,
    }),
    view({ buyer, frame, rows, at }, { kind }, { timeZone }) {
      const { headline, meaning, advice, link } = buyerNoticeWords[kind]
      return {
        ...frame,
        greeting: greeting([buyer.title, buyer.firstName, buyer.lastName].filter(Boolean).join(' ')),
        // Also the subject.
        headline,
        meaning,
        rows: [
          { label: 'Account', value: buyer.email },
          { label: 'When', value: `${printMoment(at, timeZone)} (${timeZone})` },
          ...rows,
        ],
        advice,
        link: { label: link.label, url: `${frame.storefrontUrl}${link.path}` },
      }
    },
    sample: {
      ...sampleFrame,
      greeting: "Dear Mrs Ann O'Brien,",
      headline: 'Your automatic renewal is off',
      meaning: 'You get everything you have paid for. After that no more money is taken.',
      rows: [
        { label: 'Account', value: 'ann@example.com' },
        { label: 'When', value: '21/11/2026 10:00 (Europe/London)' },
        { label: 'Subscription', value: 'Print, one year' },
        { label: 'Runs until', value: '21/11/2027' },
      ],
      advice: 'Changed your mind? You can subscribe again at any time.',
      link: { label: 'Open your account', url: 'https://subscriptions.example.com/harbour-light/account' },
    },
  }),
}

async function agreementOf(
  { db }: AppContext,
  id: number,
  buyerId: number,
): Promise<{ rows: MailRow[]; endedAt: Date | null } | null> {
  const [row] = await db.query<{
    product: Product
    term_months: TermMonths
    renews_on: Day
    ended_at: Date | string | null
  }>(
    `SELECT product, term_months, renews_on, ended_at FROM payment_agreements WHERE id = :id AND buyer_id = :buyerId`,
    { id, buyerId },
  )
  if (!row) return null
  const plan = planName({ product: row.product, termMonths: row.term_months, isRecurring: false })
  return {
    endedAt: row.ended_at ? asInstant(row.ended_at) : null,
    rows: [
      { label: 'Subscription', value: plan },
      { label: 'Runs until', value: printDay(row.renews_on) },
    ],
  }
}
