import { existsSync } from 'node:fs'
import { can } from '#core/access/permissions.ts'
import { type AppContext, contextFor, type Log } from '#core/context.ts'
import { denied, isAppError } from '#core/kernel/errors.ts'
import { maskPasswords } from '#core/kernel/mask-passwords.rules.ts'
import { pendingMigrations } from '#core/platform/database/migrate.ts'
import { type Env, loadEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { readSettings } from '#core/platform/settings-files.ts'
import { findStaffActor } from '#core/users/find-staff-actor.ts'
import { CliError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'

/** The core, opened for one command. */
export interface Session {
  ctx: AppContext
  services: Running
  env: Env
}

interface SessionOptions {
  /** The email of the user with whose permissions the command runs. */
  as?: string
  /** False for `migrate` alone, which works on a missing or outdated database. */
  needsSchema?: boolean
}

/** A command reads most pages once, so a larger cache does not help; bulk work has its own connections. */
const cacheKiB = 8192

/**
 * Opens the core for one command and closes it again. The permissions are the operator's, or with --as that user's.
 * This file loads the database drivers: actions import it when they run.
 */
export async function withSession<Result>(
  cliOutput: CliOutput,
  options: SessionOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const env = loadSettings(cliOutput)
  const needsSchema = options.needsSchema ?? true
  const file = sqliteFile(env)
  // Opening would create an empty file if the address is mistyped.
  if (needsSchema && file && !existsSync(file)) {
    throw new CliError(
      'notConfigured',
      'missing',
      `There is no database at ${file} yet`,
      'create it: subscriptions migrate (or start the product: npm start)',
    )
  }
  cliOutput.step(`database: ${maskPasswords(env.databaseUrl)}`)
  const services = await makeServices(env, { log: quietLog(cliOutput), cacheKiB })
  try {
    if (needsSchema) await checkSchema(services)
    const operator = contextFor(services, { kind: 'operator' }, { entryPoint: 'cli' })
    const ctx =
      options.as === undefined
        ? operator
        : { ...operator, actor: await findStaffActor(operator, { email: options.as }) }
    return await work({ ctx, services, env })
  } finally {
    await services.db.close().catch(() => {})
  }
}

/** For commands that run no use case: only the operator may work on the installation itself. */
export function operatorOnly({ actor }: AppContext): void {
  if (!can(actor, 'machine:operate')) throw denied('This command works on the whole installation: leave out --as')
}

/** The file of a SQLite database; undefined for a server. */
export function sqliteFile({ databaseUrl }: Env): string | undefined {
  return databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined
}

/** The settings; throws `notConfigured` if they are invalid. */
export function loadSettings({ io, flags }: CliOutput): Env {
  try {
    return loadEnv(readSettings(io.env, flags.settings))
  } catch (error) {
    // A full disk is not an invalid setting.
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

/** Shows the log lines of the core as steps, under --verbose. */
function quietLog(cliOutput: CliOutput): Log {
  const log = (fields: object, message: string) => {
    const facts = Object.entries(fields).map(
      ([name, value]) => `${name}=${value instanceof Error ? value.message : String(value)}`,
    )
    cliOutput.step([message, ...facts].join(' '))
  }
  return { info: log, warn: log, error: log }
}
