import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { access, constants, mkdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#core/database.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { type AppError, isAppError } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { PostgresConnection } from '#core/ports/bulk.ts'
import { newerMigrations, pendingMigrations } from './database/migrate.ts'
import { migrations } from './database/migrations/index.ts'
import { openDatabase } from './database/open-database.ts'
import { type Check, failed, messageOf, ok, warning } from './doctor-check.ts'
import {
  checkBounceMailbox,
  checkBounceReading,
  checkEmails,
  checkMail,
  checkMailDomain,
  checkOffersDomain,
  checkPublisherSenders,
  checkSpfInclude,
} from './doctor-emails.ts'
import { checkSealedSecrets } from './doctor-secrets.ts'
import { checkImageStore, checkQueue } from './doctor-services.ts'
import { checkImports, checkJobs, checkTasks } from './doctor-work.ts'
import { type Env, loadEnv } from './env.ts'
import { readSettings, type StoredSettings, type Variables } from './settings-files.ts'
import { hasSecrets, type ShownSetting, shownSettings } from './shown-settings.ts'
import { systemFailure } from './system-failure.ts'

/** The settings of an installation, as far as they can be read, and what is wrong with them. */
interface Installation {
  stored: StoredSettings
  env: Env | null
  problem: AppError | null
}

/** Reads the settings as the server does, and tolerates invalid ones. */
export function readInstallation(environment: Variables, flagFile: string | undefined): Installation {
  let stored: StoredSettings = { values: {}, from: {}, files: [] }
  try {
    stored = readSettings(environment, flagFile)
    return { stored, env: loadEnv(stored), problem: null }
  } catch (error) {
    if (!isAppError(error)) throw error
    return { stored, env: null, problem: error }
  }
}

/** Every setting of this installation; secrets are hidden. */
export function settingsOf({ stored, env }: Installation): ShownSetting[] {
  return shownSettings(stored, env)
}

/** The checks of ledger, senders, storefronts and imports. They are passed in, because the platform comes before these areas (`areas.json`). */
interface AreaChecks {
  /** The ids of publishers whose stored totals differ from their ledger's entries. */
  storedTotals(ctx: { db: Database }): Promise<number[]>
  /** Every publisher's own sender address, with what is wrong with it. */
  senders(ctx: { db: Database }): Promise<readonly { company: string; address: string; problems: readonly string[] }[]>
  /** The indexes of the readers that a killed import has dropped. */
  missingReaderIndexes(ctx: { db: Database }): Promise<string[]>
  /** The handles of storefronts whose address opens a page of Masthead. */
  unreachableHandles(ctx: { db: Database }): Promise<string[]>
  /** The figures of closed months that no longer match the ledger. */
  closedMonths(ctx: {
    db: Database
    settings: { timeZone: string }
  }): Promise<readonly { publisherId: number; month: string }[]>
}

/** Checks the installation, one finding after the other. Changes nothing and prints no secret. */
export async function* doctor({ stored, env, problem }: Installation, areas: AreaChecks): AsyncGenerator<Check> {
  yield checkNode(process.versions.node)
  if (!env) {
    yield failed('Settings', problem?.message ?? '', problem?.hint ?? 'See docs/operating.md')
    return
  }
  yield checkSettings(env, stored)
  yield* checkSecretFiles(stored)
  yield* checkDatabase(env, areas)
  yield await checkFolder(env.dataDir)
  yield await checkImageStore(env)
  yield await checkQueue(env)
  yield await checkMail(env)
  for (const check of [await checkMailDomain(env), await checkOffersDomain(env), await checkSpfInclude(env)])
    if (check) yield check
  const bounces = await checkBounceMailbox(env)
  if (bounces) yield bounces
  yield checkPlanBilling(env)
  yield checkZone(env)
}

/** Node 20.19, 22.13, 24 or newer. */
function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major >= 24
  return isSupported
    ? ok('Node', version)
    : failed('Node', `${version} is too old`, 'Install Node 20.19, 22.13, 24 or newer')
}

