import { constants, existsSync, realpathSync } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { basename, extname, join, resolve } from 'node:path'
import type { AppContext } from '#core/context.ts'
import type { ImportReport } from '#core/imports/import-report.ts'
import { usageError } from './cli-error.ts'
import type { CliOutput } from './cli-output.ts'
import type { InputFile } from './input-file.ts'

/** Throws, before the work begins, if --rejects cannot be written or would overwrite the file being imported. */
export async function checkRejects(
  cliOutput: CliOutput,
  name: string | undefined,
  input: InputFile | 'stdin' | undefined,
): Promise<void> {
  if (name === undefined) return
  if (name === '' || name === '-')
    throw usageError('--rejects needs the name of a file', 'for example --rejects rejected.csv')
  const path = resolve(cliOutput.io.cwd, name)
  if (typeof input === 'object' && existsSync(path) && realpathSync(path) === realpathSync(input.path)) {
    throw usageError('--rejects names the file being imported', 'name another file for the rejected rows')
  }
  const { checkTarget } = await import('./save-output.ts')
  await checkTarget({ kind: 'file', path, isExplicit: true, fileFlag: '--rejects' })
  // The rejected rows are written last: a directory that takes no files would be noticed only when the readers are in.
  const stats = await stat(path).catch(() => undefined)
  if (stats && !stats.isFile()) return access(path, constants.W_OK)
  const { withFileLock } = await import('./file-lock.ts')
  await withFileLock(await realpath(path).catch(() => path), async () => {})
}

/** Writes the rejected rows as a CSV to correct and import again; null if there are none, or after a dry run, which stores none. */
export async function saveRejects(
  cliOutput: CliOutput,
  ctx: AppContext,
  { report, input, name }: { report: ImportReport; input: InputFile; name: string | undefined },
): Promise<string | null> {
  if (report.failed === 0 || report.uploadId === null) return null
  const [{ rejectedRows }, { saveOutput }] = await Promise.all([
    import('#core/imports/rejected-rows.query.ts'),
    import('./save-output.ts'),
  ])
  const { chunks } = await rejectedRows(ctx, { uploadId: report.uploadId })
  const path = name === undefined ? freeName(cliOutput.io.cwd, input.fileName) : resolve(cliOutput.io.cwd, name)
  await saveOutput(cliOutput, { kind: 'file', path, isExplicit: true }, chunks)
  return path
}

/** readers.rejected.csv, or readers.rejected-2.csv if that exists: a user may be correcting it. */
function freeName(folder: string, fileName: string): string {
  const stem = basename(fileName, extname(fileName))
  for (let n = 1; ; n++) {
    const path = join(folder, `${stem}.rejected${n === 1 ? '' : `-${n}`}.csv`)
    if (!existsSync(path)) return path
  }
}
