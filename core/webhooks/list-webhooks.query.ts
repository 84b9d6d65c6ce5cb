import { z } from 'zod'
import { unseal } from '../access/sealed.ts'
import { asNullableInstant } from '../database.ts'
import { useCase } from '../use-case.ts'
import { ownWebhook, webhookOwner } from './own-webhook.ts'
import { type DeliveryState, type DeliveryTry, WebhookDeliveries } from './webhook-deliveries.rows.ts'
import { endpointsOf, type PauseReason, readEvents, type WebhookEndpointRow } from './webhook-endpoints.rows.ts'
import { testEvent, type WebhookEvent, webhookEventTypes } from './webhook-events.rules.ts'

export interface ListedWebhook {
  id: number
  url: string
  description: string
  events: WebhookEvent[]
  state: 'on' | 'paused'
  pausedWhy: PauseReason | null
  /** The time since which every attempt has failed. */
  failingSince: Date | null
  /** Deliveries that are pending. */
  waiting: number
  lastAt: Date | null
  lastState: DeliveryState | null
}

const shownFields = ({ id, url, description, events, state, pausedWhy, failingSince }: WebhookEndpointRow) => ({
  id,
  url,
  description,
  state,
  pausedWhy,
  failingSince,
  events: readEvents(events),
})

/** The webhooks of the acting publisher, and the state of each. */
export const listWebhooks = useCase({
  permission: 'webhook:write',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<ListedWebhook[]> {
    const webhooks = await endpointsOf(ctx, webhookOwner(ctx))
    if (webhooks.length === 0) return []
    const rows = await ctx.db.query<{
      id: number
      waiting: number
      at: Date | string | null
      state: DeliveryState | null
    }>(
      `SELECT e.id, l.created_at AS at, l.state,
         (SELECT COUNT(*) FROM webhook_deliveries w WHERE w.endpoint_id = e.id AND w.finished_at IS NULL) AS waiting
       FROM webhook_endpoints e
       LEFT JOIN webhook_deliveries l ON l.id = (SELECT MAX(d.id) FROM webhook_deliveries d WHERE d.endpoint_id = e.id)
       WHERE e.id IN (:ids)`,
      { ids: webhooks.map(({ id }) => id) },
    )
    const figures = new Map(rows.map((row) => [Number(row.id), row]))
    return webhooks.map((webhook) => {
      const { waiting = 0, at = null, state = null } = figures.get(webhook.id) ?? {}
      return {
        ...shownFields(webhook),
        waiting: Number(waiting),
        lastAt: asNullableInstant(at),
        lastState: state,
      }
    })
  },
})

export interface ShownDelivery {
  id: number
  messageId: string
  type: string
  state: DeliveryState
  attempts: number
  lastStatus: number | null
  problem: string | null
  body: string
  tries: DeliveryTry[]
  isReplay: boolean
  createdAt: Date
  /** The time of the next attempt; null once the delivery is finished. */
  nextAt: Date | null
}

export interface ShownWebhook extends Omit<ListedWebhook, 'waiting' | 'lastAt' | 'lastState'> {
  /** Null if the secret was sealed under another APP_SECRET: a new one must be created. */
  secret: string | null
  /** The time until which the previous secret also signs. */
  previousEndsAt: Date | null
  deliveries: ShownDelivery[]
  /** The cursor of the next page; null at the end. */
  next: number | null
}

const pageSize = 25

/** What a log can be filtered by; `waiting` includes the deliveries that are being sent. */
export const loggedStates = ['waiting', 'done', 'failed'] as const
export const loggedTypes = [...webhookEventTypes, testEvent] as const

/** A webhook of the acting publisher with its secret, and a page of its log, the newest first. */
export const getWebhook = useCase({
  permission: 'webhook:write',
  input: z.object({
    webhookId: z.coerce.number('Required').int(),
    state: z.enum(loggedStates, 'Must be waiting, done or failed').optional(),
    type: z.enum(loggedTypes, `Must be one of: ${loggedTypes.join(', ')}`).optional(),
    before: z.coerce.number('Must be a number').int().optional(),
  }),
  transaction: 'none',
  async run(ctx, { webhookId, state, type, before }): Promise<ShownWebhook> {
    const webhook = await ownWebhook(ctx, webhookId)
    const conditions = [
      'endpoint_id = :id',
      // Written out, since the few failed deliveries have an index of their own: a parameter would not be matched with its condition.
      ...(state === undefined ? [] : [state === 'waiting' ? 'finished_at IS NULL' : `state = '${state}'`]),
      ...(type === undefined ? [] : ['type = :type']),
      ...(before === undefined ? [] : ['id < :before']),
    ]
    const rows = await WebhookDeliveries.rows(
      ctx,
      `SELECT ${WebhookDeliveries.columns()} FROM webhook_deliveries WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT :limit`,
      {
        id: webhook.id,
        limit: pageSize + 1,
        ...(type === undefined ? {} : { type }),
        ...(before === undefined ? {} : { before }),
      },
    )
    const pageRows = rows.slice(0, pageSize)
    const { previousEndsAt } = webhook
    return {
      ...shownFields(webhook),
      secret: unseal(ctx.settings.appSecret, 'webhook', webhook.secretSealed),
      previousEndsAt: previousEndsAt && previousEndsAt > ctx.now() ? previousEndsAt : null,
      deliveries: pageRows.map((row) => ({
        id: row.id,
        messageId: row.messageId,
        type: row.type,
        state: row.state,
        attempts: row.attempts,
        lastStatus: row.lastStatus,
        problem: row.problem,
        body: row.body,
        tries: row.tries,
        isReplay: row.replayOf !== null,
        createdAt: row.createdAt,
        nextAt: row.finishedAt ? null : row.nextAt,
      })),
      next: rows.length > pageSize ? (pageRows.at(-1)?.id ?? null) : null,
    }
  },
})