function checkSettings(env: Env, { values, files }: StoredSettings): Check {
  const from = files.length > 0 ? `; read ${files.join(', ')}` : '; no settings file'
  if (!env.isProduction) {
    const secret = values.APP_SECRET
      ? 'APP_SECRET is set'
      : `a generated secret is kept in ${join(env.dataDir, 'app-secret')}`
    return ok('Settings', `${values.NODE_ENV ?? 'development'}; ${secret}${from}`)
  }
  if (env.appUrl.startsWith('http://localhost')) {
    return warning(
      'Settings',
      'production, but links in emails lead to localhost',
      'Set APP_URL to the address of this installation',
    )
  }
  return ok('Settings', `production; ${env.appUrl}${from}`)
}

/** Files with secrets may be read only by the user of the service. */
function* checkSecretFiles(stored: StoredSettings): Generator<Check> {
  for (const file of stored.files) {
    if (process.platform !== 'win32' && hasSecrets(stored, file) && isReadableByAll(file))
      yield warning('Settings', `everybody on this machine can read the secrets in ${file}`, `chmod 600 ${file}`)
  }
}

function isReadableByAll(file: string): boolean {
  return (statSync(file).mode & 0o004) !== 0
}

async function* checkDatabase(env: Env, areas: AreaChecks): AsyncGenerator<Check> {
  const file = env.databaseUrl.startsWith('sqlite:') ? env.databaseUrl.slice('sqlite:'.length) : undefined
  if (file && !existsSync(file)) {
    yield failed('Database', `SQLite, ${file} does not exist yet`, 'subscriptions migrate')
    return
  }
  let db: Database
  try {
    db = await openDatabase(env.databaseUrl)
  } catch (error) {
    yield failed('Database', messageOf(error), (isAppError(error) && error.hint) || 'Check DATABASE_URL')
    return
  }
  try {
    yield ok('Database', await describeDatabase(db, file, env.databaseUrl))
    if (file && process.platform !== 'win32' && isReadableByAll(file))
      yield warning('Database', `everybody on this machine can read ${file}`, `chmod 600 ${file}`)
    if (db.dialect === 'postgres') yield await checkPooler(db)
    const pending = await pendingMigrations(db)
    if (pending.length > 0) {
      yield failed(
        'Migrations',
        `${pending.length} of ${migrations.length} missing: ${pending.join(', ')}`,
        'subscriptions migrate',
      )
      return
    }
    const newer = await newerMigrations(db)
    yield newer === null
      ? ok('Migrations', `${migrations.length} of ${migrations.length}`)
      : warning('Migrations', newer, 'Install that version again, or restore the backup from before it')
    yield await checkJobs(db)
    yield await checkEmails(db)
    const reading = await checkBounceReading(db, env, new Date())
    if (reading) yield reading
    yield await checkTasks(db)
    yield await checkImports(db)
    yield await checkReaderIndexes(db, areas)
    yield await checkSealedSecrets(db, env)
    yield await checkPayments(db, env)
    yield await checkStoredTotals(db, areas)
    yield await checkClosedMonths(db, env, areas)
    yield await checkHandles(db, areas)
    for (const check of await checkPublisherSenders(areas.senders({ db }))) yield check
    yield await checkClock(db)
  } catch (error) {
    yield failed(
      'Database',
      messageOf(error),
      'Run subscriptions doctor again; if the problem persists, see docs/operating.md',
    )
  } finally {
    await db.close().catch(() => {})
  }
}

async function describeDatabase(db: Database, file: string | undefined, url: string): Promise<string> {
  const [row] = await db.query<{ version: string }>(
    db.dialect === 'postgres'
      ? `SELECT current_setting('server_version') AS version`
      : 'SELECT sqlite_version() AS version',
  )
  if (file) return `SQLite ${row?.version}, ${file}`
  const { hostname, port, pathname } = new URL(url)
  return `PostgreSQL ${row?.version}, ${pathname.slice(1)} on ${hostname}:${port || '5432'}`
}

