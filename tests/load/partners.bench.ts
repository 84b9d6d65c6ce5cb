import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hash } from '@node-rs/argon2'
import autocannon from 'autocannon'
import { hashPassword } from '#core/access/passwords.ts'
import { contextFor } from '#core/context.ts'
import { makeApiKey } from '#core/partners/make-api-key.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices } from '#core/platform/make-services.ts'
import { seedDemo } from '#core/seed/seed-demo.ts'
import { liveStaffActor } from '#core/users/live-staff-actor.ts'
import { onPostgres } from './bench-database.ts'
import { say } from './printed.ts'
import { benchSecret, freePort, median, startBuilt, stop, waitForServer } from './served.ts'

/**
 * The subscriber check over HTTP: with an almost free password hash, which leaves the cost of the rest of the call, compared with a bare
 * Express server that reads and answers JSON; and with a real argon2id. Alternating on one machine, so only the ratio is meaningful.
 *   npm run bench -- partners --readers 200000 --databases sqlite,postgres
 */
const { values: given } = parseArgs({
  options: {
    readers: { type: 'string', default: '200000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
})
const readers = Number(given.readers)
const seconds = Number(given.seconds)
const rounds = Number(given.rounds)
const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))

async function load(url: string, body: object, connections = 20) {
  const { requests, latency, non2xx } = await autocannon({
    url,
    connections,
    duration: seconds,
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  if (non2xx > 0) throw new Error(`${non2xx} requests to ${url} failed`)
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99 }
}

/** The demo with additional readers of its first title, and two accounts: one with an almost free hash, one with a real one. */
async function fill(databaseUrl: string): Promise<string> {
  const env = readEnv({
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    APP_SECRET: benchSecret,
    SEED: 'demo',
    MAIL_URL: '',
  })
  const services = await makeServices(env)
  try {
    await migrate(services.db)
    await seedDemo(services)
    const { db } = services
    const [title] = await db.query<{ id: number; publisher_id: number }>(
      `SELECT id, publisher_id FROM publications WHERE url_key = 'harbour-light'`,
    )
    const publicationId = title?.id ?? 0
    const [model] = await db.query<Record<string, string | number>>(
      `SELECT * FROM readers WHERE publication_id = :publicationId AND is_deleted = :no ORDER BY id LIMIT 1`,
      { publicationId, no: false },
    )
    const { id, ...columns } = model ?? {}
    const names = Object.keys(columns)
    const own: Record<string, string> = {
      unique_reference: `'B' || s.n`,
      email: `'bench' || s.n || '@bench.test'`,
      key_email: `'bench' || s.n || '@bench.test'`,
      sub_type: `'digital'`,
      sub_end_on: `'2100-01-01'`,
    }
    await db.run(
      `INSERT INTO readers (${names.join(', ')})
       WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < :readers)
       SELECT ${names.map((name) => own[name] ?? `r.${name}`).join(', ')} FROM readers r CROSS JOIN s WHERE r.id = :id`,
      { readers, id: Number(id) },
    )
    const cheap = await hash('masthead', { memoryCost: 8, timeCost: 1, parallelism: 1 })
    for (const [n, passwordHash] of [cheap, await hashPassword('masthead')].entries()) {
      const [buyer] = await db.query<{ id: number }>(
        `INSERT INTO buyers (publication_id, email, email_key, password_hash, token_version, last_login_at, created_at, updated_at)
         VALUES (:publicationId, :email, :email, :passwordHash, 0, :now, :now, :now) RETURNING id`,
        { publicationId, email: `bench${n + 1}@bench.test`, passwordHash, now: services.now() },
      )
      await db.run(
        `UPDATE readers SET buyer_id = :buyerId WHERE publication_id = :publicationId AND key_email = :email`,
        { buyerId: buyer?.id ?? 0, publicationId, email: `bench${n + 1}@bench.test` },
      )
    }
    if (db.dialect === 'postgres') await db.run('ANALYZE')
    const actor = await liveStaffActor(services, title?.publisher_id ?? 0)
    if (!actor) throw new Error('The demo publisher is gone')
    return (await makeApiKey(contextFor(services, actor, { entryPoint: 'test' }), { publicationId })).key
  } finally {
    await services.db.close()
  }
}

async function measure(name: string, databaseUrl: string): Promise<void> {
  const key = await fill(databaseUrl)
  const port = await freePort()
  const barePort = await freePort()
  const web = startBuilt({ DATA_DIR: folder, DATABASE_URL: databaseUrl, PORT: String(port), SEED: 'none' }, 'web')
  let bare: ChildProcess | undefined
  try {
    await waitForServer(`http://127.0.0.1:${port}/healthz`)
    bare = spawn(process.execPath, ['--import', 'tsx', 'tests/load/bare-json-server.ts', String(barePort)], {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await waitForServer(`http://127.0.0.1:${barePort}/`)
    const url = `http://127.0.0.1:${port}/api/thirdparty/checksubscriber`
    const body = { key, email: 'bench1@bench.test', password: 'masthead' }
    const answered = await (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json()
    if ((answered as { response?: string }).response !== 'success') throw new Error(JSON.stringify(answered))
    const cases = [
      { what: 'bare Express, JSON in and out', run: () => load(`http://127.0.0.1:${barePort}/`, body) },
      { what: 'check, with a hash that costs almost nothing', run: () => load(url, body) },
      { what: 'check, with a hash that costs almost nothing, one at a time', run: () => load(url, body, 1) },
      { what: 'check, argon2id', run: () => load(url, { ...body, email: 'bench2@bench.test' }) },
    ]
    const runs = cases.map(() => [] as Awaited<ReturnType<typeof load>>[])
    for (const { run } of cases) await run()
    for (let round = 0; round < rounds; round++)
      for (const [index, { run }] of cases.entries()) runs[index]?.push(await run())
    const rate = (index: number) => median((runs[index] ?? []).map(({ perSecond }) => perSecond))
    for (const [index, { what }] of cases.entries()) {
      const [p50, p99] = (['p50', 'p99'] as const).map((p) => median((runs[index] ?? []).map((run) => run[p])))
      const share = `${((100 * rate(index)) / rate(0)).toFixed(0)}%`
      say(`| ${name} | ${what} | ${rate(index).toFixed(0)} | ${share} | ${p50} | ${p99} |`)
    }
  } finally {
    await stop(web)
    bare?.kill()
  }
}

say(
  `${readers.toLocaleString('en-GB')} readers; ${rounds} rounds of ${seconds} s; load average at the start ${loadavg()[0]?.toFixed(1)}`,
)
say('\n| database | call | a second | of bare | median ms | p99 ms |')
say('|---|---|---|---|---|---|')
try {
  if (given.databases.includes('sqlite')) await measure('SQLite', `sqlite:${join(folder, 'bench.db')}`)
  if (given.databases.includes('postgres')) await onPostgres('partners', (url) => measure('PostgreSQL', url))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
