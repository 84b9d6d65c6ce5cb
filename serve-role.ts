import { setFlagsFromString } from 'node:v8'
import { ensureReaderIndexes } from '#core/imports/load/indexes.ts'
import { AppError, toAppError } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { migrate, newerMigrations, pendingMigrations } from '#core/platform/database/migrate.ts'
import { type Env, loadEnv } from '#core/platform/env.ts'
import { beginLifetime } from '#core/platform/lifetime.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { readSettings } from '#core/platform/settings-files.ts'
import type { Role } from '#core/platform/supervise.ts'
import { systemFailure } from '#core/platform/system-failure.ts'
import { demoAccounts, isEmpty, seedDemo } from '#core/seed/seed-demo.ts'

const log = (text: string) => process.stdout.write(`${text}\n`)

/** Brings an installation up: schema, demo data where it is wanted and the database is empty. */
async function prepare(services: Running, env: Env, role: Role): Promise<void> {
  if (role !== 'all') {
    const pending = await pendingMigrations(services.db)
    if (pending.length === 0) return warnOfNewerMigrations(services)
    throw new AppError('unavailable', `The database lacks ${countOf(pending.length, 'migration')}`, {
      hint: 'Run: npx subscriptions migrate',
    })
  }
  const run = await migrate(services.db)
  if (run.length > 0) log(`Database ready (${countOf(run.length, 'migration')})`)
  await warnOfNewerMigrations(services)
  await ensureReaderIndexes(services.db)
  if (env.seed === 'demo' && (await isEmpty(services.db))) {
    log('Creating the demo publisher with three magazines ...')
    await seedDemo(services)
  }
}

async function warnOfNewerMigrations({ db, log }: Running): Promise<void> {
  const newer = await newerMigrations(db)
  if (newer !== null) log.warn({}, newer)
}

async function main(role: Role): Promise<void> {
  // By default V8 lets the heap grow to several times the live data before a full collection (docs/performance.md). No user waits for a worker, so
  // it trades some processor time for memory. A V8 that does not know the flag prints an error and continues.
  if (role === 'worker') setFlagsFromString('--heap-growing-percent=50')
  const env = loadEnv(readSettings())
  const services = await makeServices(env)
  const lifetime = beginLifetime(services.log)
  lifetime.atEnd(() => services.db.close())

  await prepare(services, env, role)
  const lines: string[] = []
  // Each role loads only its own half: the other one would only take memory.
  if (role !== 'worker') {
    const { startWeb } = await import('#web/server.ts')
    const web = await startWeb(services, env)
    lifetime.atEnd(web.stop)
    lines.push(`Masthead is at ${web.url}`)
  }
  if (role !== 'web') {
    const { startWorker } = await import('#worker/main.ts')
    const loop = await startWorker(services, env)
    lifetime.atEnd(loop.stop)
    if (role === 'worker') lines.push(`The worker is running (${env.redisUrl ? 'Bull on Redis' : 'embedded queue'})`)
  }
  if (role === 'all' && env.seed === 'demo' && !env.isProduction) {
    lines.push(await demoAccounts(services, env), 'Stop with Ctrl-C')
  }
  // The parent is notified first: it does not restart a process that ends before it is ready, so readiness must not be visible to others earlier.
  lifetime.ready()
  for (const line of lines) log(line)
}

// `serve.ts` starts this file and has validated the role.
main(process.argv[2] as Role).catch((thrown: unknown) => {
  const error = systemFailure(thrown) ?? toAppError(thrown)
  process.stderr.write(`error: ${error.kind === 'bug' ? String((thrown as Error)?.stack ?? thrown) : error.message}\n`)
  if (error.hint) process.stderr.write(`fix: ${error.hint}\n`)
  process.exit(1)
})
