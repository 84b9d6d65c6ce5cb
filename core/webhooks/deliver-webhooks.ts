import { unseal } from '../access/sealed.ts'
import type { Services } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { makePollLoop } from '../kernel/poll-loop.ts'
import type { WebhookResponse } from '../ports/webhook-sender.ts'
import { endpointPause, nextDelivery, triedForMs } from './retry.rules.ts'
import { signedHeaders } from './sign-webhook.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryOutcome,
  expireDeliveries,
  giveUpDeliveries,
  releaseLost,
  settleDeliveries,
} from './webhook-deliveries.rows.ts'
import {
  type DueEndpoint,
  dueEndpoints,
  type EndpointOutcome,
  pausedAutomatically,
  pauseGoneEndpoints,
  recordOutcomes,
} from './webhook-endpoints.rows.ts'

/** Limits of concurrent requests. */
interface Limits {
  /** To endpoints that respond. */
  max: number
  /** Of these, to endpoints of one publisher. */
  perPublisher: number
  perEndpoint: number
  /** To endpoints whose last attempt failed, one for each: they have separate slots. */
  maxFailing: number
  /** Requests that have waited longer than `slowAfterMs`: they no longer take up slots of the others. */
  maxSlow: number
}

const defaultLimits: Limits = { max: 96, perPublisher: 32, perEndpoint: 16, maxFailing: 32, maxSlow: 512 }

/**
 * Most receivers respond faster. Slower requests release their slot: otherwise a thousand that hang would block their
 * publisher's good one for minutes.
 */
const slowAfterMs = 500
/** The number of endpoints remembered as those that responded last. */
const maxRememberedHealthy = 100

/** Endpoints checked in one pass. */
const pageSize = 200
/** Attempts that the log keeps of one delivery. */
const maxStoredAttempts = 20

interface Running {
  isFailing: boolean
  at: Date
  endpoint: DueEndpoint
}

interface Finished {
  delivery: ClaimedDelivery
  endpoint: DueEndpoint
  at: Date
  response: WebhookResponse
}

/** A running loop that delivers webhooks. */
export interface WebhookLoop {
  /** Polls now instead of at the next tick. */
  wake(): void
  /** Resolves when nothing is due or in progress. */
  idle(): Promise<void>
  /** Sends no more and waits for the requests in progress. */
  stop(): Promise<void>
}

/**
 * Sends the rows of `webhook_deliveries` as the worker does jobs: they are claimed, so that any number of processes may send. Endpoints share the
 * slots fairly, and failing ones have separate slots: those that are down do not block the others, however many they are.
 */
