import { z } from 'zod'
import { seal } from '../access/sealed.ts'
import type { AuditAction } from '../audit/audit-actions.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { conflict } from '../kernel/errors.ts'
import type { FieldPhrases } from '../kernel/phrases.ts'
import { useCase } from '../use-case.ts'
import { ownWebhook, webhookOwner } from './own-webhook.ts'
import { writtenEvent } from './queue-webhooks.ts'
import { newWebhookSecret } from './sign-webhook.ts'
import { addDeliveriesTo, giveUpDeliveries, replayDeliveries, sendWaitingNow } from './webhook-deliveries.rows.ts'
import {
  endpointsOf,
  readEvents,
  type WebhookEndpointRow,
  WebhookEndpoints,
  writtenEvents,
} from './webhook-endpoints.rows.ts'
import { testEvent, webhookEventTypes } from './webhook-events.rules.ts'
import { webhookUrlProblem } from './webhook-url.rules.ts'

/** More receivers than any publisher has. */
const maxWebhooks = 1000
/** How long the old secret signs in addition to its replacement. */
const overlapMs = 24 * 3_600_000

const webhookFields = {
  url: z.string('Required').trim().min(1, 'Required'),
  description: z.string().trim().max(60, 'Must be 60 characters or fewer').default(''),
  events: z.array(z.enum(webhookEventTypes)).min(1, 'Choose at least one event'),
}

const webhookRef = { webhookId: z.coerce.number('Required').int() }

function urlProblem(ctx: AppContext, { url }: Record<string, unknown>): FieldPhrases {
  const problem = typeof url === 'string' ? webhookUrlProblem(url.trim(), ctx.webhooks) : undefined
  return problem ? { url: problem } : {}
}

/** Adds a URL that events are sent to. Its secret can be seen again. */
export const addWebhook = useCase({
  permission: 'webhook:write',
  input: z.object(webhookFields),
  alsoCheck: urlProblem,
  async run(ctx, { url, description, events }): Promise<{ id: number; secret: string }> {
    const publisherId = webhookOwner(ctx)
    if ((await endpointsOf(ctx, publisherId)).length >= maxWebhooks)
      throw conflict(`There are already ${maxWebhooks} webhooks, the maximum. Remove one first.`)
    const secret = newWebhookSecret()
    const id = await WebhookEndpoints.insert(ctx, {
      publisherId,
      url,
      description,
      events: writtenEvents(events),
      secretSealed: seal(ctx.settings.appSecret, 'webhook', secret),
      endedUntil: addDays(dayOf(ctx.now(), ctx.settings.timeZone), -1),
      madeBy: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
    })
    await recordChange(ctx, 'add-webhook', { id, publisherId })
    return { id, secret }
  },
})

/** Changes the URL, the description and the events of a webhook. Waiting events are sent to a new URL immediately. */
export const changeWebhook = useCase({
  permission: 'webhook:write',
  input: z.object({ ...webhookRef, ...webhookFields, basedOn: BasedOn }),
  alsoCheck: urlProblem,
  async run(ctx, { webhookId, basedOn, url, description, events }): Promise<void> {
    const webhook = await ownWebhook(ctx, webhookId, { isLocked: true })
    refuseOutdated(basedOn, { ...webhook, events: readEvents(webhook.events) }, { url, description, events })
    const eventList = writtenEvents(events)
    const startsEnded = eventList.includes(' subscription.ended ') && !webhook.events.includes(' subscription.ended ')
    await WebhookEndpoints.update(
      ctx,
      { id: webhook.id },
      {
        url,
        description,
        events: eventList,
        // A new URL has not failed yet.
        ...(url === webhook.url ? {} : { failures: 0, failingSince: null, nextTryAt: null }),
        ...(startsEnded ? { endedUntil: addDays(dayOf(ctx.now(), ctx.settings.timeZone), -1) } : {}),
      },
    )
    if (url !== webhook.url) await sendWaitingNow(ctx, webhook.id)
    await recordChange(ctx, 'change-webhook', webhook)
  },
})

