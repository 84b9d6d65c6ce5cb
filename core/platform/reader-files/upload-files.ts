import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError, invalid } from '#core/kernel/errors.ts'
import { fileTooLarge } from '#core/uploads/file-too-large.ts'
import type { UploadFiles } from '#core/uploads/upload-files.ts'
import { fileRecords, sampleRows } from './file-records.ts'

const ours = /^upload-[0-9a-f]{32}\.csv$/

/** Kept in `<data folder>/uploads`, which web and worker share. Names are random: nothing of what people call their files is in them. */
export function makeUploadFiles(dataDir: string): UploadFiles {
  const folder = join(dataDir, 'uploads')
  const isOurs = (path: string) => dirname(path) === folder && ours.test(basename(path))
  return {
    async keep(chunks, mostBytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `upload-${randomBytes(16).toString('hex')}.csv`)
      try {
        const bytes = await write(path, chunks, mostBytes)
        if (bytes === 0) throw invalid({ file: 'The file is empty' }, 'The file is empty')
        return { path, bytes }
      } catch (error) {
        await rm(path, { force: true })
        throw diskIsFull(error)
      }
    },
    async remove(path) {
      if (isOurs(path)) await rm(path, { force: true })
    },
    async clear(before, kept) {
      const names = await readdir(folder).catch(() => [])
      let removed = 0
      for (const name of names) {
        const path = join(folder, name)
        if (!isOurs(path) || kept.has(path)) continue
        const about = await stat(path).catch(() => null)
        if (!about || about.mtime >= before) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    },
    sample: sampleRows,
    records: fileRecords,
  }
}

async function write(path: string, chunks: AsyncIterable<Uint8Array>, mostBytes: number): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > mostBytes) throw fileTooLarge(mostBytes)
      await file.writeFile(chunk)
    }
    return bytes
  } finally {
    await file.close()
  }
}

function diskIsFull(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') return error
  return new AppError('unavailable', 'There is no room for the file on our disk', {
    hint: 'Please try again later. Nothing was changed.',
    cause: error,
  })
}
