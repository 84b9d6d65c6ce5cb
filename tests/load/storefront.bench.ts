import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { answering, freePort, median, startBuilt, stop } from './served.ts'

/**
 * Requests per second of the storefront page beside the least a React server can do for the same markup: Express and
 * renderToString of the very tree the page came out as. In turn, on one machine, so the ratio is what counts.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const rounds = 3

async function load(url: string) {
  const { requests, latency, non2xx } = await autocannon({ url, connections: 20, duration: seconds })
  if (non2xx > 0) throw new Error(`${non2xx} requests to ${url} failed`)
  return { perSecond: requests.average, p99: latency.p99 }
}

const dataDir = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
const [port, barePort] = [await freePort(), await freePort()]
const masthead = startBuilt({ DATA_DIR: dataDir, PORT: String(port), SEED: 'demo' })
let bare: ChildProcess | undefined
try {
  const page = `http://127.0.0.1:${port}/harbour-light`
  const html = await answering(page)
  bare = spawn(process.execPath, ['--import', 'tsx', 'tests/load/bare-react-server.ts', String(barePort), page], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const bareUrl = `http://127.0.0.1:${barePort}/`
  const bareHtml = await answering(bareUrl)

  const ours: { perSecond: number; p99: number }[] = []
  const limit: { perSecond: number; p99: number }[] = []
  await load(page)
  await load(bareUrl)
  for (let round = 0; round < rounds; round++) {
    ours.push(await load(page))
    limit.push(await load(bareUrl))
  }
  const perSecond = median(ours.map((run) => run.perSecond))
  const bound = median(limit.map((run) => run.perSecond))
  process.stdout.write(
    [
      '### Storefront page',
      '',
      '| server | requests/s | p99 ms | page kB |',
      '|---|---|---|---|',
      `| Masthead, /harbour-light | ${perSecond.toFixed(0)} | ${median(ours.map((run) => run.p99))} | ${(html.length / 1000).toFixed(1)} |`,
      `| Express + renderToString of the same markup | ${bound.toFixed(0)} | ${median(limit.map((run) => run.p99))} | ${(bareHtml.length / 1000).toFixed(1)} |`,
      '',
      `Ratio ${((100 * perSecond) / bound).toFixed(0)} % (20 connections, median of ${rounds} runs of ${seconds} s in turn)`,
      '',
      '',
    ].join('\n'),
  )
} finally {
  if (bare) await stop(bare)
  await stop(masthead)
  rmSync(dataDir, { recursive: true, force: true })
}
