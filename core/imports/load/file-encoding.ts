import { isUtf8 } from 'node:buffer'

const fileEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type FileEncoding = (typeof fileEncodings)[number]

/** What the first bytes say: a byte order mark, UTF-16 without one (every other byte of plain text is NUL), or nothing yet. */
export function encodingOfStart(start: Buffer): { encoding: FileEncoding; skip: number } | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return { encoding: 'utf-8', skip: 3 }
  if (start[0] === 0xff && start[1] === 0xfe) return { encoding: 'utf-16le', skip: 2 }
  if (start[0] === 0xfe && start[1] === 0xff) return { encoding: 'utf-16be', skip: 2 }
  const sample = start.subarray(0, 1000)
  let even = 0
  let odd = 0
  for (let index = 0; index < sample.length; index++) {
    if (sample[index] !== 0) continue
    if (index % 2 === 0) even++
    else odd++
  }
  const half = sample.length / 2
  if (odd > half * 0.7 && even < half * 0.1) return { encoding: 'utf-16le', skip: 0 }
  if (even > half * 0.7 && odd < half * 0.1) return { encoding: 'utf-16be', skip: 0 }
  return null
}

/** Tells, chunk by chunk, whether bytes are UTF-8 throughout: a character cut by a chunk's end is carried over. */
export class Utf8Check {
  #carried: Buffer = Buffer.alloc(0)
  isGood = true

  add(chunk: Buffer): void {
    if (!this.isGood) return
    const bytes = this.#carried.length > 0 ? Buffer.concat([this.#carried, chunk]) : chunk
    const whole = wholeCharacters(bytes)
    this.isGood = isUtf8(bytes.subarray(0, whole))
    this.#carried = Buffer.from(bytes.subarray(whole))
  }

  end(): boolean {
    return this.isGood && this.#carried.length === 0
  }
}

/** Number of bytes up to the last character that is there in full. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}

/** What a file is that is no text, by its first bytes; null when it may be text. */
export function knownBinary(start: Buffer): string | null {
  const text = start.subarray(0, 100).toString('latin1')
  if (text.startsWith('PK\x03\x04')) return 'an Excel workbook or a zip file'
  if (text.startsWith('\xd0\xcf\x11\xe0')) return 'an old Excel workbook'
  if (text.startsWith('%PDF')) return 'a PDF'
  if (text.startsWith('\x1f\x8b')) return 'a gzip file'
  if (/^(\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*|RIFF....WEBP)/s.test(text)) return 'a picture'
  if (/^(\xef\xbb\xbf)?\s*<(!doctype html|html)\b/i.test(text)) return 'a web page'
  return null
}
