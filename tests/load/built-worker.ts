import { readFileSync } from 'node:fs'
import { freePort, startBuilt, stop, waitForServer } from './served.ts'

/**
 * Runs `work` next to the built storefront, warmed up. Its `visit` requests the demo's storefront, alternately cached and rendered, until it is
 * stopped, and returns how long each took, in ms by page; `env` is the environment for a worker on the same database.
 */
export async function withStorefrontLoad(
  settings: { storage: Record<string, string>; secret: string },
  work: (shop: {
    pages: readonly string[]
    visit(until: () => boolean): Promise<number[][]>
    env: Record<string, string>
  }) => Promise<void>,
): Promise<void> {
  const { url, env } = await serverSettings(settings)
  const pages = ['/harbour-light', '/harbour-light?rendered=1']
  const visit = (until: () => boolean) =>
    visits(
      pages.map((page) => url + page),
      until,
    )
  const web = startBuilt(env, 'web')
  try {
    await waitForServer(url + pages[0])
    await visit(after(5000))
    await work({ pages, visit, env })
  } finally {
    await stop(web)
  }
}

/** The address and the environment of the built server. */
async function serverSettings({ storage, secret }: { storage: Record<string, string>; secret: string }) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    env: { MAIL_URL: '', ...storage, PORT: String(port), SEED: 'none', APP_URL: url, APP_SECRET: secret },
  }
}

/** Requests the pages one after the other, one every 50 ms, and returns how long each took, in ms. */
async function visits(pages: readonly string[], until: () => boolean): Promise<number[][]> {
  const times = pages.map((): number[] => [])
  for (let turn = 0; !until(); turn++) {
    const page = pages[turn % pages.length] as string
    const started = performance.now()
    const response = await fetch(page)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${page} answered ${response.status}`)
    times[turn % pages.length]?.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return times
}

/** The child process that does the work: its parent restarts it after a crash. */
export async function childPidOf(parent: number): Promise<number> {
  for (;;) {
    const [child] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ')
    if (child) return Number(child)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The memory that a process uses now, in MB. */
export const memoryOf = (pid: number) => memory(pid, 'VmRSS')

/** The peak memory of a process, in MB. */
export const peakOf = (pid: number) => memory(pid, 'VmHWM')

function memory(pid: number, field: string): number {
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes ?? 0) / 1000)
}

/** The CPU time of a process in seconds, as Linux counts it. */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Returns a function that is true once this many ms have passed. */
export function after(ms: number): () => boolean {
  const end = performance.now() + ms
  return () => performance.now() > end
}