export function startWebhookLoop(services: Services, tickMs = 1000, overrides: Partial<Limits> = {}): WebhookLoop {
  const limits = { ...defaultLimits, ...overrides }
  const { log } = services
  const running = new Map<Promise<void>, Running>()
  const finished: Finished[] = []
  /** The ids of endpoints whose last attempt in this process succeeded, the latest at the end. */
  const healthy = new Set<number>()
  let isStopped = false
  let maintainedAt = 0
  let slowTimer: NodeJS.Timeout | undefined

  async function work(): Promise<void> {
    await settle()
    if (isStopped) return
    await maintain()
    // Requests in progress count: each round fills the slots that are still free.
    while (!isStopped && (await fill())) await settle()
  }

  /** Once a minute: recovers lost deliveries, and fails those that waited too long. */
  async function maintain(): Promise<void> {
    const minute = Math.floor(services.now().getTime() / 60_000)
    if (minute === maintainedAt) return
    await releaseLost(services)
    await expireDeliveries(services)
    maintainedAt = minute
  }

  /** Claims deliveries for the free slots; false if none was claimed. */
  async function fill(): Promise<boolean> {
    const use = inUse()
    if (use.healthy >= limits.max && use.failing >= limits.maxFailing) return false
    const isFull = (id: number, count: number) => count >= (use.failingIds.has(id) ? 1 : limits.perEndpoint)
    const endpoints = await dueEndpoints(services, {
      limit: pageSize,
      first: [...healthy],
      full: [...use.byEndpoint].flatMap(([id, count]) => (isFull(id, count) ? [id] : [])),
      fullPublishers: [...use.byPublisher].flatMap(([id, count]) => (count >= limits.perPublisher ? [id] : [])),
    })
    let claimed = 0
    if (use.byPublisher.size > 0) scheduleSlowCheck()
    for (const endpoint of endpoints) {
      const freeSlots = freeSlotsFor(endpoint)
      if (freeSlots <= 0) continue
      for (const delivery of await claimDeliveries(services, endpoint.id, freeSlots)) {
        claimed++
        start(endpoint, delivery)
      }
    }
    return claimed > 0
  }

  /** Polls again when the current requests may have become slow. */
  function scheduleSlowCheck(): void {
    slowTimer ??= setTimeout(() => {
      slowTimer = undefined
      wake()
    }, slowAfterMs)
  }

  function inUse() {
    const byEndpoint = new Map<number, number>()
    const byPublisher = new Map<number, number>()
    const failingIds = new Set<number>()
    let healthy = 0
    let failing = 0
    let slow = 0
    const slowBefore = services.now().getTime() - slowAfterMs
    for (const { endpoint, isFailing, at } of running.values()) {
      byEndpoint.set(endpoint.id, (byEndpoint.get(endpoint.id) ?? 0) + 1)
      if (isFailing) {
        failing++
        failingIds.add(endpoint.id)
      } else if (at.getTime() <= slowBefore && slow < limits.maxSlow) slow++
      else {
        healthy++
        byPublisher.set(endpoint.publisherId, (byPublisher.get(endpoint.publisherId) ?? 0) + 1)
      }
    }
    return { byEndpoint, byPublisher, failingIds, healthy, failing }
  }

  function freeSlotsFor({ id, publisherId, failures }: DueEndpoint): number {
    const { byEndpoint, byPublisher, healthy, failing } = inUse()
    const inFlight = byEndpoint.get(id) ?? 0
    if (failures > 0) return Math.min(1 - inFlight, limits.maxFailing - failing)
    return Math.min(
      limits.perEndpoint - inFlight,
      limits.perPublisher - (byPublisher.get(publisherId) ?? 0),
      limits.max - healthy,
    )
  }

  function start(endpoint: DueEndpoint, delivery: ClaimedDelivery): void {
    const at = services.now()
    const request = send(services, endpoint, delivery, at).then((response) => {
      finished.push({ delivery, endpoint, at, response })
      remember(endpoint.id, isGood(response))
      running.delete(request)
      wake()
    })
    running.set(request, { endpoint, at, isFailing: endpoint.failures > 0 })
  }

  function remember(id: number, isHealthy: boolean): void {
    healthy.delete(id)
    if (isHealthy) healthy.add(id)
    const [oldest] = healthy
    if (oldest !== undefined && healthy.size > maxRememberedHealthy) healthy.delete(oldest)
  }

  /** Stores the outcomes since the previous call, in one batch. */
  async function settle(): Promise<void> {
    const outcomes = finished.splice(0)
    if (outcomes.length === 0) return
    try {
      await settleAll(services, outcomes)
    } catch (error) {
      // They are sent again when their locks have expired; receivers recognise them by their ids.
      log.error({ error, deliveries: outcomes.length }, 'the outcomes of webhook deliveries could not be stored')
    }
  }

  const { wake, idle } = makePollLoop(work, (error) => log.error({ error }, 'webhook deliveries could not be read'))
  const inFlight = () => [...running.keys()]
  const timer = setInterval(wake, tickMs)
  wake()
  return {
    wake,
    idle() {
      wake()
      return idle(inFlight)
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      clearTimeout(slowTimer)
      await idle(inFlight)
      await settle()
    },
  }
}

