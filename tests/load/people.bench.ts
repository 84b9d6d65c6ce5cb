import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hashPassword } from '#core/access/passwords.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { seedDemo } from '#core/seed/seed-demo.ts'
import { onPostgres } from './bench-database.ts'
import { say } from './printed.ts'
import { benchSecret, freePort, logIn, median, startBuilt, stop, waitForServer } from './served.ts'

/**
 * Log-in, including argon2id hashing, and the user screens, with 10,000 users in the database. Requests are sequential, so that
 * the times exclude queueing.
 *   npm run bench -- people --users 10000 --databases sqlite,postgres
 */
const { values: given } = parseArgs({
  options: {
    users: { type: 'string', default: '10000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string', default: '30' },
  },
})
const users = Number(given.users)
const rounds = Number(given.rounds)
const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))

/** Every tenth user is a publisher of the reseller; the others are staff of the demo publisher. */
async function fill({ db, now }: Running): Promise<{ publisherId: number; staffId: number }> {
  const passwordHash = await hashPassword('masthead')
  const idOf = async (userType: string) =>
    (
      await db.query<{ id: number }>(`SELECT id FROM users WHERE user_type = :userType ORDER BY id LIMIT 1`, {
        userType,
      })
    )[0]?.id ?? 0
  const publisherId = await idOf('publisher')
  const resellerId = await idOf('reseller')
  await db.transaction(async () => {
    for (let n = 0; n < users; n++) {
      const isPublisher = n % 10 === 0
      const email = `person${n}@bench.test`
      await db.run(
        `INSERT INTO users (user_type, email, email_key, first_name, last_name, password_hash, parent_publisher_id, reseller_id, created_at, updated_at)
         VALUES (:userType, :email, :email, :firstName, :lastName, :passwordHash, :parent, :reseller, :now, :now)`,
        {
          userType: isPublisher ? 'publisher' : (['pubadmin', 'admin', 'mailer'][n % 3] ?? ''),
          email,
          firstName: ['Ann', 'Bea', 'Cy', 'Dov'][n % 4] ?? '',
          lastName: `Person ${n}`,
          passwordHash,
          parent: isPublisher ? null : publisherId,
          reseller: isPublisher ? resellerId : null,
          now: now(),
        },
      )
    }
    await db.run(
      `INSERT INTO accounts (user_id, company_name, created_at, updated_at)
       SELECT u.id, 'Company of ' || u.last_name, :now, :now FROM users u
       WHERE u.user_type = 'publisher' AND u.id NOT IN (SELECT user_id FROM accounts)`,
      { now: now() },
    )
  })
  return { publisherId, staffId: await idOf('mailer') }
}

interface Session {
  url: string
  cookie: string
}

async function timesOf(times: number, work: (round: number) => Promise<unknown>): Promise<number[]> {
  const durations: number[] = []
  for (let round = 0; round < times + 5; round++) {
    const started = performance.now()
    await work(round)
    if (round >= 5) durations.push(performance.now() - started)
  }
  return durations
}

const row = (what: string, durations: number[]) =>
  say(`| ${what} | ${median(durations).toFixed(1)} | ${(durations.toSorted((a, b) => a - b).at(-2) ?? 0).toFixed(1)} |`)

async function page({ url, cookie }: Session, path: string): Promise<void> {
  const response = await fetch(url + path, { redirect: 'manual', headers: { cookie } })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.headers.get('location') ?? ''}`)
}

async function bench(database: string, databaseUrl: string): Promise<void> {
  const dataDir = join(folder, database)
  const services = await makeServices(
    readEnv({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, APP_SECRET: benchSecret, LOG_LEVEL: 'silent' }),
  )
  await migrate(services.db)
  await seedDemo(services)
  const { publisherId, staffId } = await fill(services)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = startBuilt({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    SEED: 'none',
    APP_URL: url,
  })
  try {
    await waitForServer(`${url}/login`)
    say(`\n### People, ${database}, ${users.toLocaleString('en-GB')} users, ${rounds} requests each in turn\n`)
    say('| what | median ms | second slowest ms |\n|---|---|---|')
    row(
      'log-in, including argon2id',
      await timesOf(rounds, (round) => logIn(url, '/login', `person${round + 1}@bench.test`)),
    )
    // The number of attempts per address is limited: pages are requested with sessions created after the counters are cleared.
    await services.db.run(`DELETE FROM rate_limits`)
    const superuser = { url, cookie: await logIn(url, '/slogin', 'super@demo.masthead.test') }
    const publisher = { url, cookie: await logIn(url, '/login', 'publisher@demo.masthead.test') }
    const screens: [string, Session, string][] = [
      ['/users, superuser, everybody', superuser, '/users'],
      ['/users?q=person 77, superuser', superuser, '/users?q=person%2077'],
      ['/users, publisher, 9,000 of its own', publisher, '/users'],
      ['/users, last page', publisher, '/users?page=90&size=100'],
      ['/adduser', publisher, '/adduser'],
      ['/edituser/{id}', publisher, `/edituser/${staffId}`],
      ['/edituser/{publisher}, superuser', superuser, `/edituser/${publisherId}`],
      ['/publishers, superuser, 1,000', superuser, '/publishers'],
      ['/addpublisher', superuser, '/addpublisher'],
      ['/account', publisher, '/account'],
      ['/account/two-step', publisher, '/account/two-step'],
      ['/account/activity', publisher, '/account/activity'],
      ['/login', { url, cookie: '' }, '/login'],
      ['/forgot', { url, cookie: '' }, '/forgot'],
    ]
    for (const [what, session, path] of screens) row(what, await timesOf(rounds, () => page(session, path)))
  } finally {
    await stop(child)
    await services.db.close()
  }
}

try {
  const wanted = given.databases.split(',')
  if (wanted.includes('sqlite')) await bench('sqlite', `sqlite:${join(folder, 'sqlite.db')}`)
  if (wanted.includes('postgres')) await onPostgres('people', (url) => bench('postgres', url))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
