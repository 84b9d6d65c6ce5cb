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

/** Where a command writes its file. */
export type Target =
  | { kind: 'stdout' }
  | {
      kind: 'file'
      path: string
      isExplicit: boolean
      /** The flag that names the file, where that is not --output. */
      fileFlag?: string
      /** Set where only its directory can be chosen: by this flag. */
      directoryFlag?: string
    }

/**
 * `-` is stdout, a name is that file. Without --output the file goes to stdout if piped or redirected; on a terminal it
 * is saved under its default name (undefined here, as the name is not known yet).
 */
export function outputTarget(cliOutput: CliOutput, output: string | undefined): Target | undefined {
  const isStdout = output === '-' || (output === undefined && !isTerminal(cliOutput.io.stdout))
  if (isStdout && cliOutput.flags.json) {
    throw usageError('--json and the file cannot both go to stdout', 'name a file for the rows: --output <file>')
  }
  if (isStdout) return { kind: 'stdout' }
  if (output === '')
    throw usageError('--output needs the name of a file, or - for stdout', 'for example --output readers.csv')
  return output === undefined ? undefined : { kind: 'file', path: resolve(cliOutput.io.cwd, output), isExplicit: true }
}

/** The default name in the current directory, without --output. */
export function defaultTarget(cliOutput: CliOutput, fileName: string): Target {
  return { kind: 'file', path: resolve(cliOutput.io.cwd, basename(fileName)), isExplicit: false }
}

/** Throws, before the work begins, if the target cannot be written. */
export async function checkTarget(target: Target): Promise<void> {
  if (target.kind === 'stdout') return
  const { directoryFlag, fileFlag = '--output' } = target
  const otherDirectory = `name another directory: ${directoryFlag} <directory>`
  const stats = await stat(target.path).catch(() => undefined)
  if (stats?.isDirectory())
    throw usageError(`${target.path} is a directory`, `name the file in it: ${fileFlag} <directory>/<file>`)
  if (stats && !target.isExplicit) {
    throw new CliError(
      'exists',
      'conflict',
      `${target.path} already exists`,
      directoryFlag ? `remove it, or ${otherDirectory}` : `to replace it: --output ${basename(target.path)}`,
    )
  }
  const folder = await stat(dirname(target.path)).catch(() => undefined)
  if (!folder?.isDirectory()) {
    throw new CliError(
      'notFound',
      'missing',
      `There is no directory ${dirname(target.path)}`,
      `make it, or ${directoryFlag ? otherDirectory : `name another file with ${fileFlag}`}`,
    )
  }
}

/** Streams to the target. A file is renamed into place when it is complete: a failed run leaves the previous file. */
export async function saveOutput(cliOutput: CliOutput, target: Target, chunks: Chunks): Promise<void> {
  const source = Readable.from(chunks, { objectMode: true })
  const { signal, stdout } = cliOutput.io
  if (target.kind === 'stdout') return pipeline(source, stdout, { end: false, signal })
  await checkTarget(target)
  const path = await realpath(target.path).catch(() => target.path)
  const stats = await stat(path).catch(() => undefined)
  // A device or a pipe is written directly.
  if (stats && !stats.isFile()) return pipeline(source, createWriteStream(path, { flags: 'w' }), { signal })
  await withFileLock(path, async (partial) => {
    // `flush`: a power cut must not leave an empty file under the final name.
    await pipeline(source, createWriteStream(partial, { flags: 'wx', flush: true }), { signal })
    await rename(partial, path)
  })
}