async function send(
  { webhooks, settings, log }: Services,
  endpoint: DueEndpoint,
  { messageId, body }: ClaimedDelivery,
  at: Date,
): Promise<WebhookResponse> {
  try {
    const previous = endpoint.previousEndsAt && endpoint.previousEndsAt > at ? endpoint.previousSealed : null
    const secrets = [endpoint.secretSealed, previous].flatMap(
      (sealed) => unseal(settings.appSecret, 'webhook', sealed) ?? [],
    )
    if (secrets.length === 0) return { ms: 0, problem: 'Its secret cannot be read: create a new one' }
    return await webhooks.post({ url: endpoint.url, body, headers: signedHeaders({ messageId, body, at }, secrets) })
  } catch (error) {
    log.error({ error, endpoint: endpoint.id }, 'a webhook could not be sent')
    return { ms: 0, problem: 'The request failed' }
  }
}

async function settleAll(services: Services, finished: readonly Finished[]): Promise<void> {
  const now = services.now()
  const goneEndpointIds = [
    ...new Set(finished.flatMap(({ response, endpoint }) => (isEndpointGone(response) ? [endpoint.id] : []))),
  ]
  await services.db.transaction(async () => {
    await settleDeliveries(
      services,
      finished.map((result) => outcomeOf(result, now)),
    )
    await recordOutcomes(services, endpointOutcomes(finished, now), new Date(now.getTime() - triedForMs))
    await pauseGoneEndpoints(services, goneEndpointIds)
    await giveUpDeliveries(services, goneEndpointIds, 'The receiver responded with 410 (Gone)')
    await mailPaused(services, [
      ...new Set(finished.flatMap(({ response, endpoint }) => (isGood(response) ? [] : [endpoint.id]))),
    ])
  })
}

/** Emails the publishers of those endpoints that have just been paused, once for each pause. */
async function mailPaused(services: Services, failed: readonly number[]): Promise<void> {
  if (failed.length === 0) return
  for (const { id: webhookId, publisherId, updatedAt } of await pausedAutomatically(services, failed)) {
    const key = String(updatedAt.getTime())
    const dedupeKey = `webhook-paused:${webhookId}:${key}`
    await enqueueMail(services, 'webhook-paused', { webhookId, key }, { dedupeKey, publisherId })
  }
}

const isGood = (response: WebhookResponse) => 'status' in response && response.status >= 200 && response.status < 300
const isEndpointGone = (response: WebhookResponse) => 'status' in response && response.status === 410

function outcomeOf({ delivery, endpoint, at, response }: Finished, now: Date): DeliveryOutcome {
  const { id, attempts, expiresAt, tries } = delivery
  const status = 'status' in response ? response.status : null
  const problem =
    'problem' in response ? response.problem : isGood(response) ? null : `Responded with ${response.status}`
  const minSeconds = 'status' in response && !isGood(response) ? response.retryAfterSeconds : undefined
  const nextAt =
    isGood(response) || isEndpointGone(response)
      ? null
      : nextDelivery({ attempts, expiresAt }, { now, random: Math.random(), minSeconds })
  const tried = {
    at: at.toISOString(),
    url: endpoint.url,
    ms: response.ms,
    status,
    answer: 'answer' in response ? response.answer : response.problem,
  }
  return {
    id,
    attempts,
    nextAt,
    problem,
    lastStatus: status,
    state: isGood(response) ? 'done' : nextAt ? 'waiting' : 'failed',
    tries: [...tries, tried].slice(-maxStoredAttempts),
  }
}

/** The result of each endpoint's attempts. An endpoint that responds and has no failures to reset needs no write. */
function endpointOutcomes(finished: readonly Finished[], now: Date): EndpointOutcome[] {
  const byEndpoint = new Map<number, Finished[]>()
  for (const result of finished)
    byEndpoint.set(result.endpoint.id, [...(byEndpoint.get(result.endpoint.id) ?? []), result])
  return [...byEndpoint].flatMap(([id, results]): EndpointOutcome[] => {
    const failures = results.filter(({ response }) => !isGood(response)).length
    const earlierFailures = Math.max(...results.map(({ endpoint }) => endpoint.failures))
    if (failures < results.length)
      return earlierFailures > 0 ? [{ id, isGood: true, failures: 0, nextTryAt: null }] : []
    const nextTryAt = endpointPause(earlierFailures + failures, { now, random: Math.random() })
    return [{ id, isGood: false, failures, nextTryAt }]
  })
}
