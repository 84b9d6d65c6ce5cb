import { type AppError, errorKinds, isAppError } from '#core/kernel/errors.ts'
import { maskPasswords } from '#core/kernel/mask-passwords.rules.ts'
import { shortened } from '#core/kernel/text-format.ts'
import { systemFailure } from '#core/platform/system-failure.ts'
import { CliError, exitCodes } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import { write } from './io.ts'
import { printable } from './style.ts'

/** A failure: shown to people as `error:` and `fix:`, to scripts as `{"error":{"code","message","hint"}}`. */
interface Failure {
  code: string
  message: string
  hint?: string
  fields?: Record<string, string>
  exit: number
}

interface KnownFailure {
  code: string
  exit: keyof typeof exitCodes
  message: string
  hint: string
}

const databaseUnavailable: KnownFailure = {
  code: 'databaseGone',
  exit: 'failed',
  message: 'The database is no longer responding',
  hint: 'see what is wrong: subscriptions doctor. Then run the same command again; what was committed is kept.',
}

const databaseUnopened: KnownFailure = {
  code: 'databaseUnopened',
  exit: 'failed',
  message: 'The database file cannot be opened',
  hint: 'give the user that runs this command permission to read and write DATA_DIR and the files in it',
}

const diskFull: KnownFailure = {
  code: 'diskFull',
  exit: 'failed',
  message: 'The disk is full',
  hint: 'make room (df -h shows where), then run the same command again',
}

const notMigrated: KnownFailure = {
  code: 'notConfigured',
  exit: 'missing',
  message: 'The database lacks tables that this version needs',
  hint: 'subscriptions migrate',
}

/** Errors of the system and of the databases, by the code they carry somewhere in their chain of causes. */
const knownCodes: Record<string, KnownFailure> = {
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  SQLITE_FULL: diskFull,
  '53100': diskFull,
  SQLITE_BUSY: {
    code: 'databaseLocked',
    exit: 'failed',
    message: 'The database is locked: another process has been writing to it for too long',
    hint: 'wait until the other import or program is done, then run the same command again',
  },
  SQLITE_READONLY: {
    code: 'databaseReadOnly',
    exit: 'failed',
    message: 'The database file cannot be written',
    hint: 'give the user that runs this command permission to write DATA_DIR and the files in it',
  },
  SQLITE_NOTADB: {
    code: 'databaseBroken',
    exit: 'failed',
    message: 'The file DATABASE_URL points to is not a database',
    hint: 'correct DATABASE_URL, or restore a backup of the database',
  },
  SQLITE_CORRUPT: {
    code: 'databaseBroken',
    exit: 'failed',
    message: 'The database file is damaged',
    hint: 'restore the latest backup',
  },
  SQLITE_IOERR: databaseUnavailable,
  SQLITE_CANTOPEN: databaseUnopened,
  ECONNREFUSED: databaseUnavailable,
  ECONNRESET: databaseUnavailable,
  ENOTFOUND: databaseUnavailable,
  '57P01': databaseUnavailable,
  '57P03': databaseUnavailable,
  '42P01': notMigrated,
}

const knownMessages: readonly (readonly [RegExp, KnownFailure])[] = [
  [/no such (table|column)/i, notMigrated],
  [
    /connection terminated|terminating connection|ConnectionManager\.getConnection was called after/i,
    databaseUnavailable,
  ],
]

/** An error and its chain of causes. */
function* causes(error: unknown): Generator<Error & { code?: unknown }> {
  const seen = new Set<unknown>()
  const queue: unknown[] = [error]
  while (queue.length > 0) {
    const next = queue.shift()
    if (!(next instanceof Error) || seen.has(next)) continue
    seen.add(next)
    yield next
    const { cause, parent, original, detail } = next as {
      cause?: unknown
      parent?: unknown
      original?: unknown
      detail?: unknown
    }
    queue.push(cause, parent, original, detail)
  }
}

function findKnown(error: unknown): KnownFailure | undefined {
  for (const { code, message } of causes(error)) {
    if (typeof code === 'string' && knownCodes[code]) return knownCodes[code]
    const text = knownMessages.find(([pattern]) => pattern.test(message))
    if (text) return text[1]
  }
  return undefined
}

function systemErrorOf(error: unknown): AppError | undefined {
  for (const cause of causes(error)) {
    const failure = systemFailure(cause)
    if (failure) return failure
  }
  return undefined
}

export function hasCode(error: unknown, code: string): boolean {
  for (const cause of causes(error)) if (cause.code === code) return true
  return false
}

function failureOf(error: unknown): Failure {
  if (error instanceof CliError) return { code: error.code, message: error.message, hint: error.hint, exit: error.exit }
  if (isAppError(error) && !errorKinds[error.kind].reported && error.kind !== 'unavailable') return fromAppError(error)
  const systemError = systemErrorOf(error)
  if (systemError && !(isAppError(error) && error.hint)) return fromAppError(systemError)
  const known = findKnown(error)
  // The message of the operation says more: how many rows were imported, how to resume.
  if (isAppError(error) && error.hint && known) {
    return { ...fromAppError(error), code: known.code, exit: exitCodes[known.exit].code }
  }
  if (known) return { ...known, exit: exitCodes[known.exit].code }
  if (isAppError(error) && error.kind !== 'bug') return fromAppError(error)
  const text = error instanceof Error ? error.message : String(error)
  return {
    code: 'bug',
    message: `Internal error: ${text.split('\n')[0]}`,
    hint: 'run the command again with --debug and report what it prints',
    exit: exitCodes.failed.code,
  }
}

function fromAppError({ kind, message, hint, fields }: AppError): Failure {
  const problems = Object.entries(fields ?? {}).map(([field, problem]) =>
    field === 'form' ? problem : `${plainName(field)}: ${problem}`,
  )
  return {
    code: kind,
    message: problems.length > 0 ? problems.join('; ') : message,
    hint,
    fields,
    exit: errorKinds[kind].exit,
  }
}

/** A field that no flag is named for: "order number". */
function plainName(field: string): string {
  return /^[a-z]+(?:[A-Z][a-z]+)+$/.test(field)
    ? field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    : field
}

/** Prepares a message for a terminal: masks passwords, removes control characters, shortens very long words. */
function clean(text: string): string {
  return printable(maskPasswords(text)).replaceAll(/\S{121,}/g, (word) => shortened(word, 120))
}

/** What failed, for a warning of a command that did the rest of its work. */
export function failureMessage(error: unknown): string {
  return clean(failureOf(error).message)
}

/** Prints what failed and how to fix it, the most useful line last, and returns the exit code. */
export async function reportFailure(cliOutput: CliOutput, error: unknown): Promise<number> {
  const { exit, code, message, hint, fields } = failureOf(error)
  const { io, flags, err } = cliOutput
  const isJson = flags.json && !cliOutput.hasPrintedJson()
  const lines: string[] = []
  if (flags.debug) {
    for (const cause of causes(error)) if (cause.stack) lines.push(err.dim(maskPasswords(cause.stack)))
  }
  if (!isJson) {
    lines.push(`${err.alarm('error:')} ${clean(message)}`)
    if (hint) lines.push(`fix: ${clean(hint)}`)
  }
  if (lines.length > 0) await write(io.stderr, `${lines.join('\n')}\n`).catch(() => {})
  if (isJson) {
    const body = {
      code,
      message: clean(message),
      hint: hint === undefined ? null : clean(hint),
      ...(fields && { fields }),
    }
    await cliOutput.json({ error: body }).catch(() => {})
  }
  return exit
}
