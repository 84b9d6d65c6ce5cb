import { existsSync } from 'node:fs'
import { can } from '#core/access/permissions.ts'
import { type AppContext, contextFor, type Log } from '#core/context.ts'
import { denied, isAppError } from '#core/kernel/errors.ts'
import { pendingMigrations } from '#core/platform/database/migrate.ts'
import { type Env, loadEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { readSettings } from '#core/platform/settings-files.ts'
import { findStaffActor } from '#core/users/find-staff-actor.ts'
import { CliError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'

/** The core as one command sees it. */
export interface Session {
  ctx: AppContext
  services: Running
  env: Env
}

interface Request {
  /** The email of the user whose rights the command is narrowed to. */
  as?: string
  /** `migrate` alone works on a database that is not there yet or lags behind. */
  needsSchema?: boolean
}

/** A command reads most pages once: more of them kept made none faster, and what moves many rows has handles of its own. */
const cacheKiB = 8192

/**
 * Opens the core for one command and closes it again. The rights are the machine operator's, or with --as that user's.
 * This file loads the database drivers: actions import it when they run.
 */
export async function withSession<Result>(
  cliOutput: CliOutput,
  request: Request,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const env = settings(cliOutput)
  const needsSchema = request.needsSchema ?? true
  const file = sqliteFile(env)
  // Opening would make an empty file where the address is mistyped.
  if (needsSchema && file && !existsSync(file)) {
    throw new CliError(
      'notConfigured',
      'missing',
      `There is no database at ${file} yet`,
      'make it: subscriptions migrate (or start the product: npm start)',
    )
  }
  cliOutput.step(`database: ${env.databaseUrl.replace(/\/\/([^:/@]+):[^@]*@/, '//$1:***@')}`)
  const services = await makeServices(env, { log: quietLog(cliOutput), cacheKiB })
  try {
    if (needsSchema) await checkSchema(services)
    const operator = contextFor(services, { kind: 'operator' }, { entryPoint: 'cli' })
    const ctx =
      request.as === undefined
        ? operator
        : { ...operator, actor: await findStaffActor(operator, { email: request.as }) }
    return await work({ ctx, services, env })
  } finally {
    await services.db.close().catch(() => {})
  }
}

/** For what is no use-case of its own: the operator's work on the installation itself. */
export function operatorOnly({ actor }: AppContext): void {
  if (!can(actor, 'machine:operate')) throw denied('This command works on the whole installation: leave out --as')
}

/** The file of a SQLite database; undefined for a server. */
export function sqliteFile({ databaseUrl }: Env): string | undefined {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined
}

/** The settings, or what is wrong with them as "not configured". */
export function settings({ io, flags }: CliOutput): Env {
  try {
    return loadEnv(readSettings(io.env, flags.settings))
  } catch (error) {
    // A full disk is no wrong setting.
    if (!isAppError(error) || error.kind === 'unavailable') throw error
    throw new CliError(
      'notConfigured',
      'missing',
      error.message,
      error.hint ?? 'see docs/operating.md, then check with: subscriptions doctor',
    )
  }
}

async function checkSchema({ db }: Running): Promise<void> {
  const pending = await pendingMigrations(db)
  if (pending.length === 0) return
  const what = pending.length === 1 ? 'a migration' : `${pending.length} migrations`
  throw new CliError('notConfigured', 'missing', `The database lacks ${what} of this version`, 'subscriptions migrate')
}

/** What the core logs is for operators of a server; here it is a step, shown under --verbose. */
function quietLog(cliOutput: CliOutput): Log {
  const tell = (fields: object, message: string) => {
    const facts = Object.entries(fields).map(
      ([name, value]) => `${name}=${value instanceof Error ? value.message : String(value)}`,
    )
    cliOutput.step([message, ...facts].join(' '))
  }
  return { info: tell, warn: tell, error: tell }
}