/** Temporary tables and locks belong to a session of the server: each connection needs its own. */
async function checkPooler(db: Database): Promise<Check> {
  return (await sharesSessions(db))
    ? failed(
        'Pooler',
        'connections share sessions of the server (transaction mode): imports and index builds fail',
        'Set the pooler to session mode (PgBouncer: pool_mode = session), or set DATABASE_URL to PostgreSQL itself',
      )
    : ok('Pooler', 'none, or in session mode')
}

/**
 * Whether a connection moves between server processes, or shares one with another open connection. The second connection holds a transaction open
 * during the check, so that an otherwise idle pooler cannot give the first one the same process each time.
 */
async function sharesSessions({ bulk }: Database): Promise<boolean> {
  const first = await bulk.postgres()
  try {
    const second = await bulk.postgres()
    try {
      const firstProcess = await serverProcess(first)
      for (let round = 0; round < 5; round++) {
        await second.query('BEGIN')
        // In this order: a pooler with a single session has none left for the first connection now.
        if ((await serverProcess(second)) === firstProcess || (await serverProcess(first)) !== firstProcess) return true
        await second.query('COMMIT')
      }
      return false
    } finally {
      await second.release()
    }
  } finally {
    await first.release()
  }
}

async function serverProcess(connection: PostgresConnection): Promise<number | undefined> {
  const { rows } = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}

async function checkPayments(db: Database, env: Env): Promise<Check> {
  const [row] = await db.query<{ demo: number; without: number }>(
    `SELECT COALESCE(SUM(CASE WHEN a.takes_demo_payments THEN 1 ELSE 0 END), 0) AS demo,
            COALESCE(SUM(CASE WHEN a.takes_demo_payments OR a.stripe_secret_key IS NOT NULL OR a.paypal_secret IS NOT NULL
                                OR a.secure_trading_password IS NOT NULL THEN 0 ELSE 1 END), 0) AS without
     FROM accounts a
     WHERE EXISTS (SELECT 1 FROM publications p WHERE p.publisher_id = a.user_id AND p.removed_at IS NULL AND NOT p.is_example)`,
  )
  const demo = Number(row?.demo)
  const without = Number(row?.without)
  if (env.isProduction && env.allowsDemoPayments) {
    return warning(
      'Payments',
      'demo payments are allowed in production: nobody is charged',
      'Remove ALLOW_DEMO_PAYMENTS',
    )
  }
  if (env.isProduction && demo > 0) {
    return warning(
      'Payments',
      `${countOf(demo, 'publisher')} set to demo payments, which production refuses`,
      'Enter payment keys in My Account',
    )
  }
  if (without > 0)
    return warning(
      'Payments',
      `${countOf(without, 'publisher')} cannot take payments yet`,
      'Enter payment keys in My Account',
    )
  return ok('Payments', demo > 0 ? `demo payments for ${countOf(demo, 'publisher')}` : 'every publisher can be paid')
}

/** A big import drops indexes while it runs. If it was killed, readers are found slowly until the indexes are built again. */
async function checkReaderIndexes(db: Database, areas: AreaChecks): Promise<Check> {
  const missing = await areas.missingReaderIndexes({ db })
  return missing.length === 0
    ? ok('Indexes', 'the readers have all their indexes, or an import builds them at its end')
    : warning(
        'Indexes',
        `${countOf(missing.length, 'index', 'indexes')} of the readers missing since an import was killed: searches and orders are slow`,
        'subscriptions migrate',
      )
}

/** Compares the stored totals of the ledger with its entries, in one query. */
async function checkStoredTotals(db: Database, areas: AreaChecks): Promise<Check> {
  const wrong = await areas.storedTotals({ db })
  return wrong.length === 0
    ? ok('Ledger', 'the stored totals agree with the entries')
    : failed(
        'Ledger',
        `the stored totals of ${countOf(wrong.length, 'publisher')} differ from the entries`,
        'subscriptions ledger verify, then with --repair',
      )
}

