import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { SeededRandom } from './duplicates/seeded-random.ts'
import { atFileEnd } from './file-end.ts'
import { bundled, processEnv } from './killed-process.ts'
import type { TestServices } from './test-services.ts'

/** A worker as installed, except that its clock starts at a given time. */
const program = `
  import { readEnv } from '#core/platform/env.ts'
  import { makeServices } from '#core/platform/make-services.ts'
  import { startWorker } from '#worker/main.ts'
  const startedAt = Date.now()
  const now = () => new Date(Number(process.env.WORKER_CLOCK) + Date.now() - startedAt)
  const env = readEnv(process.env)
  const silent = { info() {}, warn() {}, error() {} }
  await startWorker(await makeServices(env, { now, log: silent }), env)
  process.send('up')`

/** A worker without visible progress is killed after this many milliseconds. */
const idleMs = 4000

export interface KilledWorkers {
  /**
   * Starts this many workers together on this installation, with its clock, and kills each with -9 at a random point of its work; with
   * `atOnce` at one of its first points, without waiting for `progress`.
   */
  kill(workers: number, how?: { atOnce?: boolean }): Promise<void>
  /** The number of workers killed so far. */
  kills(): number
}

/**
 * Workers in their own processes that are killed at random: after a number of the events that `progress` counts (calls to a provider,
 * emails), and at an arbitrary point before the next.
 */
export async function killedWorkers(
  services: TestServices,
  { env, random, progress }: { env: Record<string, string>; random: SeededRandom; progress: () => number },
): Promise<KilledWorkers> {
  const file = await bundled(program)
  atFileEnd(() => rmSync(file))
  let kills = 0

  const start = (): ChildProcess =>
    spawn(process.execPath, [file], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...processEnv(services),
        WORKER_CLOCK: String(services.clock.now.getTime()),
        ...env,
      },
    })

  async function runAndKill(atOnce: boolean): Promise<void> {
    const events = 1 + random.roll(12)
    const delayMs = random.roll(atOnce ? 300 : 30)
    const child = start()
    const exited = once(child, 'exit')
    if (atOnce) await Promise.race([once(child, 'message'), exited])
    const target = progress() + events
    const until = Date.now() + (atOnce ? 0 : idleMs)
    while (progress() < target && Date.now() < until) await wait(2)
    await wait(delayMs)
    if (child.exitCode !== null) throw new Error('A worker ended by itself')
    child.kill('SIGKILL')
    await exited
    kills++
  }

  return {
    kills: () => kills,
    async kill(workers, { atOnce = false } = {}) {
      await Promise.all(Array.from({ length: workers }, () => runAndKill(atOnce)))
    },
  }
}
