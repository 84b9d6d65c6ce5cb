import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { seal } from '#core/access/sealed.ts'
import type { Log } from '#core/context.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { startWebhookLoop } from '#core/webhooks/deliver-webhooks.ts'
import { queueWebhooks } from '#core/webhooks/queue-webhooks.ts'
import { newWebhookSecret } from '#core/webhooks/sign-webhook.ts'
import { WebhookEndpoints, writtenEvents } from '#core/webhooks/webhook-endpoints.rows.ts'
import { onPostgres } from './bench-database.ts'
import { say } from './printed.ts'
import { benchSecret } from './served.ts'

/**
 * Measures how many webhooks a second are sent to receivers on this machine from a long queue; and how late one receiver gets its events while
 * many others of the same publisher are down, refusing the connection or never responding.
 *   npm run bench -- webhooks --only rate,dead --waiting 40000 --publishers 4 --endpoints 2 --dead 1000 --seconds 30 --databases sqlite,postgres
 */
const { values: given } = parseArgs({
  options: {
    databases: { type: 'string', default: 'sqlite,postgres' },
    only: { type: 'string', default: 'rate,dead' },
    waiting: { type: 'string', default: '40000' },
    publishers: { type: 'string', default: '4' },
    endpoints: { type: 'string', default: '2' },
    dead: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
  },
})
const seconds = Number(given.seconds)
const silent: Log = { info: () => {}, warn: () => {}, error: (...args) => process.stderr.write(`${args.at(-1)}\n`) }
const megabytes = () => Math.round(process.memoryUsage().rss / 2 ** 20)
/** A local port on which nothing listens. */
const refusingUrl = 'http://127.0.0.1:9/'

interface Sink {
  url: string
  /** How many milliseconds after its event each delivery arrived. */
  delays: number[]
  close(): void
}

async function openSink(): Promise<Sink> {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'webhook-sink.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const delays: number[] = []
  const lines = createInterface(server.stdout)
  const [port] = (await once(lines, 'line')) as [string]
  lines.on('line', (line) => delays.push(...(JSON.parse(line) as number[])))
  return { url: `http://127.0.0.1:${port}`, delays, close: () => void server.kill() }
}

/** Adds a publisher with one title, and webhooks for changes of readers at these URLs. Returns the id of the title. */
async function addPublisher({ db, now }: Running, name: string, urls: readonly string[]): Promise<number> {
  return db.transaction(async () => {
    const email = `${name}@example.test`
    const [user] = await db.query<{ id: number }>(
      `INSERT INTO users (user_type, email, email_key, created_at, updated_at) VALUES ('publisher', :email, :email, :now, :now) RETURNING id`,
      { email, now: now() },
    )
    const publisherId = Number(user?.id)
    const [title] = await db.query<{ id: number }>(
      `INSERT INTO publications (publisher_id, publication_name, url_key, url_key_lower, created_at, updated_at)
       VALUES (:publisherId, :name, :name, :name, :now, :now) RETURNING id`,
      { publisherId, name, now: now() },
    )
    for (const url of urls) {
      await WebhookEndpoints.insert(
        { db, now },
        {
          publisherId,
          url,
          description: '',
          events: writtenEvents(['reader.changed']),
          madeBy: null,
          secretSealed: seal(benchSecret, 'webhook', newWebhookSecret()),
          endedUntil: '2026-01-01',
        },
      )
    }
    return Number(title?.id)
  })
}

/** Queues this many events of a title, each about a different reader. */
async function queueEvents(services: Running, publicationId: number, events: number): Promise<void> {
  const batch = 1000
  for (let from = 0; from < events; from += batch) {
    const size = Math.min(batch, events - from)
    const ids = Array.from({ length: size }, (_, n) => from + n + 1)
    await queueWebhooks(
      services,
      publicationId,
      ...ids.map((readerId) => ({ type: 'reader.changed' as const, readerId })),
    )
  }
}

async function measureRate(name: string, services: Running): Promise<void> {
  const sink = await openSink()
  const publishers = Number(given.publishers)
  const endpoints = Number(given.endpoints)
  for (let n = 1; n <= publishers; n++) {
    const urls = Array.from({ length: endpoints }, (_, index) => `${sink.url}/${n}/${index}`)
    const title = await addPublisher(services, `busy${n}`, urls)
    await queueEvents(services, title, Math.ceil(Number(given.waiting) / publishers / endpoints))
  }
  if (services.db.dialect === 'postgres') await services.db.run('ANALYZE')
  const loop = startWebhookLoop(services)
  while (sink.delays.length < 500) await wait(50)
  const from = sink.delays.length
  const cpu = process.cpuUsage()
  const started = performance.now()
  const before = megabytes()
  await wait(seconds * 1000)
  const { user, system } = process.cpuUsage(cpu)
  const sent = sink.delays.length - from
  const elapsed = (performance.now() - started) / 1000
  const after = megabytes()
  await loop.stop()
  sink.close()
  const each = (user + system) / 1000 / sent
  say(`| ${name} | ${(sent / elapsed).toFixed(0)} | ${each.toFixed(2)} | ${before} | ${after} |`)
}

