import type { Env } from '#core/platform/env.ts'
import type { Running } from '#core/platform/make-services.ts'
import { type Drain, startEmbeddedDrain } from '#core/platform/queue/embedded-drain.ts'
import { handlers } from './handlers/index.ts'

/** Starts doing jobs: through Bull when there is a Redis, else in this process. */
export async function startWorker(services: Running, env: Env): Promise<Drain> {
  const drain = env.redisUrl
    ? (await import('#core/platform/queue/bull-drain.ts')).startBullDrain(
        services,
        handlers,
        env.redisUrl,
        env.databaseUrl,
      )
    : startEmbeddedDrain(services, handlers)
  services.events.on('enqueued', drain.wake)
  return {
    ...drain,
    async stop() {
      services.events.off('enqueued', drain.wake)
      await drain.stop()
    },
  }
}
