import type { AppContext, Services } from '../context.ts'
import { instantText } from '../database.ts'
import { rowLock, rowsFromJson, typedValue } from '../dialect.ts'
import {
  defaulted,
  defineTable,
  id,
  instant,
  integer,
  json,
  nullable,
  type RowOf,
  ref,
  type TableContext,
  text,
} from '../table.ts'
import { triedForMs } from './retry.rules.ts'

/** One attempt, as the log shows it. */
export interface DeliveryTry {
  at: string
  url: string
  ms: number
  status: number | null
  /** The beginning of the response, or why there was none. */
  answer: string
}

export type DeliveryState = 'waiting' | 'sending' | 'done' | 'failed'

/** Events sent or to be sent to an endpoint: the outbox of webhooks, and their log. */
export const WebhookDeliveries = defineTable('webhook_deliveries', {
  id: id(),
  endpointId: ref(),
  /** The message id for receivers, the same for each endpoint, attempt and replay. */
  messageId: text(),
  type: text(),
  /** The reader concerned; deliveries about one reader are sent one after the other. */
  aboutReader: nullable(ref()),
  /** The payload, byte for byte as it is signed. */
  body: text(),
  state: text<DeliveryState>(),
  attempts: defaulted(integer()),
  nextAt: instant(),
  /** The time of the last attempt. */
  expiresAt: instant(),
  lockedUntil: nullable(instant()),
  lastStatus: nullable(integer()),
  problem: nullable(text()),
  tries: defaulted(json<DeliveryTry[]>()),
  /** The delivery that this one repeats. */
  replayOf: nullable(ref()),
  createdAt: instant(),
  finishedAt: nullable(instant()),
})

export type WebhookDeliveryRow = RowOf<typeof WebhookDeliveries>

/** An event as it is written for the endpoints of its publisher. */
export interface WrittenEvent {
  messageId: string
  type: string
  aboutReader: number | null
  body: string
}

const eventColumns = { place: 'integer', message: 'text', type: 'text', reader: 'id', body: 'text' } as const

const eventRows = (events: readonly WrittenEvent[]) =>
  JSON.stringify(
    events.map(({ messageId, type, aboutReader, body }, place) => ({
      place,
      type,
      body,
      message: messageId,
      reader: aboutReader,
    })),
  )

const insertInto = `INSERT INTO webhook_deliveries (endpoint_id, message_id, type, about_reader, body, state, next_at, expires_at, created_at)`

/**
 * Queues events of a publication for each endpoint of its publisher that subscribes to them, in one statement. One that is gone gets none, one
 * that is paused gets them when it is resumed. An example title has no events.
 */
export function addDeliveries(
  ctx: TableContext,
  publicationId: number,
  events: readonly WrittenEvent[],
): Promise<number> {
  const now = ctx.now()
  const at = typedValue(ctx.db, ':now', 'instant')
  const until = typedValue(ctx.db, ':until', 'instant')
  return ctx.db.run(
    `${insertInto}
     SELECT e.id, v.message, v.type, v.reader, v.body, 'waiting', ${at}, ${until}, ${at}
     FROM publications p JOIN webhook_endpoints e ON e.publisher_id = p.publisher_id,
       ${rowsFromJson(ctx.db, ':rows', 'v', eventColumns)}
     WHERE p.id = :publicationId AND NOT p.is_example AND e.removed_at IS NULL AND (e.paused_why IS NULL OR e.paused_why <> 'gone')
       AND e.events LIKE '% ' || v.type || ' %'
     ORDER BY v.place, e.id`,
    { publicationId, rows: eventRows(events), now, until: new Date(now.getTime() + triedForMs) },
  )
}

