import type { Env } from '#core/platform/env.ts'
import type { Running } from '#core/platform/make-services.ts'
import { startEmbeddedWorker, type WorkerLoop } from '#core/platform/queue/embedded-worker.ts'
import { handlers } from './handlers/index.ts'

/** Starts doing jobs: through Bull when there is a Redis, else in this process. */
export async function startWorker(services: Running, env: Env): Promise<WorkerLoop> {
  const loop = env.redisUrl
    ? (await import('#core/platform/queue/bull-worker.ts')).startBullWorker(
        services,
        handlers,
        env.redisUrl,
        env.databaseUrl,
      )
    : startEmbeddedWorker(services, handlers)
  services.events.on('enqueued', loop.wake)
  return {
    ...loop,
    async stop() {
      services.events.off('enqueued', loop.wake)
      await loop.stop()
      services.mail.close()
    },
  }
}
