import { type ChildProcess, fork } from 'node:child_process'
import type { Log } from '#core/context.ts'

/** `all` is a whole installation in one process; `web` and `worker` are the Procfile's, after its `release` has migrated. */
export const roles = ['all', 'web', 'worker'] as const
export type Role = (typeof roles)[number]

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

/** The messages between parent and child. */
export const messages = { ready: 'ready', stop: 'stop' } as const

/** The delay before a restart doubles from `firstMs` to `maxMs`; a child that has run for `settledMs` resets it. */
const backOff = { firstMs: 1_000, maxMs: 30_000, settledMs: 60_000 }
/** Longer than a child takes to shut down gracefully (`lifetime.ts`). */
const stopTimeoutMs = 20_000

/**
 * Runs the program of a role as a child process and restarts it whenever it crashes. SIGINT and SIGTERM are passed on, and end
 * both; a second signal ends them immediately. Resolves with the overall exit code: a program that never started is not restarted, since its
 * settings or its port are wrong and it has reported that.
 */
export async function supervise({ program, role, log }: { program: string; role: Role; log: Log }): Promise<number> {
  let child: ChildProcess | undefined
  let isStopping = false
  let wasReady = false
  let failures = 0
  let endWait = () => {}

  function stop(): void {
    if (isStopping) {
      child?.kill('SIGKILL')
      process.exit(130)
    }
    isStopping = true
    endWait()
    // A child that is shutting down can no longer be notified.
    if (child?.connected) child.send(messages.stop, () => {})
    setTimeout(() => child?.kill('SIGKILL'), stopTimeoutMs).unref()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // The process that started this one with an IPC channel, such as `npm run dev`, has ended or wants it to end.
  process.on('disconnect', () => {
    if (!isStopping) stop()
  })
  process.channel?.unref()

  for (;;) {
    const startedAt = performance.now()
    child = fork(program, [role])
    child.on('message', (message) => {
      if (message === messages.ready) wasReady = true
    })
    const { code, signal } = await waitForExit(child)
    if (isStopping || !wasReady || code === 0) return code ?? 1
    failures = performance.now() - startedAt < backOff.settledMs ? failures + 1 : 1
    const waitMs = Math.min(backOff.firstMs * 2 ** (failures - 1), backOff.maxMs)
    log.error({ role, code, signal, waitMs }, 'the process failed and is restarted')
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      endWait = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    if (isStopping) return 0
  }
}

function waitForExit(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}
