import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '#core/database.ts'
import { after, childPidOf, memoryOf, peakOf, withStorefrontLoad } from './built-worker.ts'
import { say, shown } from './printed.ts'
import { percentile, startBuilt, stop } from './served.ts'

/**
 * Lets the built worker send all waiting emails, restarted after each further quarter, while a storefront is visited every 50 ms:
 * the rate, whether each email was sent once, the memory of each worker after its first 15 seconds and at its end, and visitors' waiting times.
 */
export async function measureSendingWorker(
  name: string,
  {
    db,
    waiting,
    accepted,
    ...settings
  }: {
    db: Database
    storage: Record<string, string>
    secret: string
    waiting: number
    accepted(): { emails: number; different: number }
  },
): Promise<void> {
  await withStorefrontLoad(settings, async ({ visit, env }) => {
    const quiet = (await visit(after(15_000))).flat()
    const busy: number[] = []
    const memory: string[] = []
    const started = performance.now()
    for (const quarter of [1, 2, 3, 4]) {
      const worker = startBuilt(env, 'worker')
      try {
        const pid = await childPidOf(Number(worker.pid))
        busy.push(...(await visit(after(15_000))).flat())
        const early = memoryOf(pid)
        const isSent = () => accepted().different >= (waiting * quarter) / 4
        busy.push(...(await visit(isSent)).flat())
        memory.push(`${early} / ${memoryOf(pid)} / ${peakOf(pid)}`)
      } finally {
        await stop(worker)
      }
    }
    const seconds = (performance.now() - started) / 1000
    // The mail server prints its last count shortly afterwards.
    await wait(500)
    const [left] = await db.query<{ n: number }>(
      `SELECT COUNT(*) AS n FROM jobs WHERE name = 'send-mail' AND state <> 'done'`,
    )
    const { emails, different } = accepted()
    say(`\n#### ${name}: ${waiting} emails by the built worker, started four times\n`)
    say(
      `${emails} accepted, ${different} different, ${left?.n} jobs left, ${(emails / seconds).toFixed(0)} a second with the starts; MB after 15 s, at the end, at most: ${memory.join(', ')}\n`,
    )
    say('| visits | median ms | p95 | slowest | number |\n|---|---|---|---|---|')
    for (const [what, times] of [
      ['before', quiet],
      ['while emails are sent', busy],
    ] as const)
      say(
        `| ${[what, shown(percentile(times, 0.5)), shown(percentile(times, 0.95)), shown(percentile(times, 1)), times.length].join(' | ')} |`,
      )
  })
}
