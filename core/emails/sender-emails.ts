import { z } from 'zod'
import { formatMoment } from '../kernel/calendar.ts'
import { PublisherSenders } from '../senders/publisher-senders.rows.ts'
import { makeSenderLink } from '../senders/save-sender.ts'
import { dkimName } from '../senders/sender-records.rules.ts'
import { mail } from './mail.ts'
import { fromProduct, productFrame } from './mail-frame.rules.ts'
import { greeting } from './mail-translator.ts'
import { publisherOf } from './publisher-of.query.ts'

const SenderMail = z.object({ senderId: z.number().int(), key: z.string() })

/** Where a publisher's own sender is set up. */
const senderPage = '/emailtemplates/sender'

/** The product's emails about a publisher's own sender. */
export const senderEmails = {
  /** To the address itself: the link that proves it. The token is created when the email is rendered, so that no job contains it. */
  'sender-link': mail({
    kind: 'notice',
    cannotResend: 'The link works once. A new one is sent from the Sender address page.',
    about: SenderMail,
    key: ({ senderId, key }) => `sender-link:${senderId}:${key}`,
    async facts(ctx, { senderId }) {
      const link = await makeSenderLink(ctx, senderId)
      if (!link) return null
      const { company } = await publisherOf(ctx, link.publisherId)
      return { address: link.address, company, url: `${ctx.settings.appUrl}${senderPage}?token=${link.token}` }
    },
    recipient: ({ address }) => ({ to: address, ...fromProduct }),
    view: ({ address, company, url }, _, { appUrl }, t) => ({
      ...productFrame(appUrl),
      greeting: greeting(t, ''),
      address,
      company,
      url,
    }),
    sample: {
      about: { senderId: 4, key: 'a' },
      facts: {
        address: 'readers@quayside.example',
        company: 'Quayside Press',
        url: 'https://subscriptions.example.com/emailtemplates/sender?token=4YbVq0Yb9nY3h1tZ7o8Vwq3jv0pC2xk5sR6uEwDfGhI',
      },
    },
  }),

  /** To the publisher: the DNS record of the key is missing, so that emails are sent from the installation's address again. */
  'sender-lost': mail({
    kind: 'notice',
    about: SenderMail,
    key: ({ senderId, key }) => `sender-lost:${senderId}:${key}`,
    async facts(ctx, { senderId }) {
      const row = await PublisherSenders.find(ctx, { id: senderId })
      // If the record was corrected in the meantime, the email no longer applies.
      if (!row || row.lostAt === null) return null
      const { address, lostAt, publisherId } = row
      const { email, name } = await publisherOf(ctx, publisherId)
      return { email, name, address, lostAt, recordName: dkimName(row) }
    },
    recipient: ({ email }) => (email === '' ? null : { to: email, ...fromProduct }),
    view: ({ name, address, lostAt, recordName }, _, { appUrl, timeZone }, t) => ({
      ...productFrame(appUrl),
      greeting: greeting(t, name),
      address,
      rows: [
        { label: 'Sender address', value: address },
        { label: 'Record that is missing or wrong', value: `${recordName} (TXT)` },
        { label: 'Detected', value: `${formatMoment(lostAt, timeZone)} (${timeZone})` },
      ],
      link: { label: 'See the DNS records to add', url: `${appUrl}${senderPage}` },
    }),
    sample: {
      about: { senderId: 4, key: 'a' },
      facts: {
        email: 'ann@example.com',
        name: "Ann O'Brien",
        address: 'readers@quayside.example',
        lostAt: new Date('2026-11-21T10:00:00Z'),
        recordName: 'mh4f6a0c91b2d3._domainkey.quayside.example',
      },
    },
  }),

  /** To the publisher: the mail server refuses its address as a sender, so that emails are sent from the installation's address again. */
  'sender-refused': mail({
    kind: 'notice',
    about: SenderMail,
    key: ({ senderId, key }) => `sender-refused:${senderId}:${key}`,
    async facts(ctx, { senderId }) {
      const row = await PublisherSenders.find(ctx, { id: senderId })
      if (!row || row.refusedAt === null) return null
      const { address, refusedAt, refusedAnswer, publisherId } = row
      const { email, name } = await publisherOf(ctx, publisherId)
      return { email, name, address, refusedAt, refusedAnswer }
    },
    recipient: ({ email }) => (email === '' ? null : { to: email, ...fromProduct }),
    view: ({ name, address, refusedAt, refusedAnswer }, _, { appUrl, timeZone }, t) => ({
      ...productFrame(appUrl),
      greeting: greeting(t, name),
      address,
      rows: [
        { label: 'Sender address', value: address },
        { label: 'Mail server’s response', value: refusedAnswer },
        { label: 'Refused', value: `${formatMoment(refusedAt, timeZone)} (${timeZone})` },
      ],
      link: { label: 'See your sender address', url: `${appUrl}${senderPage}` },
    }),
    sample: {
      about: { senderId: 4, key: 'a' },
      facts: {
        email: 'ann@example.com',
        name: "Ann O'Brien",
        address: 'readers@quayside.example',
        refusedAt: new Date('2026-11-21T10:00:00Z'),
        refusedAnswer: '550 5.7.60 Client does not have permissions to send as this sender',
      },
    },
  }),
}
