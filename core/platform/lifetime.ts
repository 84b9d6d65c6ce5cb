import type { Log } from '#core/context.ts'
import { messages } from './supervise.ts'

/** A request or a job that hangs does not keep the process alive indefinitely. */
const endTimeoutMs = 15_000

export interface Lifetime {
  /** Adds a step that runs before the process ends: the latest first. */
  atEnd(step: () => Promise<unknown>): void
  /** Tells the parent that the process is up. */
  ready(): void
}

/**
 * Shuts this process down gracefully: when its parent (or, without one, a signal) asks for it, when its parent has ended, and after an uncaught error
 * or rejection, whose effects are unknown. Running work may finish, within a timeout.
 */
export function beginLifetime(log: Log): Lifetime {
  const steps: (() => Promise<unknown>)[] = []
  let isEnding = false

  async function end(exitCode: number): Promise<void> {
    if (isEnding) return
    isEnding = true
    setTimeout(() => process.exit(1), endTimeoutMs).unref()
    let code = exitCode
    for (const step of steps.reverse()) {
      await step().catch((error: unknown) => {
        log.error({ error }, 'stopping failed')
        code = 1
      })
    }
    process.exit(code)
  }

  function onSignal(signal: NodeJS.Signals): void {
    // The parent counts signals: Ctrl-C reaches both, and a service manager may signal each process of a group.
    if (isEnding && !process.send) process.exit(130)
    log.info({ signal }, 'stopping')
    void end(0)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('message', (message) => {
    if (message === messages.stop) void end(0)
  })
  process.on('disconnect', () => void end(0))

  function onUncaughtError(error: unknown): void {
    log.error({ error }, 'unhandled error: this process ends')
    void end(1)
  }
  process.on('uncaughtException', onUncaughtError)
  process.on('unhandledRejection', onUncaughtError)

  return {
    atEnd: (step) => void steps.push(step),
    ready: () => void process.send?.(messages.ready),
  }
}
