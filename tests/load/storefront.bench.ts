import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { openBrowser } from '#tests/support/browser.ts'
import { firstVisit } from './first-visit.ts'
import { freePort, median, startBuilt, stop, waitForServer } from './served.ts'

/**
 * Requests per second of the storefront page, compared with the minimum of a React server for the same markup: Express and
 * renderToString of the same tree. Alternating on one machine, so only the ratio is meaningful. Then how long one
 * visitor waits for the first byte, and what a browser fetches on its first visit.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const rounds = 3
/** A query that the page cache does not know: the page is rendered from the cached storefront. */
const rendered = '?rendered=1'
/** The maximum time a page is cached, after which a change by another process is visible. */
const cachedForMs = 5_000

async function load(url: string, headers: Record<string, string> = {}) {
  const { requests, latency, non2xx } = await autocannon({ url, headers, connections: 20, duration: seconds })
  if (non2xx > 0) throw new Error(`${non2xx} requests to ${url} failed`)
  return { perSecond: requests.average, p99: latency.p99 }
}

/** Milliseconds until the response headers arrive. */
function firstByte(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const outgoing = request(url, { headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
      resolve(performance.now() - started)
      response.resume()
    })
    outgoing.on('error', reject).end()
  })
}

async function firstBytes(url: string, times: number, pause = 0): Promise<string> {
  const durations: number[] = []
  for (let n = 0; n < times; n++) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    durations.push(await firstByte(url))
  }
  return `${median(durations).toFixed(1)} | ${(durations.toSorted((a, b) => a - b).at(-2) ?? 0).toFixed(1)}`
}

const say = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`)

const dataDir = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
const port = await freePort()
const barePort = await freePort()
const masthead = startBuilt({ DATA_DIR: dataDir, PORT: String(port), SEED: 'demo' })
let bare: ChildProcess | undefined
try {
  const page = `http://127.0.0.1:${port}/harbour-light`
  const html = await waitForServer(page)
  bare = spawn(process.execPath, ['--import', 'tsx', 'tests/load/bare-react-server.ts', String(barePort), page], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const bareUrl = `http://127.0.0.1:${barePort}/`
  const bareHtml = await waitForServer(bareUrl)

  const cases = [
    { name: 'Masthead, `/harbour-light`', run: () => load(page), kB: html.length / 1000 },
    {
      name: 'the same, compressed (gzip), as browsers request it',
      run: () => load(page, { 'accept-encoding': 'gzip' }),
      kB: 0,
    },
    { name: 'the same, rendered for each visitor', run: () => load(page + rendered), kB: html.length / 1000 },
    { name: 'Express + renderToString of the same markup', run: () => load(bareUrl), kB: bareHtml.length / 1000 },
  ]
  const results = cases.map(({ name, kB }) => ({ name, kB, runs: [] as { perSecond: number; p99: number }[] }))
  for (const { run } of cases) await run()
  for (let round = 0; round < rounds; round++)
    for (const [index, { run }] of cases.entries()) results[index]?.runs.push(await run())
  await waitForServer(page)
  const compressed = await fetch(page, { headers: { 'Accept-Encoding': 'gzip' } })
  const rates = results.map(({ runs }) => median(runs.map(({ perSecond }) => perSecond)))
  const bound = rates.at(-1) ?? 1
  const [, gzipped] = results
  if (gzipped) gzipped.kB = Number(compressed.headers.get('content-length') ?? 0) / 1000
  say(
    '### Storefront page',
    '',
    '| server | requests/s | compared with the last row | p99 ms | page kB |',
    '|---|---|---|---|---|',
  )
  for (const [index, { name, runs, kB }] of results.entries()) {
    const rate = rates[index] ?? 0
    const p99 = median(runs.map((run) => run.p99))
    say(`| ${name} | ${rate.toFixed(0)} | ${((100 * rate) / bound).toFixed(0)}% | ${p99} | ${kB.toFixed(1)} |`)
  }
  say('', `20 connections, median of ${rounds} runs of ${seconds} s in turn.`, '')

  say('| first byte, one visitor at a time | median ms | second slowest ms |', '|---|---|---|')
  say(`| cached | ${await firstBytes(page, 100)} |`)
  say(`| rendered | ${await firstBytes(page + rendered, 100)} |`)
  say(`| read and rendered | ${await firstBytes(page, 6, cachedForMs + 100)} |`, '')

  const browser = await openBrowser()
  for (const width of [360, 1280]) {
    const { bytes, files, shift } = await firstVisit(browser, page, width)
    const kB = (count: number) => (count / 1000).toFixed(1)
    const sum = Object.values(bytes).reduce((total, count) => total + count, 0)
    say(`First visit at ${width} px: ${kB(sum)} kB in ${files.length} files, layout shift ${shift.toFixed(4)}`, '')
    say('| what | kB |', '|---|---|', ...Object.entries(bytes).map(([kind, count]) => `| ${kind} | ${kB(count)} |`), '')
    if (width > 360)
      say(
        '| largest | kB |',
        '|---|---|',
        ...files.slice(0, 12).map(({ path, bytes }) => `| ${path} | ${kB(bytes)} |`),
        '',
      )
  }
  await browser.close()
} finally {
  if (bare) await stop(bare)
  await stop(masthead)
  rmSync(dataDir, { recursive: true, force: true })
}
