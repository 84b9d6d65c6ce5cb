import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices } from '#core/platform/make-services.ts'
import { seedDemo } from '#core/seed/seed-demo.ts'
import { onPostgres } from './bench-database.ts'
import { say } from './printed.ts'
import { benchSecret, freePort, logIn, median, stop, waitForServer } from './served.ts'

/**
 * Processor time of a page rendered for one visitor, compared with Express and renderToString of the same markup: all
 * threads of the serving process, over warmed-up requests on keep-alive connections, alternating. Compression (Accept-Encoding)
 * is measured separately, since the bare server does not compress.
 *   npm run bench -- pages --requests 300 --rounds 3 --databases sqlite,postgres --pages dashboard,readers
 */
const { values: given } = parseArgs({
  options: {
    requests: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '3' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    pages: { type: 'string', default: '' },
    profile: { type: 'string', default: '' },
  },
})
const requests = Number(given.requests)
const rounds = Number(given.rounds)
const only = given.pages.split(',').filter(Boolean)
/** Concurrent requests: the server is never idle, and no request waits long. */
const connections = 4
const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
const meter = ['--import', './tests/load/cpu-meter.mjs']
const compressed = { 'accept-encoding': 'gzip, deflate, br' }

/** Processor time of a process, user and system, in ms. */
function cpuOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    function onMessage(message: unknown): void {
      const { cpu } = message as { cpu?: NodeJS.CpuUsage }
      if (!cpu) return
      child.off('message', onMessage)
      resolve((cpu.user + cpu.system) / 1000)
    }
    child.on('message', onMessage)
    child.send('cpu')
  })
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

/** Makes one request and returns the transferred bytes of the body. */
function fetchPage(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('error', reject).on('end', () => {
        if (response.statusCode === 200) resolve(bytes)
        else reject(new Error(`${url}: ${response.statusCode} ${response.headers.location ?? ''}`))
      })
    })
      .on('error', reject)
      .end()
  })
}

async function fetchMany(url: string, headers: Record<string, string>, count: number): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) await fetchPage(url, headers)
    }),
  )
}

interface Cost {
  /** Processor time per page, in ms. */
  cpu: number
  perSecond: number
}

async function costOf(child: ChildProcess, url: string, headers: Record<string, string>): Promise<Cost> {
  const before = await cpuOf(child)
  const started = performance.now()
  await fetchMany(url, headers, requests)
  const seconds = (performance.now() - started) / 1000
  return { cpu: ((await cpuOf(child)) - before) / requests, perSecond: requests / seconds }
}

interface Page {
  name: string
  path: string
  cookie: string
}

/** Logs the demo's reader in at the storefront of the first title. */
async function logInReader(url: string): Promise<string> {
  const response = await fetch(`${url}/harbour-light/login`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email: 'reader@demo.masthead.test', password: 'masthead' }),
  })
  await response.arrayBuffer()
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('masthead-reader-'))
  if (!cookie) throw new Error(`The reader could not log in: ${response.status}`)
  return cookie.split(';')[0] ?? ''
}

async function pagesOf(url: string): Promise<Page[]> {
  const publisher = await logIn(url, '/login', 'publisher@demo.masthead.test')
  const reader = await logInReader(url)
  return [
    { name: 'storefront, promo link', path: '/harbour-light?promo=TIDE20', cookie: '' },
    { name: 'storefront, reader logged in', path: '/harbour-light', cookie: reader },
    { name: 'reader’s account', path: '/harbour-light/account', cookie: reader },
    { name: 'dashboard', path: '/dashboard', cookie: publisher },
    { name: 'readers', path: '/readers', cookie: publisher },
    { name: 'sales ledger', path: '/payments', cookie: publisher },
    { name: 'publications', path: '/publications', cookie: publisher },
    { name: 'log-in page', path: '/login', cookie: '' },
  ].filter(({ path }) => only.length === 0 || only.some((part) => path.includes(part)))
}

/** Alternating, so that both run under the same conditions. */
async function measure(server: ChildProcess, url: string, { name, path, cookie }: Page): Promise<void> {
  const headers: Record<string, string> = cookie ? { cookie } : {}
  const port = await freePort()
  const bare = fork('tests/load/bare-react-server.ts', [String(port), url + path, cookie], {
    execArgv: ['--import', 'tsx', ...meter],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  try {
    const bareUrl = `http://127.0.0.1:${port}/`
    await waitForServer(bareUrl)
    await fetchMany(url + path, headers, requests)
    await fetchMany(bareUrl, {}, requests)
    const costs = { plain: [] as Cost[], compressed: [] as Cost[], bare: [] as Cost[] }
    for (let round = 0; round < rounds; round++) {
      costs.plain.push(await costOf(server, url + path, headers))
      costs.bare.push(await costOf(bare, bareUrl, {}))
      costs.compressed.push(await costOf(server, url + path, { ...headers, ...compressed }))
    }
    const cpu = (of: Cost[]) => median(of.map((cost) => cost.cpu))
    const rate = (of: Cost[]) => median(of.map((cost) => cost.perSecond))
    const kB = (await fetchPage(url + path, headers)) / 1000
    say(
      `| ${name} | ${kB.toFixed(0)} | **${cpu(costs.plain).toFixed(1)}** | ${cpu(costs.compressed).toFixed(1)} | ${cpu(costs.bare).toFixed(2)} | ` +
        `${(1000 / cpu(costs.plain)).toFixed(0)} | ${(1000 / cpu(costs.bare)).toFixed(0)} | ${((100 * cpu(costs.bare)) / cpu(costs.plain)).toFixed(0)}% | ${rate(costs.plain).toFixed(0)} |`,
    )
  } finally {
    await stop(bare)
  }
}

async function bench(database: string, databaseUrl: string): Promise<void> {
  const env = {
    DATA_DIR: join(folder, database),
    DATABASE_URL: databaseUrl,
    APP_SECRET: benchSecret,
    LOG_LEVEL: 'silent',
  }
  const services = await makeServices(readEnv(env))
  await migrate(services.db)
  await seedDemo(services)
  await services.db.close()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = fork('dist/serve-role.js', ['web'], {
    execArgv: given.profile ? [...meter, '--cpu-prof', '--cpu-prof-dir', given.profile] : meter,
    env: {
      ...process.env,
      ...env,
      // Logging is included in the cost, and discarded.
      LOG_LEVEL: 'info',
      NODE_ENV: 'production',
      ALLOW_DEMO_PAYMENTS: '1',
      REDIS_URL: '',
      PORT: String(port),
      APP_URL: url,
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  try {
    await waitForServer(`${url}/login`)
    say(`\n### A page for one visitor, ${database}\n`)
    say(
      '| page | kB | ms of CPU time | compressed | bare React | a second and core | bare React | of the bare | a second, as measured |\n|---|---|---|---|---|---|---|---|---|',
    )
    for (const page of await pagesOf(url)) await measure(server, url, page)
    say(
      `\nMedian of ${rounds} runs of ${requests} requests, ${connections} connections; load ${loadavg()[0]?.toFixed(1)}.`,
    )
  } finally {
    await stop(server)
  }
}

try {
  const wanted = given.databases.split(',')
  if (wanted.includes('sqlite')) await bench('sqlite', `sqlite:${join(folder, 'sqlite.db')}`)
  if (wanted.includes('postgres')) await onPostgres('pages', (url) => bench('postgres', url))
} finally {
  agent.destroy()
  rmSync(folder, { recursive: true, force: true })
}
