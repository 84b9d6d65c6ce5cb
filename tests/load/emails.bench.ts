import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Log } from '#core/context.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import { seedDemo } from '#core/seed/seed-demo.ts'
import { handlers } from '#worker/handlers/index.ts'
import { onPostgres } from './bench-database.ts'
import { measureSendingWorker } from './emails-worker.ts'
import { fillMailLog, measureMailLog } from './mail-log.ts'
import { say } from './printed.ts'

/**
 * How many emails to readers are sent in a second while very many wait, over a mail server on this machine with slow responses; the
 * CPU time of each, and the memory at the beginning and the end; whether each is sent once when the worker is restarted, and how long visitors
 * of a storefront wait meanwhile; and how long the mail log takes to show very many.
 *   npm run bench -- emails --only sending --waiting 100000 --seconds 30 --late 50 --connections 20 --databases sqlite,postgres
 *   npm run bench -- emails --only restarts --waiting 100000
 *   npm run bench -- emails --only log --logged 1000000 --rounds 5
 */
const { values: given } = parseArgs({
  options: {
    databases: { type: 'string', default: 'sqlite,postgres' },
    only: { type: 'string', default: 'sending,log' },
    logged: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    waiting: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '30' },
    late: { type: 'string', default: '50' },
    connections: { type: 'string', default: '20' },
  },
})
const secret = 'bench-'.repeat(6)
const waiting = Number(given.waiting)
const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }
const megabytes = () => Math.round(process.memoryUsage().rss / 2 ** 20)

/** Queues notices to a demo buyer, each a separate email. */
async function queueEmails({ db }: Running): Promise<void> {
  const [buyer] = await db.query<{ id: number }>(`SELECT id FROM buyers ORDER BY id LIMIT 1`)
  const text = db.dialect === 'postgres' ? 'n::text' : 'n'
  await db.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :waiting)
     INSERT INTO jobs (name, payload, state, run_at, attempts, created_at)
     SELECT 'send-mail', REPLACE(:payload, '#', ${text})${db.dialect === 'postgres' ? '::jsonb' : ''}, 'waiting', ${
       db.dialect === 'postgres' ? ':now::timestamptz, 0, :now::timestamptz' : ':now, 0, :now'
     } FROM numbers`,
    {
      waiting,
      payload: JSON.stringify({ mail: 'buyer-notice', about: { buyerId: buyer?.id, key: '#', kind: 'renewal-off' } }),
      now: new Date(),
    },
  )
  if (db.dialect === 'postgres') await db.run('ANALYZE jobs')
}

interface Sending {
  services: Running
  /** The settings of the mail server. */
  mail: Record<string, string>
  /** How many emails the server has accepted, and how many distinct ones. */
  accepted(): { emails: number; different: number }
}

async function withMailServer(storage: Record<string, string>, work: (sending: Sending) => Promise<void>) {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'slow-smtp.mjs'), given.late], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let accepted = { emails: 0, different: 0 }
  const lines = createInterface(server.stdout)
  const [port] = (await once(lines, 'line')) as [string]
  lines.on('line', (line) => {
    const [emails = 0, different = 0] = line.split(' ').map(Number)
    accepted = { emails, different }
  })
  const mail = { MAIL_URL: `smtp://127.0.0.1:${port}`, MAIL_CONNECTIONS: given.connections }
  const services = await makeServices(readEnv({ APP_SECRET: secret, ...mail, ...storage }), { log: silent })
  try {
    await migrate(services.db)
    await seedDemo(services)
    await queueEmails(services)
    await work({ services, mail, accepted: () => accepted })
  } finally {
    services.mail.close()
    await services.db.close()
    server.kill()
  }
}

async function measure(name: string, { services, accepted }: Sending): Promise<void> {
  const loop = startEmbeddedWorker(services, handlers)
  // Compiles templates and opens connections first.
  while (accepted().emails < 200) await wait(50)
  const from = accepted().emails
  const cpu = process.cpuUsage()
  const started = performance.now()
  const before = megabytes()
  await wait(Number(given.seconds) * 1000)
  const { user, system } = process.cpuUsage(cpu)
  const emails = accepted().emails - from
  const seconds = (performance.now() - started) / 1000
  const after = megabytes()
  await loop.stop()
  say(
    `| ${name} | ${(emails / seconds).toFixed(1)} | ${((user + system) / 1000 / emails).toFixed(1)} | ${before} | ${after} |`,
  )
}

/** Runs a part on each requested database. */
async function eachDatabase(part: string, work: (name: string, settings: Record<string, string>) => Promise<void>) {
  for (const name of given.databases.split(',')) {
    const dataDir = join(folder, `${part}-${name}`)
    mkdirSync(dataDir)
    if (name === 'sqlite') await work('SQLite', { DATA_DIR: dataDir })
    else await onPostgres('emails', (url) => work('PostgreSQL', { DATA_DIR: dataDir, DATABASE_URL: url }))
  }
}

async function benchLog(name: string, settings: Record<string, string>): Promise<void> {
  const services = await makeServices(readEnv({ APP_SECRET: secret, ...settings }), { log: silent })
  try {
    await migrate(services.db)
    await fillMailLog(services, Number(given.logged))
    say(
      `\n### Mail log: ${given.logged} emails, ${name}, load ${loadavg()[0]?.toFixed(1)}\n\n| request | rows | first ms | median ms |\n|---|---|---|---|`,
    )
    await measureMailLog(services, Number(given.rounds), say)
  } finally {
    services.mail.close()
    await services.db.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
const parts = given.only.split(',')
try {
  if (parts.includes('sending')) {
    say(
      `### Emails: ${waiting} waiting, answers ${given.late} ms late, ${given.connections} connections, load ${loadavg()[0]?.toFixed(1)}\n`,
    )
    say('| database | emails a second | ms of CPU time each | MB at the beginning | MB at the end |')
    say('|---|---|---|---|---|')
    await eachDatabase('sending', (name, storage) => withMailServer(storage, (sending) => measure(name, sending)))
  }
  if (parts.includes('restarts'))
    await eachDatabase('restarts', (name, storage) =>
      withMailServer(storage, ({ services: { db }, mail, accepted }) =>
        measureSendingWorker(name, { db, storage: { ...storage, ...mail }, secret, waiting, accepted }),
      ),
    )
  if (parts.includes('log')) await eachDatabase('log', benchLog)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
