import { z } from 'zod'
import {
  addWebhook,
  changeWebhook,
  pauseWebhook,
  removeWebhook,
  replaceWebhookSecret,
  replayWebhooks,
  resumeWebhook,
  sendTestWebhook,
} from '#core/webhooks/change-webhooks.ts'
import { getWebhook, type ListedWebhook, listWebhooks, type ShownDelivery } from '#core/webhooks/list-webhooks.query.ts'
import { webhookEventTypes } from '#core/webhooks/webhook-events.rules.ts'
import { type ApiCall, del, get, post } from './api-call.ts'
import { WireId } from './wire-values.ts'

const deliveryStates = ['waiting', 'sending', 'done', 'failed'] as const
const WireMoment = z.iso.datetime()

const WireWebhook = z.object({
  _id: WireId,
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(webhookEventTypes)),
  state: z.enum(['on', 'paused']),
  pausedWhy: z
    .enum(['staff', 'gone', 'failing'])
    .nullable()
    .describe('staff: paused by staff; gone: its receiver answered 410; failing: no accepted delivery for three days'),
  failingSince: WireMoment.nullable(),
})

const WireDelivery = z.object({
  _id: WireId,
  messageId: z.string().describe('The webhook-id of its requests'),
  type: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  problem: z.string().nullable(),
  body: z.string().describe('The payload as it is signed'),
  tries: z.array(
    z.object({
      at: WireMoment,
      url: z.string(),
      ms: z.int(),
      status: z.int().nullable(),
      answer: z.string().describe('The beginning of the response, or why there was none'),
    }),
  ),
  isReplay: z.boolean(),
  createdAt: WireMoment,
  nextAt: WireMoment.nullable().describe('When it is tried next; null once it has ended'),
})

type Webhook = Omit<ListedWebhook, 'waiting' | 'lastAt' | 'lastState'>

function wireWebhook({ id, url, description, events, state, pausedWhy, failingSince }: Webhook) {
  const since = failingSince?.toISOString() ?? null
  return { _id: id, url, description, events, state, pausedWhy, failingSince: since }
}

function wireDelivery({ id, createdAt, nextAt, ...delivery }: ShownDelivery) {
  return { ...delivery, _id: id, createdAt: createdAt.toISOString(), nextAt: nextAt?.toISOString() ?? null }
}

const id = { id: { is: 'id', field: 'webhookId' } } as const
const fields = { url: 'url', description: 'description', events: 'events' }
const Nothing = z.object({})
const nothing = () => ({})

/** Webhooks: where a publisher's events are sent. What payment and mail providers send to this installation is received by `webhook.api.ts`. */
export const webhookCalls: readonly ApiCall[] = [
  get({
    path: '/webhooks',
    summary: 'The webhooks of the publisher, with the state of each',
    useCase: listWebhooks,
    response: z.array(
      WireWebhook.extend({
        waiting: z.int().describe('Deliveries that are pending'),
        lastAt: WireMoment.nullable(),
        lastState: z.enum(deliveryStates).nullable(),
      }),
    ),
    toResponse: (webhooks) =>
      webhooks.map(({ waiting, lastAt, lastState, ...webhook }) => ({
        ...wireWebhook(webhook),
        waiting,
        lastState,
        lastAt: lastAt?.toISOString() ?? null,
      })),
  }),
  get({
    path: '/webhooks/{id}',
    summary:
      'One webhook with its log of thirty days, newest first, 25 at a time; for the next page, before is next of this one. Its secret is not shown.',
    useCase: getWebhook,
    params: id,
    query: { state: 'state', type: 'type', before: 'before' },
    response: WireWebhook.extend({ deliveries: z.array(WireDelivery), next: WireId.nullable() }),
    toResponse: ({ deliveries, next, ...webhook }) => ({
      ...wireWebhook(webhook),
      deliveries: deliveries.map(wireDelivery),
      next,
    }),
  }),
  post({
    path: '/webhooks',
    summary:
      'Add a URL that events are sent to, with their types. Returns the secret with which its requests are signed.',
    useCase: addWebhook,
    body: fields,
    response: z.object({ _id: WireId, secret: z.string() }),
    toResponse: ({ id: _id, secret }) => ({ _id, secret }),
    status: 201,
    extraStatuses: [409],
  }),
  post({
    path: '/webhooks/{id}',
    summary:
      'Change where events are sent, and which: all three fields are replaced. Waiting events go to the new URL.',
    useCase: changeWebhook,
    params: id,
    body: fields,
    response: Nothing,
    toResponse: nothing,
  }),
  del({
    path: '/webhooks/{id}',
    summary: 'Remove a webhook: nothing more is sent to it',
    useCase: removeWebhook,
    params: id,
    response: Nothing,
    toResponse: nothing,
  }),
  post({
    path: '/webhooks/{id}/pause',
    summary: 'Pause a webhook: its events wait, each for three days',
    useCase: pauseWebhook,
    params: id,
    response: Nothing,
    toResponse: nothing,
  }),
  post({
    path: '/webhooks/{id}/resume',
    summary: 'Resume a webhook that was paused, by hand or automatically: waiting events are sent at once',
    useCase: resumeWebhook,
    params: id,
    response: Nothing,
    toResponse: nothing,
  }),
  post({
    path: '/webhooks/{id}/secret',
    summary: 'Replace the secret of a webhook: for a day requests are signed with both',
    useCase: replaceWebhookSecret,
    params: id,
    response: z.object({ secret: z.string(), previousEndsAt: WireMoment }),
    toResponse: ({ secret, previousEndsAt }) => ({ secret, previousEndsAt: previousEndsAt.toISOString() }),
  }),
  post({
    path: '/webhooks/{id}/test',
    summary: 'Send an event of type webhook.test',
    useCase: sendTestWebhook,
    params: id,
    response: Nothing,
    toResponse: nothing,
    extraStatuses: [409],
  }),
  post({
    path: '/webhooks/{id}/replay',
    summary: 'Resend a finished delivery, by its number; without one, all that failed in the last 30 days',
    useCase: replayWebhooks,
    params: id,
    body: { delivery: 'deliveryId' },
    response: z.object({ replayed: z.int() }),
    extraStatuses: [409],
  }),
]
