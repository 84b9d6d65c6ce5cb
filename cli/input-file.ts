import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, constants, mkdir, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError, isAppError } from '#core/kernel/errors.ts'
import { CliError, usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import { isTerminal } from './io.ts'

/** An input file on disk: readers, postcodes, a layout or a report. `typed` is the name as the user typed it, for the commands we suggest. */
export interface InputFile {
  path: string
  typed: string
  fileName: string
  /** Whether it is a temporary copy of stdin, to be removed after use. */
  isSpooled: boolean
}

/** The file named as an argument or with --file; `-` is stdin. */
export function namedInput(argument: string | undefined, flag: string | undefined): string {
  if (argument !== undefined && flag !== undefined && argument !== flag) {
    throw usageError('two files are given', 'give only one: subscriptions import readers.csv')
  }
  const name = argument ?? flag
  if (name === undefined || name === '')
    throw usageError('no file given', 'for example: subscriptions import readers.csv (or - for stdin)')
  return name
}

/** Throws, before the database is opened, if the file does not exist, cannot be read or is a directory. */
export async function findInput(cliOutput: CliOutput, typed: string): Promise<InputFile | 'stdin'> {
  if (typed === '-') {
    if (isTerminal(cliOutput.io.stdin))
      throw usageError('there is nothing on stdin', 'pipe a file in: cat readers.csv | subscriptions import -')
    return 'stdin'
  }
  const path = resolve(cliOutput.io.cwd, typed)
  const stats = await stat(path).catch(() => undefined)
  if (!stats)
    throw new CliError(
      'notFound',
      'missing',
      `There is no file ${path}`,
      'check the name; to read stdin, write - instead',
    )
  if (stats.isDirectory()) throw usageError(`${path} is a directory`, 'name one CSV file in it')
  // A file is read more than once, and from any position.
  if (!stats.isFile())
    throw usageError(
      `${path} is a pipe or a device, not a file`,
      'write - instead, and pipe it in: zcat file.gz | subscriptions ... -',
    )
  await access(path, constants.R_OK).catch((cause: unknown) => {
    throw new AppError('denied', `${path} cannot be read`, {
      hint: 'give yourself permission to read it (chmod u+r)',
      cause,
    })
  })
  return { path, typed, fileName: basename(path), isSpooled: false }
}

/** Copies stdin to a file first: an import reads its file more than once, and may be resumed from it. */
export async function spoolStdin(cliOutput: CliOutput, dataDir: string): Promise<InputFile> {
  const folder = join(dataDir, 'uploads')
  await mkdir(folder, { recursive: true })
  const path = join(folder, `stdin-${randomBytes(8).toString('hex')}.csv`)
  try {
    await pipeline(cliOutput.io.stdin, createWriteStream(path, { flags: 'wx', mode: 0o600 }), {
      signal: cliOutput.io.signal,
    })
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return { path, typed: path, fileName: 'stdin.csv', isSpooled: true }
}

/** The error of a refused copy of stdin with "stdin" for its path: the user does not know the copy, which is removed. */
export function withStdinNamed(error: unknown, { path, isSpooled }: InputFile): unknown {
  if (!isSpooled || !isAppError(error) || !error.message.includes(path)) return error
  const { kind, message, hint, fields } = error
  return new AppError(kind, message.replaceAll(`"${path}"`, 'stdin').replaceAll(path, 'stdin'), {
    ...(hint === undefined ? {} : { hint }),
    ...(fields === undefined ? {} : { fields }),
    cause: error,
  })
}