/** Queues events for one endpoint, whatever it subscribes to. */
export function addDeliveriesTo(
  ctx: TableContext,
  endpointId: number,
  events: readonly WrittenEvent[],
): Promise<number> {
  const now = ctx.now()
  const at = typedValue(ctx.db, ':now', 'instant')
  const until = typedValue(ctx.db, ':until', 'instant')
  return ctx.db.run(
    `${insertInto}
     SELECT ${typedValue(ctx.db, ':endpointId', 'id')}, v.message, v.type, v.reader, v.body, 'waiting', ${at}, ${until}, ${at}
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', eventColumns)} WHERE v.place IS NOT NULL ORDER BY v.place`,
    { endpointId, rows: eventRows(events), now, until: new Date(now.getTime() + triedForMs) },
  )
}

const claimed = WebhookDeliveries.pick(
  'id',
  'endpointId',
  'messageId',
  'type',
  'body',
  'attempts',
  'expiresAt',
  'tries',
)
export type ClaimedDelivery = Awaited<ReturnType<typeof claimDeliveries>>[number]

/** How long a claimed delivery is left to its worker: longer than any request takes. */
const lockMs = 60_000

/**
 * Claims up to `limit` due deliveries of an endpoint, the one that waits longest first. A delivery about a reader waits for
 * all earlier ones about the same reader.
 */
export async function claimDeliveries(ctx: TableContext, endpointId: number, limit: number) {
  const now = ctx.now()
  const rows = await claimed.rows(
    ctx,
    `WITH due AS MATERIALIZED (
       SELECT d.id FROM webhook_deliveries d
       WHERE d.endpoint_id = :endpointId AND d.state = 'waiting' AND d.next_at <= :now
         AND NOT EXISTS (SELECT 1 FROM webhook_deliveries b WHERE b.endpoint_id = d.endpoint_id AND b.about_reader = d.about_reader AND b.id < d.id
           AND b.finished_at IS NULL)
       ORDER BY d.next_at, d.id LIMIT :limit ${rowLock(ctx.db, { of: 'd', skipLocked: true })})
     UPDATE webhook_deliveries SET state = 'sending', attempts = attempts + 1, locked_until = :lockedUntil
     WHERE id IN (SELECT id FROM due) AND state = 'waiting' RETURNING ${claimed.columns()}`,
    { endpointId, limit, now, lockedUntil: new Date(now.getTime() + lockMs) },
  )
  return rows.sort((a, b) => a.id - b.id)
}

/** The outcome of a claimed delivery. */
export interface DeliveryOutcome {
  id: number
  attempts: number
  state: Exclude<DeliveryState, 'sending'>
  nextAt: Date | null
  lastStatus: number | null
  problem: string | null
  tries: DeliveryTry[]
}

/** Stores the outcomes of deliveries in one statement, except those that another worker has taken over. */
export async function settleDeliveries(ctx: TableContext, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const rows = outcomes.map(({ id, attempts, state, nextAt, lastStatus, problem, tries }) => ({
    id,
    attempts,
    state,
    problem,
    tries,
    next: nextAt && instantText(nextAt),
    status: lastStatus,
  }))
  const columns = {
    id: 'id',
    attempts: 'integer',
    state: 'text',
    next: 'instant',
    status: 'integer',
    problem: 'text',
    tries: 'json',
  } as const
  await ctx.db.run(
    `UPDATE webhook_deliveries SET state = v.state, next_at = COALESCE(v.next, webhook_deliveries.next_at), last_status = v.status,
       problem = v.problem, tries = v.tries, locked_until = NULL,
       finished_at = CASE WHEN v.state = 'waiting' THEN NULL ELSE ${typedValue(ctx.db, ':now', 'instant')} END
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', columns)}
     WHERE webhook_deliveries.id = v.id AND webhook_deliveries.state = 'sending' AND webhook_deliveries.attempts = v.attempts`,
    { rows: JSON.stringify(rows), now: ctx.now() },
  )
}

