import type { Running } from '#core/platform/make-services.ts'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import { handlers } from '#worker/handlers/index.ts'
import type { TestServices } from './test-services.ts'

/** One pass of a worker over the outbox: every job that is due this many seconds later. */
export async function runWorker(services: TestServices, laterSeconds = 0): Promise<void> {
  services.clock.advance({ seconds: laterSeconds })
  const loop = startEmbeddedWorker(services, handlers)
  await loop.idle()
  await loop.stop()
}

/** Runs something while a worker is running, for callers that wait for a task. */
export async function withRunningWorker<Result>(services: Running, run: () => Promise<Result>): Promise<Result> {
  const loop = startEmbeddedWorker(services, handlers, 20)
  try {
    return await run()
  } finally {
    await loop.stop()
  }
}