async function measureDown(
  name: string,
  services: Running,
  failure: string,
  urlOf: (sink: Sink) => string,
): Promise<void> {
  const sink = await openSink()
  const urls = Array.from({ length: Number(given.dead) }, () => `${sink.url}/worked`)
  const title = await addPublisher(services, `down-${failure}`, [...urls, `${sink.url}/live`])
  // At first all endpoints respond.
  const loop = startWebhookLoop(services)
  await queueWebhooks(services, title, { type: 'reader.changed', readerId: 1 })
  while (sink.delays.length < urls.length + 1) await wait(100)
  await loop.idle()
  sink.delays.splice(0)
  const urlChange = { dead: urlOf(sink), worked: `${sink.url}/worked` }
  await services.db.run('UPDATE webhook_endpoints SET url = :dead WHERE url = :worked', urlChange)
  const before = megabytes()
  const cpu = process.cpuUsage()
  for (let n = 1; n <= seconds; n++) {
    await queueWebhooks(services, title, { type: 'reader.changed', readerId: n })
    await wait(1000)
  }
  while (sink.delays.length < seconds) await wait(100)
  const { user, system } = process.cpuUsage(cpu)
  const [retried] = await services.db.query<{ tries: number }>(
    `SELECT SUM(attempts) AS tries FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
     WHERE d.state <> 'done' AND e.publisher_id = (SELECT publisher_id FROM publications WHERE id = :title)`,
    { title },
  )
  await loop.stop()
  sink.close()
  await services.db.run('UPDATE webhook_endpoints SET removed_at = :now', { now: services.now() })
  const delays = [...sink.delays].sort((a, b) => a - b)
  const percentile = (part: number) => delays[Math.min(delays.length - 1, Math.floor(part * delays.length))]
  const cpuPercent = Math.round((user + system) / 10_000 / seconds)
  say(
    `| ${name} | ${failure} | ${percentile(0.5)} | ${percentile(0.95)} | ${percentile(1)} | ${retried?.tries} | ${cpuPercent}% | ${before} | ${megabytes()} |`,
  )
}

async function benchOn(name: string, part: 'rate' | 'dead', settings: Record<string, string>): Promise<void> {
  const services = await makeServices(readEnv({ APP_SECRET: benchSecret, WEBHOOKS_TO_LOOPBACK: '1', ...settings }), {
    log: silent,
  })
  try {
    await migrate(services.db)
    if (part === 'rate') return await measureRate(name, services)
    await measureDown(name, services, 'refuse', () => refusingUrl)
    await measureDown(name, services, 'hang', ({ url }) => `${url}/hangs`)
  } finally {
    services.webhooks.close()
    await services.db.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
async function onEach(part: 'rate' | 'dead'): Promise<void> {
  for (const name of given.databases.split(',')) {
    const dataDir = join(folder, `${name}-${part}`)
    mkdirSync(dataDir)
    if (name === 'sqlite') await benchOn('SQLite', part, { DATA_DIR: dataDir })
    else await onPostgres('webhooks', (url) => benchOn('PostgreSQL', part, { DATA_DIR: dataDir, DATABASE_URL: url }))
  }
}

async function rate(): Promise<void> {
  const { waiting, publishers, endpoints } = given
  say(
    `### Webhooks: ${waiting} waiting, ${publishers} publishers with ${endpoints} receivers each, ${seconds} s, load ${loadavg()[0]?.toFixed(1)}\n`,
  )
  say('| database | webhooks a second | ms of CPU time each | MB at the beginning | MB at the end |')
  say('|---|---|---|---|---|')
  await onEach('rate')
}

async function down(): Promise<void> {
  say(`\n### One event a second to one receiver beside ${given.dead} of the same publisher that are down\n`)
  say(
    '| database | those down | ms late, median | p95 | most | tries of those down | CPU | MB at the beginning | MB at the end |',
  )
  say('|---|---|---|---|---|---|---|---|---|')
  await onEach('dead')
}

try {
  if (given.only.includes('rate')) await rate()
  if (given.only.includes('dead')) await down()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
