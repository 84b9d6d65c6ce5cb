import type { RequestHandler } from 'express'
import { Redis } from 'ioredis'
import type { Services } from '#core/context.ts'
import { pendingMigrations } from '#core/platform/database/migrate.ts'
import type { Env } from '#core/platform/env.ts'

const timeoutMs = 2_000

/** Liveness: the process is up. Checks no dependency. */
export const liveness: RequestHandler = (_, response) => {
  response.setHeader('Cache-Control', 'no-store')
  response.json({ status: 'up' })
}

/**
 * Readiness: the database responds and has every migration, otherwise 503. Whether Redis responds is only reported: without it jobs wait in the
 * database, and a load balancer should not take every web process out of service.
 */
export function readiness(services: Services, env: Env): { handler: RequestHandler; stop(): void } {
  const redis = env.redisUrl
    ? new Redis(env.redisUrl, {
        lazyConnect: true,
        connectTimeout: timeoutMs,
        maxRetriesPerRequest: 0,
        enableOfflineQueue: false,
        retryStrategy: () => null,
      })
    : undefined
  redis?.on('error', () => {})
  let isMigrated = false
  let connecting: Promise<void> | undefined

  async function checkDatabase(): Promise<void> {
    await services.db.query('SELECT 1 AS one')
    if (isMigrated) return
    const pending = await pendingMigrations(services.db)
    if (pending.length > 0) throw new Error(`${pending.length} migrations are pending`)
    isMigrated = true
  }

  async function checkRedis(): Promise<void> {
    if (!redis) return
    // Two checks at once share one attempt: Redis refuses a second.
    if (redis.status !== 'ready') {
      connecting ??= redis.connect().finally(() => {
        connecting = undefined
      })
      await connecting
    }
    await redis.ping()
  }

  return {
    handler: async (_, response) => {
      const [isDatabaseReady, isRedisReady] = await Promise.all([passes(checkDatabase), passes(checkRedis)])
      response.setHeader('Cache-Control', 'no-store')
      response.status(isDatabaseReady ? 200 : 503).json({
        status: isDatabaseReady ? 'ready' : 'not ready',
        database: isDatabaseReady,
        ...(redis && { redis: isRedisReady }),
      })
    },
    stop: () => redis?.disconnect(),
  }
}

/** Whether a check succeeds within the timeout. */
async function passes(check: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  const checked = check().then(
    () => true,
    () => false,
  )
  return Promise.race([checked, timedOut]).finally(() => clearTimeout(timer))
}
