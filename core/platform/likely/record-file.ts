import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TextStore } from '#core/likely/likely-index.rules.ts'

const bufferSize = 1 << 20

/** Up to here the whole file is read back at once, mostly into memory that was lent. */
const maxInMemory = 400_000_000

/** Records in a file that is gone when it is closed: while a million readers are sorted, their texts need not lie in memory. */
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
  let buffer = Buffer.allocUnsafe(bufferSize)
  let all: Buffer | undefined
  let lent = Buffer.alloc(0)
  const flush = () => {
    if (waiting > 0) writeSync(file, buffer, 0, waiting)
    written += waiting
    waiting = 0
  }
  const readBack = () => {
    const whole = written <= lent.length ? lent : Buffer.allocUnsafeSlow(written)
    for (let from = 0; from < written; ) from += readSync(file, whole, from, Math.min(1 << 26, written - from), from)
    return whole
  }
  return {
    add(text) {
      all = undefined
      // Three bytes are the most that a character takes.
      if (waiting + text.length * 3 > bufferSize) flush()
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
      const from = index === 0 ? 0 : (ends[index - 1] as number)
      const end = ends[index] as number
      if (!all && (waiting > 0 || written <= maxInMemory)) {
        flush()
        if (written <= maxInMemory) all = readBack()
      }
      if (all) return all.toString('utf8', from, end)
      const size = end - from
      const text = Buffer.allocUnsafe(size)
      readSync(file, text, 0, size, from)
      return text.toString('utf8')
    },
    lend(room) {
      lent = Buffer.from(room)
    },
    close() {
      all = undefined
      lent = Buffer.alloc(0)
      buffer = Buffer.alloc(0)
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
