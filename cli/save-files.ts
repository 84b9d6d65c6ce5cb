import { type FileHandle, mkdir, open, realpath, rename, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { usageError } from './cli-error.ts'
import { withFileLock } from './file-lock.ts'

/** Throws, before the work begins, if the path exists and is not a directory. */
export async function checkDirectory(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (stats && !stats.isDirectory())
    throw usageError(`${path} is a file`, 'several files go into a directory: --output <directory>')
}

/**
 * Writes several files into a directory, all or none: they are written to a staging directory and moved when all are complete. Files
 * with the same names are replaced, others are kept.
 */
export async function saveFiles(
  path: string,
  names: readonly string[],
  chunks: AsyncIterable<{ file: number; bytes: Buffer }>,
  signal: AbortSignal,
): Promise<void> {
  const isNew = (await mkdir(path, { recursive: true })) !== undefined
  const directory = await realpath(path)
  const write = async (staging: string) => {
    await mkdir(staging)
    const handles: FileHandle[] = []
    try {
      for (const name of names) handles.push(await open(join(staging, name), 'wx'))
      for await (const { file, bytes } of chunks) {
        signal.throwIfAborted()
        // Not `write`, which on a full disk may store only the first part of the last chunk and report no error.
        await handles[file]?.writeFile(bytes)
      }
      for (const handle of handles) {
        // A power cut must not leave an empty file under the final name.
        await handle.sync()
        await handle.close()
      }
      for (const name of names) await rename(join(staging, name), join(directory, name))
    } finally {
      await Promise.allSettled(handles.map((handle) => handle.close()))
    }
  }
  try {
    // Staged inside it: what is beside a mounted or linked directory may be another disk, or not writable.
    await withFileLock(directory, write, directory)
  } catch (error) {
    if (isNew) await rmdir(directory).catch(() => {})
    throw error
  }
}
