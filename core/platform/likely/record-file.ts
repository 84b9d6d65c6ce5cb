import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TextStore } from '#core/likely/likely-index.rules.ts'
import { textEnd } from '#core/likely/sketched-readers.rules.ts'

/** Up to this size, in bytes, the whole file is read back in one step, into the buffer from `lend` if it fits. */
const maxInMemory = 400_000_000

/** Records in a temporary file, deleted when closed: the texts of a million readers need not stay in memory while they are sorted. */
export interface RecordFile extends TextStore {
  close(): void
}

type Write = (file: number, bytes: Buffer, from: number, length: number) => number

/** `expected`: about how many records there will be. */
export function openRecordFile(
  folder: string,
  { expected = 0, write = writeSync }: { expected?: number; write?: Write } = {},
): RecordFile {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `likely-${process.pid}-${Date.now()}-${Math.floor(Math.random() * 1e6)}.tmp`)
  const file = openSync(path, 'wx+', 0o600)
  // Unlinked immediately, so that it disappears with its process, however the process ends. Windows keeps the name until the file is closed.
  tryRemove(path)
  let ends = new Float64Array(Math.max(4096, expected))
  let count = 0
  let written = 0
  let contents: Buffer<ArrayBufferLike> | undefined
  let borrowedBuffer: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  const readBack = () => {
    const target = written <= borrowedBuffer.length ? borrowedBuffer : Buffer.allocUnsafeSlow(written)
    for (let from = 0; from < written; ) from += readSync(file, target, from, Math.min(1 << 26, written - from), from)
    return target
  }
  return {
    add(texts) {
      contents = undefined
      const bytes = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength)
      for (let end = bytes.indexOf(textEnd); end >= 0; end = bytes.indexOf(textEnd, end + 1)) {
        if (count === ends.length) {
          const larger = new Float64Array(ends.length * 2)
          larger.set(ends)
          ends = larger
        }
        ends[count++] = written + end
      }
      // A disk that is nearly full accepts a part of the bytes, and refuses the next part.
      for (let from = 0; from < bytes.length; ) from += write(file, bytes, from, bytes.length - from)
      written += bytes.length
    },
    get(index) {
      const from = index === 0 ? 0 : (ends[index - 1] as number) + 1
      const end = ends[index] as number
      if (!contents && written <= maxInMemory) contents = readBack()
      if (contents) return contents.toString('utf8', from, end)
      const size = end - from
      const text = Buffer.allocUnsafe(size)
      readSync(file, text, 0, size, from)
      return text.toString('utf8')
    },
    lend(room) {
      borrowedBuffer = Buffer.from(room)
    },
    close() {
      contents = undefined
      borrowedBuffer = Buffer.alloc(0)
      closeSync(file)
      tryRemove(path)
    },
  }
}

function tryRemove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}
