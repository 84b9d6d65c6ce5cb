import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices } from '#core/platform/make-services.ts'
import { seedDemo } from '#core/seed/seed-demo.ts'
import { addPublication, onPostgres } from './bench-database.ts'
import { say } from './printed.ts'
import { writeReaderFile } from './reader-file-generator.ts'
import { benchSecret, freePort, logIn, median, percentile, startBuilt, stop, waitForServer } from './served.ts'

/**
 * How another publisher's import affects staff and buyers: one visitor who opens a page every fifth of a second, before the
 * import and during it, on one server that is web and worker in one.
 *   npm run bench -- during-import --rows 1000000 --databases sqlite,postgres
 */
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    cli: { type: 'string', default: 'dist/cli.js' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
const pauseMs = 200

/** Opens the pages one after the other until `until`; returns the time of each to its last byte, in ms. */
async function visit(pages: { name: string; url: string; cookie: string }[], until: Promise<unknown>) {
  const times = new Map(pages.map(({ name }) => [name, [] as number[]]))
  let isOver = false
  void until.finally(() => {
    isOver = true
  })
  for (let turn = 0; !isOver; turn++) {
    const page = pages[turn % pages.length] as (typeof pages)[number]
    const started = performance.now()
    const response = await fetch(page.url, { headers: { cookie: page.cookie }, redirect: 'manual' })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${page.url} answered ${response.status}`)
    times.get(page.name)?.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return times
}

function importFile(file: string, env: NodeJS.ProcessEnv): Promise<number> {
  const args = [
    given.cli,
    'import',
    file,
    '--publication',
    'bench',
    '--quiet',
    '--rejects',
    join(folder, 'rejects.csv'),
  ]
  const started = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      if (code === 0 || code === 3) resolve((performance.now() - started) / 1000)
      else reject(new Error(`The import ended with ${code}`))
    })
  })
}

async function benchOn(database: string, storage: Record<string, string>, file: string): Promise<void> {
  const env = { ...process.env, SEED: 'none', LOG_LEVEL: 'warn', APP_SECRET: benchSecret, REDIS_URL: '', ...storage }
  const services = await makeServices(readEnv(env))
  await migrate(services.db)
  await seedDemo(services)
  await addPublication(services, 'bench')
  await services.db.close()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = startBuilt({ ...storage, PORT: String(port), SEED: 'none', APP_URL: url })
  try {
    await waitForServer(`${url}/harbour-light`)
    const cookie = await logIn(url, '/login', 'publisher@demo.masthead.test')
    const pages = [
      { name: 'storefront', url: `${url}/harbour-light`, cookie: '' },
      { name: 'storefront, rendered', url: `${url}/harbour-light?rendered=1`, cookie: '' },
      { name: 'readers', url: `${url}/readers`, cookie },
      { name: 'sales ledger', url: `${url}/payments`, cookie },
    ]
    for (const page of pages) await fetch(page.url, { headers: { cookie: page.cookie } })
    const quiet = await visit(pages, new Promise((resolve) => setTimeout(resolve, 12_000)))
    const importing = importFile(file, env)
    const busy = await visit(pages, importing)
    const all = [...busy.values()].flat()
    for (const { name } of [...pages, { name: 'all pages' }]) {
      const before = quiet.get(name) ?? [...quiet.values()].flat()
      const times = busy.get(name) ?? all
      const cells = [
        median(before),
        percentile(before, 0.95),
        median(times),
        percentile(times, 0.95),
        Math.max(...times),
      ]
      say(`| ${[database, name, ...cells.map((ms) => ms.toFixed(0)), times.length].join(' | ')} |`)
    }
    say(`| ${database} | (the import: ${(await importing).toFixed(1)} s) | | | | | | |`)
  } finally {
    await stop(server)
  }
}

try {
  const file = join(folder, 'readers.csv')
  await writeReaderFile(file, Number(given.rows))
  say(`### Pages of a publisher while another imports ${Number(given.rows).toLocaleString('en-GB')} readers\n`)
  say(
    '| database | page | median ms before | p95 | median ms meanwhile | p95 | slowest | visits |\n|---|---|---|---|---|---|---|---|',
  )
  if (given.databases.includes('sqlite')) await benchOn('SQLite', { DATA_DIR: folder, DATABASE_URL: '' }, file)
  if (given.databases.includes('postgres'))
    await onPostgres('import', (url) =>
      benchOn('PostgreSQL', { DATA_DIR: join(folder, 'postgres'), DATABASE_URL: url }, file),
    )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
