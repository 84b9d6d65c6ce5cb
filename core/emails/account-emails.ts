import { z } from 'zod'
import { userTypeNames } from '../access/user-types.ts'
import { ContactRequests } from '../contact/contact-requests.rows.ts'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { formatMoment } from '../kernel/calendar.ts'
import { planByKey } from '../pricing/publisher-plans.rules.ts'
import { newPublisher } from '../signup/new-publisher.query.ts'
import { makePasswordLink, type PasswordLink } from '../users/password-link.ts'
import { type AccountNotice, accountNotices, accountNoticeTexts } from './account-notice-texts.ts'
import { mail } from './mail.ts'
import { fromProduct, paragraphs, productFrame } from './mail-frame.rules.ts'
import { greeting } from './mail-translator.ts'

/** `key` names one request: the same link is never emailed twice, and a new request sends a new one. */
const UserMail = z.object({ userId: z.number().int(), key: z.string() })

const sampleLink: PasswordLink = {
  url: 'https://subscriptions.example.com/reset/4YbVq0Yb9nY3h1tZ7o8Vwq3jv0pC2xk5sR6uEwDfGhI',
  email: 'ann@example.com',
  name: "Ann O'Brien",
  userType: 'admin',
  companyName: 'Quayside Press',
}

/** The product's own emails: to those who work with it, and to ourselves. */
export const accountEmails = {
  /** The link to set a new password. The token is created when the email is rendered, so that no job contains it. */
  'reset-link': mail({
    kind: 'notice',
    cannotResend: 'A password reset link works once. A new one can be requested on the log-in page.',
    about: UserMail,
    key: ({ userId, key }) => `reset:user:${userId}:${key}`,
    facts: (ctx, { userId }) => makePasswordLink(ctx, userId, 'reset'),
    recipient: ({ email }) => ({ to: email, ...fromProduct }),
    view: ({ name, email, url }, _, { appUrl }, t) => ({
      ...productFrame(appUrl),
      greeting: greeting(t, name),
      email,
      url,
    }),
    sample: { about: { userId: 12, key: 'a' }, facts: sampleLink },
  }),

  /** The email to a user for whom an account was created: the link to choose the first password. */
  invitation: mail({
    kind: 'notice',
    cannotResend: 'An invitation works once. Send a new one from the list of users.',
    about: UserMail,
    key: ({ userId, key }) => `invitation:user:${userId}:${key}`,
    facts: (ctx, { userId }) => makePasswordLink(ctx, userId, 'invitation'),
    recipient: ({ email }) => ({ to: email, ...fromProduct }),
    view: ({ name, email, url, userType, companyName }, _, { appUrl }, t) => ({
      ...productFrame(appUrl),
      greeting: greeting(t, name),
      email,
      role: userTypeNames[userType],
      // The publisher's company, or empty.
      companyName,
      url,
      // Where to request a new link when this one is too old.
      forgotUrl: `${appUrl}/forgot`,
    }),
    sample: { about: { userId: 12, key: 'a' }, facts: sampleLink },
  }),

  /** A change of the account: what was changed, when, from where, and what to do if somebody else made it. */
  'account-notice': mail({
    kind: 'notice',
    // `to`: the address it goes to, where that is no longer the user's own (a changed email is announced to the old address too).
    about: UserMail.extend({
      kind: z.enum(accountNotices),
      to: z.string().optional(),
      /** When the change was made; missing in jobs of earlier releases. */
      at: z.iso.datetime().optional(),
    }),
    key: ({ userId, kind, key }) => `account-notice:${userId}:${kind}:${key}`,
    async facts(ctx, { userId, kind, to, at }) {
      const [user] = await ctx.db.query<{ email: string; first_name: string; last_name: string }>(
        `SELECT email, first_name, last_name FROM users WHERE id = :userId`,
        { userId },
      )
      if (!user) return null
      const name = `${user.first_name} ${user.last_name}`.trim()
      return {
        name,
        address: to ?? user.email,
        change: await lastChange(ctx, { userId, kind, at: at === undefined ? ctx.now() : new Date(at) }),
      }
    },
    recipient: ({ address }) => ({ to: address, ...fromProduct }),
    view({ name, address, change }, { kind }, { appUrl, timeZone }, t) {
      const { headline, meaning, advice, link } = accountNoticeTexts[kind]
      return {
        ...productFrame(appUrl),
        greeting: greeting(t, name),
        // Also the subject.
        headline,
        meaning,
        rows: [
          { label: 'Account', value: address },
          { label: 'When', value: `${formatMoment(change.at, timeZone)} (${timeZone})` },
          ...(change.isByOther ? [{ label: 'By', value: 'Somebody who manages your account' }] : []),
          ...(change.from ? [{ label: 'From', value: change.from }] : []),
        ],
        advice,
        link: { label: link.label, url: `${appUrl}${link.path}` },
      }
    },
    sample: {
      about: { userId: 12, key: 'a', kind: 'password-changed' },
      facts: {
        name: "Ann O'Brien",
        address: 'ann@example.com',
        change: { at: new Date('2026-11-21T10:00:00Z'), isByOther: false, from: '203.0.113.7' },
      },
    },
  }),

  /** A key of a publication was created, replaced or revoked: which, when, and until when a replaced one works. */
  'api-key-notice': mail({
    kind: 'notice',
    about: z.object({
      keyId: z.number().int(),
      kind: z.enum(['made', 'replaced', 'revoked']),
      key: z.string(),
      /** When the change was made; missing in jobs of earlier releases. */
      at: z.iso.datetime().optional(),
    }),
    key: ({ keyId, kind, key }) => `api-key-notice:${keyId}:${kind}:${key}`,
    facts: (ctx, { keyId, at }) => apiKeyFacts(ctx, keyId, at === undefined ? ctx.now() : new Date(at)),
    recipient: ({ email }) => ({ to: email, ...fromProduct }),
    view({ publisherName, publicationName, keyName, lastFour, endsAt, at }, { kind }, { appUrl, timeZone }, t) {
      const { headline, meaning, advice } = apiKeyTexts[kind]
      return {
        ...productFrame(appUrl),
        greeting: greeting(t, publisherName),
        // Also the subject.
        headline: `${headline}: ${publicationName}`,
        meaning,
        rows: [
          { label: 'Publication', value: publicationName },
          { label: 'Key', value: `${keyName || 'API key'}, ends with ${lastFour}` },
          { label: 'When', value: `${formatMoment(at, timeZone)} (${timeZone})` },
          ...(kind === 'replaced' && endsAt
            ? [{ label: 'The old key works until', value: `${formatMoment(endsAt, timeZone)} (${timeZone})` }]
            : []),
        ],
        advice,
        link: { label: 'See your API keys', url: `${appUrl}/thirdparty/` },
      }
    },
    sample: {
      about: { keyId: 3, kind: 'replaced', key: 'a' },
      facts: {
        email: 'ann@example.com',
        publisherName: "Ann O'Brien",
        publicationName: 'The Gardener',
        keyName: '',
        lastFour: 'x4Qz',
        endsAt: new Date('2026-11-22T10:00:00Z'),
        at: new Date('2026-11-21T10:00:00Z'),
      },
    },
  }),

  /** The email to a publisher who has signed up: the confirmation, the plan that was bought, and how to begin. */
  welcome: mail({
    kind: 'notice',
    about: z.object({ userId: z.number().int() }),
    key: ({ userId }) => `welcome:user:${userId}`,
    facts: (ctx, { userId }) => newPublisher(ctx, userId),
    recipient: ({ email }) => ({ to: email, ...fromProduct }),
    view: (publisher, _, { appUrl }, t) => ({
      ...productFrame(appUrl),
      greeting: greeting(t, `${publisher.firstName} ${publisher.lastName}`.trim()),
      companyName: publisher.companyName,
      planName: planByKey(publisher.planKey)?.name ?? publisher.planKey,
      email: publisher.email,
      loginUrl: `${appUrl}/login`,
    }),
    sample: {
      about: { userId: 12 },
      facts: {
        id: 12,
        email: 'ann@example.com',
        firstName: 'Ann',
        lastName: "O'Brien",
        companyName: 'Quayside Press',
        titlesAllowed: 3,
        planKey: 'standard-3',
      },
    },
  }),

  /** The email to us when a visitor has used the contact form. The visitor is only the reply-to address. */
  'contact-request': mail({
    kind: 'notice',
    about: z.object({ contactRequestId: z.number().int() }),
    key: ({ contactRequestId }) => `contact-request:${contactRequestId}`,
    async facts(ctx, { contactRequestId }) {
      const request = await ContactRequests.find(ctx, { id: contactRequestId })
      return request ? { ...request, contactEmail: ctx.settings.contactEmail } : null
    },
    recipient: ({ contactEmail, email }) => ({ to: contactEmail, ...fromProduct, replyTo: email }),
    view: ({ name, email, phone, message, createdAt }, _, { appUrl, timeZone }) => ({
      ...productFrame(appUrl),
      name,
      email,
      // Empty where none was given.
      phone,
      writtenAt: formatMoment(createdAt, timeZone),
      message: paragraphs(message),
    }),
    sample: {
      about: { contactRequestId: 5 },
      facts: {
        id: 5,
        name: "Ann O'Brien",
        email: 'ann@example.com',
        phone: '01326 496 0123',
        message: 'We publish two magazines.\nCan you take over our 4,000 readers?',
        createdAt: new Date('2026-11-21T10:05:00Z'),
        contactEmail: 'hello@example.com',
      },
    },
  }),
}

