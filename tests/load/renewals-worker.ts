import type { Database } from '#core/database.ts'
import type { Running } from '#core/platform/make-services.ts'
import { after, childPidOf, cpuSecondsOf, peakOf, withStorefrontLoad } from './built-worker.ts'
import { say, shown } from './printed.ts'
import { analyse, dialectSql, resetPlan, today } from './renewals-data.ts'
import { percentile, startBuilt, stop } from './served.ts'

/**
 * Measures how long visitors of a storefront, one every 50 ms, wait for the last byte: before the worker plans all renewals, meanwhile, and while
 * their emails are sent.
 */
export async function measureStorefront(
  services: Running,
  { agreements, ...settings }: { agreements: number; storage: Record<string, string>; secret: string },
): Promise<void> {
  const { db } = services
  await resetPlan(services, dialectSql(db).day(`'${today}'`, '7'), { declined: false })
  await db.run(`DELETE FROM jobs WHERE name = 'plan-renewals'`)
  const planned = async () => {
    const [row] = await db.query<{ n: number }>(
      `SELECT COUNT(*) AS n FROM renewals WHERE agreement_id > 1000000 AND state = 'planned'`,
    )
    return Number(row?.n ?? 0)
  }
  await withStorefrontLoad(settings, async ({ pages, visit, env }) => {
    const quiet = await visit(after(15_000))
    const worker = startBuilt(env, 'worker')
    try {
      const started = performance.now()
      let isPlanned = false
      const waitUntilPlanned = async () => {
        while ((await planned()) < agreements) await new Promise((resolve) => setTimeout(resolve, 500))
        isPlanned = true
        return (performance.now() - started) / 1000
      }
      const planning = waitUntilPlanned()
      const busy = await visit(() => isPlanned)
      const sending = await visit(after(10_000))
      for (const [what, times] of [
        ['before', quiet],
        [`while ${agreements} are planned (${(await planning).toFixed(0)} s)`, busy],
        ['after, while their emails are sent', sending],
      ] as const)
        for (const [index, page] of pages.entries()) {
          const list = times[index] ?? []
          const percentiles = [0.5, 0.95, 0.999].map((part) => shown(percentile(list, part)))
          say(`| ${[page, what, ...percentiles, list.length].join(' | ')} |`)
        }
    } finally {
      await stop(worker)
    }
  })
}

/** Measures the first day of the renewal series in the built worker: duration, CPU time, memory, and how long visitors of a storefront wait. */
export async function measureWorker(
  services: Running,
  settings: { storage: Record<string, string>; secret: string },
): Promise<void> {
  const { db } = services
  // Nothing else to plan: their readers renew automatically, later.
  await db.run(`UPDATE payment_agreements SET state = 'active', renews_on = '2090-01-01' WHERE id > 1000000`)
  await db.run(`UPDATE accounts SET automated_renewal_emails = :yes`, { yes: true })
  await db.run(`DELETE FROM reader_efforts`)
  await db.run(`DELETE FROM emails`)
  await db.run(`DELETE FROM jobs`)
  await analyse(db, 'all')
  const planned = async () =>
    Number((await db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM reader_efforts`))[0]?.n ?? 0)
  await withStorefrontLoad(settings, async ({ visit, env }) => {
    const quiet = (await visit(after(10_000))).flat()
    const worker = startBuilt(env, 'worker')
    try {
      const started = performance.now()
      const pid = await childPidOf(Number(worker.pid))
      let isPlanned = false
      const waitUntilPlanned = async () => {
        try {
          await waitForPlanJob(db)
          return { ended: performance.now(), cpu: cpuSecondsOf(pid) }
        } finally {
          isPlanned = true
        }
      }
      const planning = waitUntilPlanned()
      const busy = (await visit(() => isPlanned)).flat()
      const { ended, cpu } = await planning
      const peak = peakOf(pid)
      const sending = (await visit(after(20_000))).flat()
      say(
        `\n${await planned()} efforts planned by the built worker in ${((ended - started) / 1000).toFixed(1)} s from its start, ${cpu.toFixed(1)} s of its CPU time, peak ${peak} MB, ${peakOf(pid)} MB while their emails are sent\n`,
      )
      say('| visits | median ms | p95 | slowest | number |\n|---|---|---|---|---|')
      for (const [what, times] of [
        ['before', quiet],
        ['while it plans, and sends what is planned', busy],
        ['while their emails are sent', sending],
      ] as const)
        say(
          `| ${[what, shown(percentile(times, 0.5)), shown(percentile(times, 0.95)), shown(percentile(times, 0.999)), times.length].join(' | ')} |`,
        )
    } finally {
      await stop(worker)
    }
  })
}

/** Waits for the worker's job that plans the efforts of the day. */
async function waitForPlanJob({ query }: Database): Promise<void> {
  for (;;) {
    const [job] = await query<{ state: string; problem: string | null }>(
      `SELECT state, problem FROM jobs WHERE name = 'plan-efforts' ORDER BY id LIMIT 1`,
    )
    if (job?.state === 'done') return
    if (job?.problem) throw new Error(`The worker could not plan: ${job.problem}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