/** Releases the claims of a dead worker: a delivery may have arrived, and is sent again under its id. */
export async function releaseLost(ctx: TableContext): Promise<void> {
  const now = ctx.now()
  const [lost] = await ctx.db.query(
    `SELECT 1 AS lost FROM webhook_deliveries WHERE state = 'sending' AND locked_until < :now LIMIT 1`,
    { now },
  )
  if (!lost) return
  await ctx.db.run(
    `UPDATE webhook_deliveries SET state = 'waiting', locked_until = NULL WHERE state = 'sending' AND locked_until < :now`,
    { now },
  )
}

/** Fails deliveries whose time ran out while their endpoint was paused or down. Those whose attempts are used up are already marked. */
export async function expireDeliveries(ctx: TableContext): Promise<void> {
  const now = ctx.now()
  const before = new Date(now.getTime() - 3_600_000)
  const [expired] = await ctx.db.query(
    `SELECT 1 AS expired FROM webhook_deliveries WHERE state = 'waiting' AND expires_at < :before LIMIT 1`,
    { before },
  )
  if (!expired) return
  await ctx.db.run(
    `UPDATE webhook_deliveries SET state = 'failed', finished_at = :now, problem = COALESCE(problem, 'It waited for three days')
     WHERE state = 'waiting' AND expires_at < :before`,
    { now, before },
  )
}

/** Ends the pauses after failed attempts of an endpoint's waiting deliveries: it has been resumed, or has another URL. */
export async function sendWaitingNow(ctx: TableContext, endpointId: number): Promise<void> {
  await ctx.db.run(
    `UPDATE webhook_deliveries SET next_at = :now WHERE endpoint_id = :endpointId AND state = 'waiting' AND next_at > :now`,
    { endpointId, now: ctx.now() },
  )
}

/** Marks the waiting deliveries of these endpoints, which are gone or removed, as failed. */
export async function giveUpDeliveries(
  ctx: TableContext,
  endpointIds: readonly number[],
  problem: string,
): Promise<void> {
  if (endpointIds.length === 0) return
  await ctx.db.run(
    `UPDATE webhook_deliveries SET state = 'failed', finished_at = :now, problem = :problem
     WHERE endpoint_id IN (:endpointIds) AND state = 'waiting'`,
    { endpointIds, problem, now: ctx.now() },
  )
}

/** Resends finished deliveries of an endpoint, after all that wait, with the same message ids. Returns how many. */
export function replayDeliveries(
  ctx: AppContext,
  endpointId: number,
  selection: { deliveryId: number } | { failedSince: Date },
): Promise<number> {
  const now = ctx.now()
  const at = typedValue(ctx.db, ':now', 'instant')
  const until = typedValue(ctx.db, ':until', 'instant')
  const isSingle = 'deliveryId' in selection
  return ctx.db.run(
    `INSERT INTO webhook_deliveries (endpoint_id, message_id, type, about_reader, body, state, next_at, expires_at, created_at, replay_of)
     SELECT d.endpoint_id, d.message_id, d.type, d.about_reader, d.body, 'waiting', ${at}, ${until}, ${at}, d.id
     FROM webhook_deliveries d
     WHERE d.endpoint_id = :endpointId AND d.finished_at IS NOT NULL
       AND ${isSingle ? 'd.id = :deliveryId' : `d.state = 'failed' AND d.created_at >= :since AND NOT EXISTS (SELECT 1 FROM webhook_deliveries a WHERE a.endpoint_id = d.endpoint_id AND a.id > d.id AND a.message_id = d.message_id)`}
     ORDER BY d.id`,
    {
      endpointId,
      now,
      until: new Date(now.getTime() + triedForMs),
      ...(isSingle ? { deliveryId: selection.deliveryId } : { since: selection.failedSince }),
    },
  )
}

/** Deletes deliveries that ended before a given time. */
export function clearDeliveries({ db }: Pick<Services, 'db'>, before: Date): Promise<number> {
  return db.run(`DELETE FROM webhook_deliveries WHERE finished_at < :before`, { before })
}