const apiKeyTexts = {
  made: {
    headline: 'A new API key was created',
    meaning: 'Programs with this key can check the log-ins and subscriptions of this publication’s readers.',
    advice: 'If nobody in your company created it, revoke it and change your password.',
  },
  replaced: {
    headline: 'An API key was replaced',
    meaning: 'There is a new key in its place. Both work for a day, so that your partner can switch to the new one.',
    advice:
      'If the old key was stolen, revoke it now: otherwise it works until then. Give the new one to your partner.',
  },
  revoked: {
    headline: 'An API key was revoked',
    meaning: 'Programs with this key are refused from now on.',
    advice: 'If nobody in your company revoked it, create a new one for your partner and change your password.',
  },
} as const

interface ApiKeyFacts {
  email: string
  publisherName: string
  publicationName: string
  keyName: string
  lastFour: string
  endsAt: Date | null
  at: Date
}

async function apiKeyFacts(ctx: AppContext, keyId: number, at: Date): Promise<ApiKeyFacts | null> {
  const [row] = await ctx.db.query<Omit<ApiKeyFacts, 'endsAt' | 'at'> & { endsAt: Date | string | null }>(
    `SELECT u.email, u.first_name || ' ' || u.last_name AS "publisherName", p.publication_name AS "publicationName",
            k.name AS "keyName", k.last_four AS "lastFour", k.ends_at AS "endsAt"
     FROM api_keys k JOIN publications p ON p.id = k.publication_id JOIN users u ON u.id = p.publisher_id WHERE k.id = :keyId`,
    { keyId },
  )
  return row ? { ...row, endsAt: row.endsAt ? asInstant(row.endsAt) : null, at } : null
}

/** The last change until a moment, from the audit log: when it was made, whether by another user, and if not, from which network address. */
async function lastChange(
  ctx: AppContext,
  { userId, kind, at }: { userId: number; kind: AccountNotice; at: Date },
): Promise<{ at: Date; isByOther: boolean; from: string | null }> {
  const [entry] = await ctx.db.query<{
    happened_at: Date | string
    actor_kind: string
    actor_id: number | null
    address: string | null
  }>(
    `SELECT happened_at, actor_kind, actor_id, address FROM audit_log
     WHERE subject_type = 'user' AND subject_id = :userId AND action IN (:actions) AND happened_at <= :at ORDER BY id DESC LIMIT 1`,
    { userId, actions: accountNoticeTexts[kind].actions, at },
  )
  if (!entry) return { at, isByOther: false, from: null }
  const isByOther = entry.actor_kind === 'operator' || (entry.actor_kind === 'staff' && entry.actor_id !== userId)
  // The user does not see the network address of another user.
  return { at: asInstant(entry.happened_at), isByOther, from: isByOther ? null : entry.address }
}
