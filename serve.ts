import { AppError, toAppError } from '#core/kernel/errors.ts'
import { migrate, pendingMigrations } from '#core/platform/database/migrate.ts'
import { ensureReaderIndexes } from '#core/platform/database/reader-indexes.ts'
import { type Env, readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { demoAccounts, isEmpty, seedDemo } from '#core/seed/seed-demo.ts'
import { startWeb } from '#web/server.ts'
import { startWorker } from '#worker/main.ts'

/** `all` is a whole installation in one process; `web` and `worker` are the Procfile's, after its `release` has migrated. */
const roles = ['all', 'web', 'worker'] as const
type Role = (typeof roles)[number]

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Brings an installation up: schema, demo data where it is wanted and the database is empty. */
async function prepare(services: Running, env: Env, role: Role): Promise<void> {
  if (role !== 'all') {
    const pending = await pendingMigrations(services.db)
    if (pending.length === 0) return
    throw new AppError('unavailable', `The database lacks ${pending.length} migrations`, {
      hint: 'Run: npx subscriptions migrate',
    })
  }
  const run = await migrate(services.db)
  if (run.length > 0) say(`Database ready (${run.length} migrations)`)
  await ensureReaderIndexes(services.db)
  if (env.seed === 'demo' && (await isEmpty(services.db))) {
    say('Making the demo publisher with three magazines ...')
    await seedDemo(services)
  }
}

async function main(role: Role): Promise<void> {
  const env = readEnv()
  const services = await makeServices(env)
  let stopping: Promise<void> | undefined
  const stops: (() => Promise<unknown>)[] = []

  const stop = (signal: string) => {
    if (stopping) process.exit(130)
    services.log.info({ signal }, 'stopping')
    // A request or a job that hangs does not hold the process for ever.
    setTimeout(() => process.exit(1), 15_000).unref()
    stopping = (async () => {
      for (const step of stops) await step()
      await services.db.close()
    })().catch((error: unknown) => {
      services.log.error({ error }, 'stopping failed')
      process.exitCode = 1
    })
  }
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('SIGTERM', () => stop('SIGTERM'))

  await prepare(services, env, role)
  if (role !== 'worker') {
    const web = await startWeb(services, env)
    stops.push(web.stop)
    say(`Masthead is at ${web.url}`)
  }
  if (role !== 'web') {
    const drain = await startWorker(services, env)
    stops.push(drain.stop)
    if (role === 'worker') say(`The worker is running (${env.redisUrl ? 'Bull on Redis' : 'embedded queue'})`)
  }
  if (role === 'all' && env.seed === 'demo' && !env.isProduction) {
    say(await demoAccounts(services, env))
    say('Stop with Ctrl-C')
  }
}

const role = (process.argv[2] ?? 'all') as Role
if (roles.includes(role)) {
  main(role).catch((thrown: unknown) => {
    const error = toAppError(thrown)
    process.stderr.write(
      `error: ${error.kind === 'bug' ? String((thrown as Error)?.stack ?? thrown) : error.message}\n`,
    )
    if (error.hint) process.stderr.write(`fix: ${error.hint}\n`)
    process.exit(1)
  })
} else {
  process.stderr.write(`error: "${role}" is not a role\nfix: use one of ${roles.join(', ')}\n`)
  process.exit(2)
}
