import { z } from 'zod'
import { makeBuyerLink } from '../buyers/buyer-link.ts'
import { makeClaimLink } from '../buyers/claim-link.ts'
import { type BuyerRow, liveBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { dayOf, timeOf } from '../kernel/calendar.ts'
import { type Day, openEnd } from '../kernel/dates.ts'
import { languages } from '../kernel/languages.ts'
import { type Product, planPhrase, type TermMonths } from '../pricing/plan-code.rules.ts'
import { buyerNotices, buyerNoticeTexts } from './buyer-notice-texts.ts'
import { framePlaceholders } from './frame-placeholders.rules.ts'
import { mail } from './mail.ts'
import { fromPublication, sampleFrame } from './mail-frame.rules.ts'
import { greeting, type MailReader } from './mail-translator.ts'
import { publicationFrame } from './publication-frame.query.ts'

/** `key` names one request: the same link is never emailed twice, and a new request sends a new one. */
const BuyerMail = z.object({ buyerId: z.number().int(), key: z.string() })

/** The emails to a reader with an account at a publication about that account, in the publication's name. */
export const buyerEmails = {
  /** The link to set a new password. The token is created when the email is rendered, so that no job contains it. */
  'buyer-reset-link': mail({
    kind: 'notice',
    cannotResend: 'A password reset link works once. The reader can request a new one on the log-in page.',
    // In the language of the page that requested it; else in the buyer's.
    about: BuyerMail.extend({ language: z.enum(languages).optional() }),
    key: ({ buyerId, key }) => `reset:buyer:${buyerId}:${key}`,
    async facts(ctx, { buyerId }) {
      const link = await makeBuyerLink(ctx, buyerId)
      return link && { ...link, frame: await publicationFrame(ctx, link.publicationId) }
    },
    recipient: ({ email, publicationId, frame }, { buyerId }) => ({
      to: email,
      ...fromPublication(frame),
      publicationId,
      buyerId,
    }),
    reader: ({ language: buyerLanguage }, { language = buyerLanguage }) => ({ language, country: null }),
    view({ frame, name, email, url }, _, __, t) {
      const publication = frame.publicationName
      return {
        ...frame,
        subject: t('Set a new password for {publication}', { publication }),
        headline: t('Set a new password'),
        greeting: greeting(t, name),
        explanation: t(
          'Somebody asked for a new password for {email} at {publication}. If it was you, choose one here:',
          {
            email,
            publication,
          },
        ),
        button: t('Choose a new password'),
        url,
        expiry: t('The link works once and expires after one hour. Requesting a new link replaces it.'),
        ifNotYou: t('If it was not you, you do not need to do anything: your password stays as it is.'),
        copyLink: t('If the button does not work, copy this address into your browser:'),
      }
    },
    custom: {
      title: 'Password reset link',
      sentWhen: 'When a reader asks for it.',
      placeholders: ({ name, email, frame }) => ({ name, 'account email': email, ...framePlaceholders(frame) }),
      sampleOf: (facts, { frame }) => ({ ...facts, frame }),
    },
    sample: {
      about: { buyerId: 31, key: 'a' },
      facts: {
        url: 'https://subscriptions.example.com/resetsub/4YbVq0Yb9nY3h1tZ7o8Vwq3jv0pC2xk5sR6uEwDfGhI',
        email: 'ann@example.com',
        name: "Mrs Ann O'Brien",
        language: null,
        publicationId: 7,
        frame: sampleFrame,
      },
    },
  }),

  /** The link with which a reader who is known by the email alone sets a first password. The token is created when the email is rendered. */
  'claim-link': mail({
    kind: 'notice',
    cannotResend:
      'A link to set a first password works once. The reader gets another one by trying to log in to the app again.',
    about: z.object({ readerId: z.number().int(), key: z.string() }),
    key: ({ readerId, key }) => `claim:reader:${readerId}:${key}`,
    async facts(ctx, { readerId }) {
      const link = await makeClaimLink(ctx, readerId)
      return link && { ...link, frame: await publicationFrame(ctx, link.publicationId) }
    },
    recipient: ({ email, publicationId, frame }, { readerId }) => ({
      to: email,
      ...fromPublication(frame),
      publicationId,
      readerId,
    }),
    reader: ({ language, country }) => ({ language, country: country || null }),
    view({ frame, name, email, url }, _, __, t) {
      const publication = frame.publicationName
      return {
        ...frame,
        subject: t('Choose a password to read {publication}', { publication }),
        headline: t('Choose a password'),
        greeting: greeting(t, name),
        explanation: t(
          'Somebody tried to log in with {email} to read the digital edition of {publication}. Your subscription includes it, but has no password yet. If it was you, choose one here:',
          { email, publication },
        ),
        button: t('Choose a password'),
        url,
        expiry: t('The link works once and expires after three days. Requesting a new link replaces it.'),
        ifNotYou: t('If it was not you, you do not need to do anything: nobody can log in without the link.'),
        copyLink: t('If the button does not work, copy this address into your browser:'),
      }
    },
    custom: {
      title: 'Link to set a first password',
      sentWhen: 'When a reader without a password tries to log in to an app.',
      placeholders: ({ name, email, frame }) => ({ name, 'account email': email, ...framePlaceholders(frame) }),
      sampleOf: (facts, { frame }) => ({ ...facts, frame }),
    },
    sample: {
      about: { readerId: 48, key: 'a' },
      facts: {
        url: 'https://subscriptions.example.com/harbour-light/claim/4YbVq0Yb9nY3h1tZ7o8Vwq3jv0pC2xk5sR6uEwDfGhI',
        readerId: 48,
        publicationId: 7,
        urlKey: 'harbour-light',
        email: 'ann@example.com',
        name: "Mrs Ann O'Brien",
        firstName: 'Ann',
        lastName: "O'Brien",
        language: null,
        country: 'GB',
        subEndOn: '2027-11-21',
        frame: sampleFrame,
      },
    },
  }),

  /** A change of the account or its renewals, and what to do if it was not wanted. */
  'buyer-notice': mail({
    kind: 'notice',
    about: BuyerMail.extend({
      kind: z.enum(buyerNotices),
      agreementId: z.number().int().optional(),
      to: z.string().optional(),
      /** When the change was made; missing in jobs of earlier releases. */
      at: z.iso.datetime().optional(),
    }),
    key: ({ buyerId, kind, key }) => `buyer-notice:${buyerId}:${kind}:${key}`,
    async facts(ctx, { buyerId, agreementId, at }) {
      const buyer = await liveBuyer(ctx, { id: buyerId })
      if (!buyer) return null
      const frame = await publicationFrame(ctx, buyer.publicationId)
      const agreement = agreementId === undefined ? null : await agreementOf(ctx, agreementId, buyerId)
      const { email, publicationId } = buyer
      const name = [buyer.title, buyer.firstName, buyer.lastName].filter(Boolean).join(' ')
      return {
        email,
        publicationId,
        name,
        reader: readerOf(buyer),
        frame,
        agreement,
        at: agreement?.endedAt ?? (at === undefined ? ctx.now() : new Date(at)),
      }
    },
    recipient: ({ email, publicationId, frame }, { buyerId, to = email }) => ({
      to,
      ...fromPublication(frame),
      publicationId,
      buyerId,
    }),
    reader: ({ reader }) => reader,
    view({ name, email, frame, agreement, at }, { kind }, { timeZone }, t) {
      const { headline, meaning, advice, link } = buyerNoticeTexts[kind]
      return {
        ...frame,
        greeting: greeting(t, name),
        // Also the subject.
        headline: t(headline),
        meaning: t(meaning),
        rows: [
          { label: t('Account'), value: email },
          { label: t('When'), value: `${t.day(dayOf(at, timeZone))} ${timeOf(at, timeZone)} (${timeZone})` },
          ...(agreement
            ? [
                { label: t('Subscription'), value: t.phrase(planPhrase({ ...agreement, isRecurring: false })) },
                agreement.renewsOn === openEnd
                  ? { label: t('Ends'), value: t('Until further notice') }
                  : { label: t('Runs until'), value: t.day(agreement.renewsOn) },
              ]
            : []),
        ],
        advice: t(advice),
        link: { label: t(link.label), url: `${frame.storefrontUrl}${link.path}` },
      }
    },
    custom: {
      title: 'Account notice',
      sentWhen: "When a reader's password or email, or the automatic renewal, was changed.",
      placeholders: ({ name, email, frame }) => ({ name, 'account email': email, ...framePlaceholders(frame) }),
      sampleOf: (facts, { frame }) => ({ ...facts, frame }),
    },
    sample: {
      about: { buyerId: 31, key: 'a', kind: 'renewal-off' },
      facts: {
        email: 'ann@example.com',
        publicationId: 7,
        name: "Mrs Ann O'Brien",
        reader: { language: null, country: 'GB' },
        frame: sampleFrame,
        agreement: { product: 'print', termMonths: 12, renewsOn: '2027-11-21', endedAt: null },
        at: new Date('2026-11-21T10:00:00Z'),
      },
    },
  }),
}

function readerOf({ language, shipping }: BuyerRow): MailReader {
  return { language, country: shipping?.country ?? null }
}

interface EndedAgreement {
  product: Product
  termMonths: TermMonths
  renewsOn: Day
  endedAt: Date | null
}

async function agreementOf({ db }: AppContext, id: number, buyerId: number): Promise<EndedAgreement | null> {
  const [row] = await db.query<Omit<EndedAgreement, 'endedAt'> & { endedAt: Date | string | null }>(
    `SELECT product, term_months AS "termMonths", renews_on AS "renewsOn", ended_at AS "endedAt"
     FROM payment_agreements WHERE id = :id AND buyer_id = :buyerId`,
    { id, buyerId },
  )
  return row ? { ...row, endedAt: row.endedAt ? asInstant(row.endedAt) : null } : null
}
