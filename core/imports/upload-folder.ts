import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { invalid } from '#core/kernel/errors.ts'
import type { AnnouncedUpload, UploadFiles } from '../ports/upload-files.ts'
import { fileTooLarge } from './file-too-large.ts'
import { csvRecords } from './load/csv-records.ts'
import { sampleRows } from './load/sample-rows.ts'
import { diskIsFull, tooManyWaiting, waitingUploadsTooLarge } from './upload-limit-errors.ts'

/** Uploaded files, and copies of what was piped into a command. */
const ownFileName = /^(?:upload-(?:\d+-)?[0-9a-f]{32}|stdin-[0-9a-f]{16})\.csv$/
/** How many bytes may arrive before the other files and the disk are checked again. */
const checkEveryBytes = 16 * 1024 * 1024

/**
 * Kept in `<data folder>/uploads`, which web and worker share. Names are random except for the publisher: they contain nothing of the original file
 * names. The files in the folder are the waiting ones, whichever process writes them: there is no second record to get out of sync.
 */
export function makeUploadFiles(dataDir: string): UploadFiles {
  const folder = join(dataDir, 'uploads')
  const isOurs = (path: string) => dirname(path) === folder && ownFileName.test(basename(path))
  return {
    async save(chunks, incoming) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `upload-${incoming.publisherId}-${randomBytes(16).toString('hex')}.csv`)
      try {
        // Created before the others are counted: of two concurrent uploads each sees the other.
        const file = await open(path, 'wx', 0o600)
        const bytes = await writeChunks(file, chunks, folder, incoming).finally(() => file.close())
        if (bytes === 0) throw invalid({ file: 'The file is empty' }, 'The file is empty')
        return { path, bytes }
      } catch (error) {
        await rm(path, { force: true })
        throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? diskIsFull(error) : error
      }
    },
    async remove(path) {
      if (isOurs(path)) await rm(path, { force: true })
    },
    isKept: async (path) => isOurs(path) && isFile(path),
    exists: isFile,
    async clear(before, filesInUse) {
      const names = await readdir(folder).catch(() => [])
      let removed = 0
      for (const name of names) {
        const path = join(folder, name)
        if (!isOurs(path) || filesInUse.has(path)) continue
        const fileStat = await stat(path).catch(() => null)
        if (!fileStat || fileStat.mtime >= before) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    },
    sample: sampleRows,
    records: csvRecords,
  }
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (fileStat) => fileStat.isFile(),
    () => false,
  )
}

async function writeChunks(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  folder: string,
  incoming: AnnouncedUpload,
): Promise<number> {
  const { fileBytes } = incoming.limits
  await requireDiskSpace(folder, incoming, incoming.announcedBytes ?? 0)
  let bytes = 0
  let nextCheckAt = checkEveryBytes
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > fileBytes) throw fileTooLarge(fileBytes)
    await file.writeFile(chunk)
    if (bytes < nextCheckAt) continue
    nextCheckAt = bytes + checkEveryBytes
    await requireDiskSpace(folder, incoming, 0)
  }
  // The bytes since the last check, or the whole file if it is small.
  await requireDiskSpace(folder, incoming, 0)
  return bytes
}

/** Throws when the publisher's files, or the disk, have no room for this many more bytes. */
async function requireDiskSpace(folder: string, { publisherId, limits }: AnnouncedUpload, more: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(`upload-${publisherId}-`))
  if (names.length > limits.waitingFiles) throw tooManyWaiting(limits.waitingFiles)
  // A file that was deleted meanwhile takes no space.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  if (sizes.reduce((sum, size) => sum + size, more) > limits.waitingBytes)
    throw waitingUploadsTooLarge(limits.waitingBytes)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize - more < limits.freeBytes) throw diskIsFull()
}
