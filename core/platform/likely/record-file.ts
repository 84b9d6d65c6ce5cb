import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TextStore } from '#core/data-quality/likely/likely-index.rules.ts'

const bufferSize = 1 << 20

/** Records in a file that is gone when it is closed: a million readers' texts need not lie in memory. Only their places do. */
export interface RecordFile extends TextStore {
  close(): void
}

export function openRecordFile(folder: string): RecordFile {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `likely-${process.pid}-${Date.now()}-${Math.floor(Math.random() * 1e6)}.tmp`)
  const file = openSync(path, 'wx+', 0o600)
  // Without a name it is gone with its process, however that ends. Windows keeps the name until the file is closed.
  tryRemove(path)
  let ends = new Float64Array(4096)
  let count = 0
  let written = 0
  let waiting = 0
  const buffer = Buffer.allocUnsafe(bufferSize)
  const flush = () => {
    if (waiting > 0) writeSync(file, buffer, 0, waiting)
    written += waiting
    waiting = 0
  }
  return {
    add(text) {
      const size = Buffer.byteLength(text)
      if (waiting + size > bufferSize) flush()
      if (count === ends.length) {
        const more = new Float64Array(ends.length * 2)
        more.set(ends)
        ends = more
      }
      // A record is some hundred bytes; a line longer than the buffer is none.
      waiting += buffer.write(text, waiting)
      ends[count++] = written + waiting
    },
    get(index) {
      flush()
      const from = index === 0 ? 0 : (ends[index - 1] as number)
      const size = (ends[index] as number) - from
      const text = size <= bufferSize ? Buffer.allocUnsafe(size) : Buffer.alloc(size)
      readSync(file, text, 0, size, from)
      return text.toString('utf8')
    },
    close() {
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
