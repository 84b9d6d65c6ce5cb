import { createWriteStream } from 'node:fs'
import { realpath, rename, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CliError, usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import { withFileLock } from './file-lock.ts'
import { isTerminal } from './io.ts'

type Chunks = AsyncIterable<string | Buffer>

/** Where a file that a command makes goes. */
export type Target = { kind: 'stdout' } | { kind: 'file'; path: string; isAskedFor: boolean }

/**
 * `-` is stdout, a name is that file. Without --output a pipe or redirection gets the file; on a terminal, where nobody
 * wants to read it, it is saved under its usual name (undefined here, as the name is not known yet).
 */
export function outputTarget(cliOutput: CliOutput, output: string | undefined): Target | undefined {
  const isStdout = output === '-' || (output === undefined && !isTerminal(cliOutput.io.stdout))
  if (isStdout && cliOutput.flags.json) {
    throw usageError('--json and the file cannot both go to stdout', 'name a file for the rows: --output <file>')
  }
  if (isStdout) return { kind: 'stdout' }
  if (output === '')
    throw usageError('--output needs the name of a file, or - for stdout', 'for example --output readers.csv')
  return output === undefined ? undefined : { kind: 'file', path: resolve(cliOutput.io.cwd, output), isAskedFor: true }
}

/** The usual name in the current directory, for when none was given. */
export function usualTarget(cliOutput: CliOutput, fileName: string): Target {
  return { kind: 'file', path: resolve(cliOutput.io.cwd, basename(fileName)), isAskedFor: false }
}

/** Refuses a target that cannot be written before the work begins. */
export async function checkTarget(target: Target): Promise<void> {
  if (target.kind === 'stdout') return
  const found = await stat(target.path).catch(() => undefined)
  if (found?.isDirectory())
    throw usageError(`${target.path} is a directory`, 'name the file in it: --output <directory>/<file>')
  if (found && !target.isAskedFor) {
    throw new CliError(
      'exists',
      'conflict',
      `${target.path} is there already`,
      `to replace it: --output ${basename(target.path)}`,
    )
  }
  const folder = await stat(dirname(target.path)).catch(() => undefined)
  if (!folder?.isDirectory()) {
    throw new CliError(
      'notFound',
      'missing',
      `There is no directory ${dirname(target.path)}`,
      'make it, or name another file with --output',
    )
  }
}

/** Streams to the target. A file appears under its name when it is whole: a failed run leaves what was there before. */
export async function saveOutput(cliOutput: CliOutput, target: Target, chunks: Chunks): Promise<void> {
  const source = Readable.from(chunks, { objectMode: true })
  const { signal, stdout } = cliOutput.io
  if (target.kind === 'stdout') return pipeline(source, stdout, { end: false, signal })
  await checkTarget(target)
  const path = await realpath(target.path).catch(() => target.path)
  const found = await stat(path).catch(() => undefined)
  // A device or a pipe is written as it stands.
  if (found && !found.isFile()) return pipeline(source, createWriteStream(path, { flags: 'w' }), { signal })
  await withFileLock(path, async (partial) => {
    // `flush`: a power cut must not leave an empty file under the final name.
    await pipeline(source, createWriteStream(partial, { flags: 'wx', flush: true }), { signal })
    await rename(partial, path)
  })
}
