import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemFailure } from '../system-failure.ts'

/** How many characters are kept in memory for a consumer that is slower than the source; the rest is kept in a file. */
const maxInMemory = 1 << 20

/**
 * Passes blocks of text on, and reads the source to its end however slowly they are consumed, so that a stalled download holds no connection.
 * Blocks that were not consumed yet wait in a temporary file. Blocks are never split.
 */
export async function* spool(
  source: AsyncIterable<string>,
  { encoding, folder }: { encoding: 'latin1' | 'utf8'; folder: string },
): AsyncGenerator<string> {
  const inMemory: string[] = []
  let length = 0
  /** The blocks in the file, by their sizes in bytes. They come after those in memory. */
  const inFile: number[] = []
  let file: Awaited<ReturnType<typeof openTemporary>> | undefined
  let written = 0
  let read = 0
  let isOver = false
  let failure: { error: unknown } | undefined
  let wake = () => {}

  async function fill(): Promise<void> {
    for await (const block of source) {
      if (isOver) return
      if (inFile.length === 0 && length + block.length <= maxInMemory) {
        inMemory.push(block)
        length += block.length
      } else {
        const bytes = Buffer.from(block, encoding)
        await store(bytes)
        inFile.push(bytes.length)
      }
      wake()
    }
  }

  async function store(bytes: Buffer): Promise<void> {
    try {
      file ??= await openTemporary(folder)
      for (let from = 0; from < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, from, bytes.length - from, written)
        from += bytesWritten
        written += bytesWritten
      }
    } catch (error) {
      throw systemFailure(error, folder) ?? error
    }
  }

  const filled = fill()
    .catch((error: unknown) => {
      failure = { error }
    })
    .finally(() => {
      isOver = true
      wake()
    })
  try {
    for (;;) {
      const block = inMemory.shift()
      const size = inFile[0]
      if (block !== undefined) {
        length -= block.length
        yield block
      } else if (file && size !== undefined) {
        const bytes = Buffer.allocUnsafe(size)
        for (let offset = 0; offset < size; ) {
          const { bytesRead } = await file.read(bytes, offset, size - offset, read + offset)
          if (bytesRead === 0) throw new Error('A temporary file is shorter than what was written')
          offset += bytesRead
        }
        read += size
        // Removed only now: while it is in the list, later blocks are added behind it, not to memory.
        inFile.shift()
        yield bytes.toString(encoding)
      } else if (isOver) {
        if (failure) throw failure.error
        return
      } else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    isOver = true
    await filled
    await file?.close()
  }
}

/** A file that is unlinked immediately, so that it disappears with its process, however the process ends. */
async function openTemporary(folder: string) {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `download-${randomUUID()}.tmp`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path, { force: true })
  return file
}