async function checkClosedMonths(db: Database, { timeZone }: Env, areas: AreaChecks): Promise<Check> {
  const wrong = await areas.closedMonths({ db, settings: { timeZone } })
  const months = new Set(wrong.map(({ publisherId, month }) => `${publisherId} ${month}`)).size
  return months === 0
    ? ok('Months', 'the frozen figures of closed months match the ledger')
    : failed(
        'Months',
        `the frozen figures of ${countOf(months, 'closed month')} do not match the ledger`,
        'subscriptions ledger verify says which; reopen the month and close it again',
      )
}

/** A page that a new version adds may have the same address as an existing shop. */
async function checkHandles(db: Database, areas: AreaChecks): Promise<Check> {
  const hidden = await areas.unreachableHandles({ db })
  return hidden.length === 0
    ? ok('Handles', 'no storefront is hidden by a page of Masthead')
    : failed(
        'Handles',
        `${countOf(hidden.length, 'storefront')} cannot be opened: Masthead itself uses ${hidden.map((handle) => `/${handle}`).join(', ')}`,
        `subscriptions publications rename ${hidden[0]} NEW-HANDLE`,
      )
}

/** Leases and sessions compare times of several machines: the clocks have to agree. */
async function checkClock(db: Database): Promise<Check> {
  const now = new Date()
  if (now.getFullYear() < 2025) return failed('Clock', `says ${now.toISOString()}`, 'Set the clock of this machine')
  if (db.dialect !== 'postgres') return ok('Clock', now.toISOString())
  const [row] = await db.query<{ ms: number }>('SELECT EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS ms')
  const seconds = Math.round(Math.abs(Number(row?.ms) - Date.now()) / 1000)
  return seconds > 5
    ? warning(
        'Clock',
        `differs from the database server’s by ${countOf(seconds, 'second')}`,
        'Synchronise both clocks by NTP',
      )
    : ok('Clock', `${now.toISOString()}, as on the database server`)
}

const gibibyte = 2 ** 30

async function checkFolder(dataDir: string): Promise<Check> {
  const probe = join(dataDir, `.doctor-${randomBytes(6).toString('hex')}`)
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.W_OK)
    // A full disk leaves an empty file.
    await writeFile(probe, 'x').finally(() => rm(probe, { force: true }).catch(() => {}))
  } catch (error) {
    const refused = systemFailure(error, dataDir)
    return failed(
      'Data folder',
      refused?.message ?? `${dataDir} cannot be written: ${messageOf(error)}`,
      refused?.hint ?? 'Give the user that runs Masthead permission to write it, or set DATA_DIR',
    )
  }
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const found = `${dataDir}, ${(free / gibibyte).toFixed(1)} GiB free`
  if (free < gibibyte / 10) return failed('Data folder', found, 'Make room: imports and uploads will fail')
  return free < gibibyte ? warning('Data folder', found, 'Make room before a large import') : ok('Data folder', found)
}

function checkPlanBilling({ planStripeKeys, isProduction, appUrl }: Env): Check {
  const fix = 'Set PLATFORM_STRIPE_SECRET_KEY and PLATFORM_STRIPE_PUBLISHABLE_KEY'
  if (!planStripeKeys)
    return isProduction
      ? warning('Publisher plans', 'no Stripe keys: publishers cannot sign up', fix)
      : ok('Publisher plans', 'demo payments: publishers sign up and nobody is charged')
  const isTest = planStripeKeys.secretKey.includes('_test_')
  if (isTest && isProduction)
    return warning('Publisher plans', 'Stripe test keys in production: nobody is charged', fix)
  return planStripeKeys.webhookSecret === null
    ? warning(
        'Publisher plans',
        `Stripe, ${isTest ? 'test' : 'live'} keys; Stripe cannot report what happens to plans`,
        `Add a webhook to ${appUrl}/api/webhooks/stripe in the Stripe dashboard and set PLATFORM_STRIPE_WEBHOOK_SECRET`,
      )
    : ok('Publisher plans', `Stripe, ${isTest ? 'test' : 'live'} keys`)
}

function checkZone({ timeZone }: Env): Check {
  return ok('Time zone', `${timeZone}, today is ${formatDay(dayOf(new Date(), timeZone))}`)
}
