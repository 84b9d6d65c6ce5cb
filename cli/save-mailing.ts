import { resolve } from 'node:path'
import { countsCsv } from '#core/mailing/counts-sheet.rules.ts'
import type { MailingFile } from '#core/mailing/make-mailing-file.ts'
import { usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import { checkTarget, defaultTarget, saveOutput, type Target } from './save-output.ts'
import { checkDirectory, savePieces } from './save-pieces.ts'

interface SaveOptions {
  target: Target | undefined
  /** The name as the user typed it. */
  output: string | undefined
  dryRun: boolean
  onPiece: () => void
}

/** Saves a mailing file: one file, or a file for each zone in a directory; nothing in a dry run. */
export async function saveMailing(
  cliOutput: CliOutput,
  made: MailingFile,
  { target: requested, output, dryRun, onPiece }: SaveOptions,
): Promise<{ file: string | null; directory: string | null }> {
  if (dryRun) {
    for await (const _ of made.fileChunks) cliOutput.io.signal.throwIfAborted()
    return { file: null, directory: null }
  }
  if (made.isSplit) {
    if (output === undefined || output === '' || output === '-')
      throw usageError(
        'a file for each zone needs a directory',
        'specify it, or make one file: --output <directory> or --no-split',
      )
    const directory = resolve(cliOutput.io.cwd, output)
    await checkDirectory(directory)
    const names = made.files.map(({ name }) => name)
    await savePieces(directory, names, withProgress(made.fileChunks, onPiece), cliOutput.io.signal)
    return { file: null, directory }
  }
  const target = requested ?? defaultTarget(cliOutput, made.fileName)
  await checkTarget(target)
  await saveOutput(cliOutput, target, withProgress(made.chunks, onPiece))
  return { file: target.kind === 'file' ? target.path : null, directory: null }
}

/** Writes the counts sheet and returns its path. */
export async function saveCounts(
  cliOutput: CliOutput,
  made: MailingFile,
  name: string | undefined,
): Promise<string | null> {
  if (name === undefined) return null
  const path = resolve(cliOutput.io.cwd, name)
  const sheet = made.counts()
  const text = /\.json$/i.test(name) ? `${JSON.stringify(sheet, null, 2)}\n` : countsCsv(sheet)
  async function* chunks() {
    yield text
  }
  await saveOutput(cliOutput, { kind: 'file', path, isExplicit: true, fileFlag: '--counts' }, chunks())
  return path
}

async function* withProgress<Piece>(pieces: AsyncIterable<Piece>, onPiece: () => void): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    onPiece()
    yield piece
  }
}
