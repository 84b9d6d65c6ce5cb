import type { AppContext } from '../context.ts'
import { instantText } from '../database.ts'
import { rowsFromJson, typedValue } from '../dialect.ts'
import {
  day,
  defaulted,
  defineTable,
  id,
  instant,
  integer,
  nullable,
  type RowOf,
  ref,
  type TableContext,
  text,
} from '../table.ts'
import { type WebhookEvent, webhookEventTypes } from './webhook-events.rules.ts'

/** Why nothing is sent to an endpoint: staff paused it, its receiver responded that it is gone (410), or it has not responded for three days. */
export type PauseReason = 'staff' | 'gone' | 'failing'

/** The addresses that a publisher's events are sent to. */
export const WebhookEndpoints = defineTable('webhook_endpoints', {
  id: id(),
  publisherId: ref(),
  url: text(),
  description: defaulted(text()),
  /** The event types it is sent, each between spaces. */
  events: text(),
  state: defaulted(text<'on' | 'paused'>()),
  pausedWhy: nullable(text<PauseReason>()),
  /** Encrypted: deliveries are signed with it, and the publisher may see it again. */
  secretSealed: text(),
  /** The previous secret, which also signs until it expires. */
  previousSealed: nullable(text()),
  previousEndsAt: nullable(instant()),
  /** The number of failed attempts in a row. */
  failures: defaulted(integer()),
  failingSince: nullable(instant()),
  /** The time until which nothing is sent, because the endpoint does not respond. */
  nextTryAt: nullable(instant()),
  /** Subscriptions that ran out up to this day have been reported. */
  endedUntil: day(),
  madeBy: nullable(ref()),
  removedAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type WebhookEndpointRow = RowOf<typeof WebhookEndpoints>

export function writtenEvents(events: readonly WebhookEvent[]): string {
  return ` ${webhookEventTypes.filter((type) => events.includes(type)).join(' ')} `
}

export function readEvents(written: string): WebhookEvent[] {
  return webhookEventTypes.filter((type) => written.includes(` ${type} `))
}

/** The endpoints of a publisher, the oldest first. */
export function endpointsOf(ctx: Pick<AppContext, 'db'>, publisherId: number): Promise<WebhookEndpointRow[]> {
  return WebhookEndpoints.rows(
    ctx,
    `SELECT ${WebhookEndpoints.columns()} FROM webhook_endpoints WHERE publisher_id = :publisherId AND removed_at IS NULL ORDER BY id`,
    { publisherId },
  )
}

/** The fields of an endpoint that a delivery needs. */
const due = WebhookEndpoints.pick(
  'id',
  'publisherId',
  'url',
  'secretSealed',
  'previousSealed',
  'previousEndsAt',
  'failures',
)
export type DueEndpoint = Awaited<ReturnType<typeof dueEndpoints>>[number]

/**
 * Endpoints with deliveries that are due now: those in `first`, then others that have not failed, then the rest. Left out are those in `full`, and
 * those of `fullPublishers` that have not failed.
 */
export function dueEndpoints(
  ctx: TableContext,
  query: { limit: number; first: readonly number[]; full: readonly number[]; fullPublishers: readonly number[] },
) {
  const { limit, first, full, fullPublishers } = query
  const isFirst = first.length > 0 ? 'WHEN e.id IN (:first) THEN 0' : ''
  const notFull = full.length > 0 ? 'AND e.id NOT IN (:full)' : ''
  const notOfFullPublishers =
    fullPublishers.length > 0 ? 'AND (e.failures > 0 OR e.publisher_id NOT IN (:fullPublishers))' : ''
  return due.rows(
    ctx,
    `SELECT ${due.columns('e')} FROM webhook_endpoints e JOIN users u ON u.id = e.publisher_id
     WHERE e.removed_at IS NULL AND e.state = 'on' AND (e.next_try_at IS NULL OR e.next_try_at <= :now) AND u.is_active ${notFull} ${notOfFullPublishers}
       AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND d.next_at <= :now)
     ORDER BY CASE ${isFirst} WHEN e.failures = 0 THEN 1 ELSE 2 END, e.next_try_at, e.id LIMIT :limit`,
    { now: ctx.now(), limit, first, full, fullPublishers },
  )
}

/** The result of an endpoint's attempts. */
export interface EndpointOutcome {
  id: number
  /** One of them succeeded: earlier failures are reset. */
  isGood: boolean
  failures: number
  nextTryAt: Date | null
}

/** Stores the results of attempts for their endpoints. One that has failed for as long as a delivery is retried is paused. */
export async function recordOutcomes(
  ctx: TableContext,
  outcomes: readonly EndpointOutcome[],
  pausedWhenFailingSince: Date,
): Promise<void> {
  const goodIds = outcomes.filter(({ isGood }) => isGood).map(({ id }) => id)
  const failed = outcomes.filter(({ isGood }) => !isGood)
  const now = ctx.now()
  if (goodIds.length > 0) {
    await ctx.db.run(
      `UPDATE webhook_endpoints SET failures = 0, failing_since = NULL, next_try_at = NULL, updated_at = :now WHERE id IN (:goodIds) AND failures > 0`,
      { goodIds, now },
    )
  }
  if (failed.length === 0) return
  const rows = failed.map(({ id, failures, nextTryAt }) => ({
    id,
    failures,
    next: nextTryAt && instantText(nextTryAt),
  }))
  await ctx.db.run(
    `UPDATE webhook_endpoints SET failures = webhook_endpoints.failures + v.failures, next_try_at = v.next, updated_at = :now,
       failing_since = COALESCE(failing_since, ${typedValue(ctx.db, ':now', 'instant')}),
       state = CASE WHEN failing_since < :pausedWhenFailingSince THEN 'paused' ELSE state END,
       paused_why = CASE WHEN failing_since < :pausedWhenFailingSince THEN 'failing' ELSE paused_why END
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', { id: 'id', failures: 'integer', next: 'instant' })}
     WHERE webhook_endpoints.id = v.id AND webhook_endpoints.state = 'on'`,
    { rows: JSON.stringify(rows), now, pausedWhenFailingSince },
  )
}

/** Pauses endpoints whose receivers respond that they are gone. */
export async function pauseGoneEndpoints(ctx: TableContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.run(
    `UPDATE webhook_endpoints SET state = 'paused', paused_why = 'gone', updated_at = :now WHERE id IN (:ids) AND state = 'on'`,
    { ids, now: ctx.now() },
  )
}

/** The endpoints among these that were paused automatically, each with its time. */
export function pausedAutomatically(
  ctx: Pick<AppContext, 'db'>,
  ids: readonly number[],
): Promise<WebhookEndpointRow[]> {
  return WebhookEndpoints.rows(
    ctx,
    `SELECT ${WebhookEndpoints.columns()} FROM webhook_endpoints
     WHERE id IN (:ids) AND state = 'paused' AND paused_why IN ('gone', 'failing') AND removed_at IS NULL ORDER BY id`,
    { ids },
  )
}

/** Endpoints that must be notified of subscriptions that ended since the last notification. */
export function endpointsBehind(ctx: Pick<AppContext, 'db'>, until: string): Promise<WebhookEndpointRow[]> {
  return WebhookEndpoints.rows(
    ctx,
    `SELECT ${WebhookEndpoints.columns()} FROM webhook_endpoints
     WHERE removed_at IS NULL AND ended_until < :until AND events LIKE '% subscription.ended %' ORDER BY id`,
    { until },
  )
}

/** Endpoints of a publication that have been notified of subscriptions that ended on one day, and not yet of those that ended on a later one. */
export function endpointsBetween(
  ctx: Pick<AppContext, 'db'>,
  { publicationId, endedOn, endsOn }: { publicationId: number; endedOn: string; endsOn: string },
): Promise<WebhookEndpointRow[]> {
  return WebhookEndpoints.rows(
    ctx,
    `SELECT ${WebhookEndpoints.columns('e')} FROM webhook_endpoints e JOIN publications p ON p.publisher_id = e.publisher_id
     WHERE p.id = :publicationId AND NOT p.is_example AND e.removed_at IS NULL AND e.ended_until >= :endedOn AND e.ended_until < :endsOn
       AND e.events LIKE '% subscription.ended %' ORDER BY e.id`,
    { publicationId, endedOn, endsOn },
  )
}

/** Records that an endpoint was notified of subscriptions that ended up to a day; false if another process did. */
export async function moveEndedUntil(
  ctx: TableContext,
  { id, endedUntil }: Pick<WebhookEndpointRow, 'id' | 'endedUntil'>,
  until: string,
): Promise<boolean> {
  return (await WebhookEndpoints.update(ctx, { id, endedUntil }, { endedUntil: until })) > 0
}
