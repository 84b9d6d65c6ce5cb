import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { SeededRandom } from './duplicates/seeded-random.ts'
import { atFileEnd } from './file-end.ts'
import { bundled, processEnv } from './killed-process.ts'
import type { TestServices } from './test-services.ts'

/** A worker as installed, except that its clock begins at a given moment. */
const program = `
  import { readEnv } from '#core/platform/env.ts'
  import { makeServices } from '#core/platform/make-services.ts'
  import { startWorker } from '#worker/main.ts'
  const begun = Date.now()
  const now = () => new Date(Number(process.env.WORKER_CLOCK) + Date.now() - begun)
  const env = readEnv(process.env)
  const silent = { info() {}, warn() {}, error() {} }
  await startWorker(await makeServices(env, { now, log: silent }), env)
  process.send('up')`

/** After so many milliseconds a worker without visible progress is killed all the same. */
const idleMs = 4000

export interface KilledWorkers {
  /**
   * Starts so many workers at once on this world, at its clock, and kills each with -9 at a random point of its work; with `atOnce` at one of its
   * first points, without waiting for `progress`.
   */
  kill(workers: number, how?: { atOnce?: boolean }): Promise<void>
  /** How many were killed so far. */
  kills(): number
}

/**
 * Workers in their own processes that are killed at random: after so many of the events that `progress` counts (calls to a provider,
 * mails), and at an arbitrary point before the next.
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

  async function liveAndDie(atOnce: boolean): Promise<void> {
    const [enough, more] = [1 + random.roll(12), random.roll(atOnce ? 300 : 30)]
    const child = start()
    const died = once(child, 'exit')
    if (atOnce) await Promise.race([once(child, 'message'), died])
    const until = Date.now() + (atOnce ? 0 : idleMs)
    for (const from = progress(); progress() < from + enough && Date.now() < until; ) await wait(2)
    await wait(more)
    if (child.exitCode !== null) throw new Error('A worker ended by itself')
    child.kill('SIGKILL')
    await died
    kills++
  }

  return {
    kills: () => kills,
    async kill(workers, { atOnce = false } = {}) {
      await Promise.all(Array.from({ length: workers }, () => liveAndDie(atOnce)))
    },
  }
}
