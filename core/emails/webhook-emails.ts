import { z } from 'zod'
import { formatMoment } from '../kernel/calendar.ts'
import { WebhookEndpoints } from '../webhooks/webhook-endpoints.rows.ts'
import { mail } from './mail.ts'
import { fromProduct, productFrame } from './mail-frame.rules.ts'
import { greeting } from './mail-translator.ts'
import { publisherOf } from './publisher-of.query.ts'

/** The product's emails to a publisher about its webhooks. */
export const webhookEmails = {
  /** A webhook is paused, because of its receiver's responses, or because there were none. */
  'webhook-paused': mail({
    kind: 'notice',
    about: z.object({ webhookId: z.number().int(), key: z.string() }),
    key: ({ webhookId, key }) => `webhook-paused:${webhookId}:${key}`,
    async facts(ctx, { webhookId }) {
      const row = await WebhookEndpoints.find(ctx, { id: webhookId, removedAt: null, state: 'paused' })
      // Resumed in the meantime, or paused by staff: no email is needed.
      if (!row || row.pausedWhy === null || row.pausedWhy === 'staff') return null
      const { email, name } = await publisherOf(ctx, row.publisherId)
      return { email, name, url: row.url, why: row.pausedWhy, failingSince: row.failingSince }
    },
    recipient: ({ email }) => (email === '' ? null : { to: email, ...fromProduct }),
    view: ({ name, url, why, failingSince }, { webhookId }, { appUrl, timeZone }, t) => ({
      ...productFrame(appUrl),
      greeting: greeting(t, name),
      rows: [
        { label: 'Webhook', value: url },
        {
          label: 'Reason',
          value: why === 'gone' ? 'The receiver responded with 410 (Gone)' : 'No delivery has succeeded for three days',
        },
        ...(failingSince
          ? [{ label: 'Failing since', value: `${formatMoment(failingSince, timeZone)} (${timeZone})` }]
          : []),
      ],
      isGone: why === 'gone',
      link: { label: 'See the requests and responses', url: `${appUrl}/thirdparty/webhooks/${webhookId}` },
    }),
    sample: {
      about: { webhookId: 4, key: '1795254000000' },
      facts: {
        email: 'ann@example.com',
        name: "Ann O'Brien",
        url: 'https://app.quayside.example/hooks/masthead',
        why: 'failing',
        failingSince: new Date('2026-11-21T10:00:00Z'),
      },
    },
  }),
}
