import { dirname, resolve } from 'node:path'
import { textChunks } from '#core/downloads/download-file.ts'
import { countsCsv } from '#core/mailing/counts-sheet.rules.ts'
import type { MailingFile } from '#core/mailing/make-mailing-file.ts'
import { usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import { checkDirectory, saveFiles } from './save-files.ts'
import { checkTarget, defaultTarget, saveOutput, type Target } from './save-output.ts'

interface SaveOptions {
  target: Target | undefined
  /** The names as the user typed them. */
  output: string | undefined
  counts: string | undefined
  dryRun: boolean
  onChunk: () => void
}

/** Saves a mailing file: one file, or a file for each zone in a directory; nothing in a dry run. */
export async function saveMailing(
  cliOutput: CliOutput,
  mailing: MailingFile,
  { target: requested, output, counts, dryRun, onChunk }: SaveOptions,
): Promise<{ file: string | null; directory: string | null }> {
  if (dryRun) {
    for await (const _ of mailing.fileChunks) cliOutput.io.signal.throwIfAborted()
    return { file: null, directory: null }
  }
  if (mailing.isSplit) {
    if (output === undefined || output === '' || output === '-')
      throw usageError(
        'a file for each zone needs a directory',
        'specify it, or make one file: --output <directory> or --no-split',
      )
    const directory = resolve(cliOutput.io.cwd, output)
    await checkDirectory(directory)
    await checkCounts(cliOutput, counts, directory)
    const names = mailing.files.map(({ name }) => name)
    await saveFiles(directory, names, withProgress(mailing.fileChunks, onChunk), cliOutput.io.signal)
    return { file: null, directory }
  }
  const target = requested ?? defaultTarget(cliOutput, mailing.fileName)
  await checkTarget(target)
  await checkCounts(cliOutput, counts)
  await saveOutput(cliOutput, target, withProgress(mailing.chunks, onChunk))
  return { file: target.kind === 'file' ? target.path : null, directory: null }
}

/** Throws, before the mailing file is written, if its counts could not be written beside it: `directory` is made with the files. */
async function checkCounts(cliOutput: CliOutput, name: string | undefined, directory?: string): Promise<void> {
  if (name === undefined) return
  const target = countsTarget(cliOutput, name)
  if (dirname(target.path) !== directory) await checkTarget(target)
}

function countsTarget(cliOutput: CliOutput, name: string) {
  return { kind: 'file', path: resolve(cliOutput.io.cwd, name), isExplicit: true, fileFlag: '--counts' } as const
}

/** Writes the counts sheet and returns its path. */
export async function saveCounts(
  cliOutput: CliOutput,
  mailing: MailingFile,
  name: string | undefined,
): Promise<string | null> {
  if (name === undefined) return null
  const target = countsTarget(cliOutput, name)
  const sheet = mailing.counts()
  const text = /\.json$/i.test(name) ? `${JSON.stringify(sheet, null, 2)}\n` : countsCsv(sheet)
  await saveOutput(cliOutput, target, textChunks(text))
  return target.path
}

async function* withProgress<Chunk>(chunks: AsyncIterable<Chunk>, onChunk: () => void): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    onChunk()
    yield chunk
  }
}
