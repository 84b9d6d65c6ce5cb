import type { Env } from '#core/platform/env.ts'
import type { Running } from '#core/platform/make-services.ts'
import { startEmbeddedWorker, type WorkerLoop } from '#core/platform/queue/embedded-worker.ts'
import { startWebhookLoop } from '#core/webhooks/deliver-webhooks.ts'
import { handlers } from './handlers/index.ts'

/** Starts the worker: jobs through Bull where Redis is configured, else in this process, and webhook deliveries. */
export async function startWorker(services: Running, env: Env): Promise<WorkerLoop> {
  const loop = env.redisUrl
    ? (await import('#core/platform/queue/bull-worker.ts')).startBullWorker(
        services,
        handlers,
        env.redisUrl,
        env.databaseUrl,
      )
    : startEmbeddedWorker(services, handlers)
  const webhooks = startWebhookLoop(services)
  const wake = () => {
    loop.wake()
    webhooks.wake()
  }
  services.events.on('enqueued', wake)
  return {
    wake,
    async idle() {
      await loop.idle()
      await webhooks.idle()
    },
    async stop() {
      services.events.off('enqueued', wake)
      await Promise.all([loop.stop(), webhooks.stop()])
      services.webhooks.close()
      services.mail.close()
    },
  }
}