/** Pauses a webhook. Events wait for it, each for three days. */
export const pauseWebhook = useCase({
  permission: 'webhook:write',
  input: z.object(webhookRef),
  async run(ctx, { webhookId }): Promise<void> {
    const webhook = await ownWebhook(ctx, webhookId)
    const changed = await WebhookEndpoints.update(
      ctx,
      { id: webhook.id, state: 'on' },
      { state: 'paused', pausedWhy: 'staff' },
    )
    if (changed > 0) await recordChange(ctx, 'pause-webhook', webhook)
  },
})

/** Resumes a webhook that was paused, by staff or because it did not respond: waiting events are sent immediately. */
export const resumeWebhook = useCase({
  permission: 'webhook:write',
  input: z.object(webhookRef),
  async run(ctx, { webhookId }): Promise<void> {
    const webhook = await ownWebhook(ctx, webhookId)
    const fresh = { state: 'on', pausedWhy: null, failures: 0, failingSince: null, nextTryAt: null } as const
    const changed = await WebhookEndpoints.update(ctx, { id: webhook.id, state: 'paused' }, fresh)
    if (changed === 0) return
    await sendWaitingNow(ctx, webhook.id)
    await recordChange(ctx, 'resume-webhook', webhook)
  },
})

/** Makes a new secret for a webhook. For a day deliveries are signed with both; a second replacement ends the first one immediately. */
export const replaceWebhookSecret = useCase({
  permission: 'webhook:write',
  input: z.object(webhookRef),
  async run(ctx, { webhookId }): Promise<{ secret: string; previousEndsAt: Date }> {
    const webhook = await ownWebhook(ctx, webhookId, { isLocked: true })
    const secret = newWebhookSecret()
    const previousEndsAt = new Date(ctx.now().getTime() + overlapMs)
    await WebhookEndpoints.update(
      ctx,
      { id: webhook.id },
      {
        secretSealed: seal(ctx.settings.appSecret, 'webhook', secret),
        previousSealed: webhook.secretSealed,
        previousEndsAt,
      },
    )
    await recordChange(ctx, 'replace-webhook-secret', webhook)
    return { secret, previousEndsAt }
  },
})

/** Removes a webhook: nothing more is sent to it, and its log is no longer shown. */
export const removeWebhook = useCase({
  permission: 'webhook:write',
  input: z.object(webhookRef),
  async run(ctx, { webhookId }): Promise<void> {
    const webhook = await ownWebhook(ctx, webhookId, { isLocked: true })
    await WebhookEndpoints.update(ctx, { id: webhook.id }, { removedAt: ctx.now() })
    await giveUpDeliveries(ctx, [webhook.id], 'The webhook was removed')
    await recordChange(ctx, 'remove-webhook', webhook)
  },
})

/** Sends an event of type `webhook.test`, with no ids in it. */
export const sendTestWebhook = useCase({
  permission: 'webhook:write',
  input: z.object(webhookRef),
  async run(ctx, { webhookId }): Promise<void> {
    const webhook = await ownWebhook(ctx, webhookId)
    refusePaused(webhook)
    await addDeliveriesTo(ctx, webhook.id, [writtenEvent(ctx, testEvent, {})])
  },
})

/** Resends one finished delivery, or all that failed in the last 30 days, with the same message ids. */
export const replayWebhooks = useCase({
  permission: 'webhook:write',
  input: z.object({ ...webhookRef, deliveryId: z.coerce.number('Must be a number').int().optional() }),
  async run(ctx, { webhookId, deliveryId }): Promise<{ replayed: number }> {
    const webhook = await ownWebhook(ctx, webhookId)
    refusePaused(webhook)
    const failedSince = new Date(ctx.now().getTime() - 30 * 86_400_000)
    const replayed = await replayDeliveries(
      ctx,
      webhook.id,
      deliveryId === undefined ? { failedSince } : { deliveryId },
    )
    if (replayed > 0) await recordChange(ctx, 'replay-webhooks', webhook, { replayed })
    return { replayed }
  },
})

function refusePaused({ state }: WebhookEndpointRow): void {
  if (state === 'paused') throw conflict('This webhook is paused. Resume it first.')
}

async function recordChange(
  ctx: AppContext,
  action: AuditAction,
  { id, publisherId }: Pick<WebhookEndpointRow, 'id' | 'publisherId'>,
  detail: Record<string, number> = {},
): Promise<void> {
  await recordAudit(ctx, action, { type: 'webhook', id, publisherId }, detail)
}
