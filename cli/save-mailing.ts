import { join, resolve } from 'node:path'
import { countsCsv } from '#core/mailing/counts-sheet.rules.ts'
import type { MailingFile } from '#core/mailing/make-mailing-file.ts'
import { wrongUse } from './cli-error.ts'
import { withFileLock } from './file-lock.ts'
import { checkTarget, saveOutput, type Target, usualTarget } from './save-output.ts'
import { checkDirectory, savePieces } from './save-pieces.ts'
import type { Talk } from './talk.ts'

interface Asked {
  asked: Target | undefined
  /** As it was typed. */
  output: string | undefined
  dryRun: boolean
  tell: () => void
}

/** Saves what was made where it was asked for: one file, or several in a directory; nothing in a dry run. */
export async function saveMailing(
  talk: Talk,
  made: MailingFile,
  { asked, output, dryRun, tell }: Asked,
): Promise<{ file: string | null; directory: string | null }> {
  if (dryRun) {
    for await (const _ of made.pieces) talk.io.signal.throwIfAborted()
    return { file: null, directory: null }
  }
  const names = made.files.map(({ name }) => name)
  if (names.length > 1) {
    if (output === undefined || output === '' || output === '-')
      throw wrongUse('several files need a directory', 'name it, or make one file: --output <directory> or --no-split')
    const directory = resolve(talk.io.cwd, output)
    await checkDirectory(directory)
    await withFileLock(directory, () => savePieces(directory, names, told(made.pieces, tell), talk.io.signal))
    return { file: null, directory }
  }
  // A zone alone of a layout that splits is one file in the directory that was named.
  const target: Target = output?.endsWith('/')
    ? { kind: 'file', path: join(resolve(talk.io.cwd, output), made.fileName), isAskedFor: true }
    : (asked ?? usualTarget(talk, made.fileName))
  await checkTarget(target)
  const save = () => saveOutput(talk, target, told(made.chunks, tell))
  if (target.kind === 'stdout' || target.path.startsWith('/dev/')) await save()
  else await withFileLock(target.path, save)
  return { file: target.kind === 'file' ? target.path : null, directory: null }
}

/** Writes the counts sheet; gives its path. */
export async function saveCounts(talk: Talk, made: MailingFile, name: string | undefined): Promise<string | null> {
  if (name === undefined) return null
  const path = resolve(talk.io.cwd, name)
  const sheet = made.counts()
  const text = /\.json$/i.test(name) ? `${JSON.stringify(sheet, null, 2)}\n` : countsCsv(sheet)
  async function* chunks() {
    yield text
  }
  await saveOutput(talk, { kind: 'file', path, isAskedFor: true }, chunks())
  return path
}

async function* told<Piece>(pieces: AsyncIterable<Piece>, tell: () => void): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    tell()
    yield piece
  }
}
