import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { repaired } from '../../kernel/damaged-text.rules.ts'
import { type DoubleEncoding, doubleEncodings, repairOf } from '../../kernel/double-encoding.rules.ts'
import { encodings, type FileEncoding } from '../../kernel/file-encodings.ts'
import type { EncodingDoubt, InspectedFile } from '../../ports/upload-files.ts'
import { detectEncoding, iconvName, implausibleShare } from './detect-encoding.ts'

interface StartOfFile {
  encoding: FileEncoding
  skip: number
  doubt?: EncodingDoubt
}

/** The encoding by the first bytes: a byte order mark, or UTF-16 without one (every other byte of plain text is NUL); null if neither. */
export function encodingOfStart(start: Buffer): StartOfFile | null {
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
  if (even === odd) return null
  // In Cyrillic or Greek text only the delimiters, digits and line ends have a NUL.
  const [encoding, other] = odd > even ? (['utf-16le', 'utf-16be'] as const) : (['utf-16be', 'utf-16le'] as const)
  const text = iconv.decode(sample.subarray(0, sample.length - (sample.length % 2)), iconvName(encoding))
  if (!isText(text)) return null
  const problem = `it has no byte order mark; it is probably ${encodings[encoding]}`
  return { encoding, skip: 0, doubt: { problem, likely: [encoding, other] } }
}

/** Whether a file is in UTF-32: by its byte order mark, or because every four bytes are a Unicode code point (at most U+10FFFF). */
export function isUtf32(start: Buffer): boolean {
  const mark = start.subarray(0, 4).toString('hex')
  if (mark === 'fffe0000' || mark === '0000feff') return true
  const sample = start.subarray(0, Math.min(1000, start.length - (start.length % 4)))
  const places = Array.from({ length: sample.length / 4 }, (_, index) => index * 4)
  const isCharacter = (code: number) => code > 0 && code <= 0x10ffff
  return (
    places.length >= 4 &&
    (places.every((at) => isCharacter(sample.readUInt32LE(at))) ||
      places.every((at) => isCharacter(sample.readUInt32BE(at))))
  )
}

/** Whether this is the start of a CSV file with readable text, and not of a binary file. */
function isText(text: string): boolean {
  if (!/[\r\n]/.test(text) || !/[,;\t|]/.test(text)) return false
  // The last character may have been cut.
  return !/[^\P{C}\t\r\n]|\ufffd/u.test(text.slice(0, -1)) && implausibleShare(text) < 0.2
}

/** Checks, chunk by chunk, whether bytes are UTF-8 throughout: a character cut by a chunk's end is carried over. */
export class Utf8Check {
  #carried: Buffer = Buffer.alloc(0)
  isValid = true

  add(chunk: Buffer): void {
    if (!this.isValid) return
    const bytes = this.#carried.length > 0 ? Buffer.concat([this.#carried, chunk]) : chunk
    const wholeLength = wholeCharacters(bytes)
    this.isValid = isUtf8(bytes.subarray(0, wholeLength))
    this.#carried = Buffer.from(bytes.subarray(wholeLength))
  }

  end(): boolean {
    return this.isValid && this.#carried.length === 0
  }
}

/** How many bytes of lines with non-ASCII characters are collected: enough to detect an encoding, however long the file is. */
const sampleBytes = 48 * 1024

/** Collects the lines of a file with non-ASCII characters, from its beginning, until there are enough. */
export class NonAsciiLines {
  readonly #lines: Buffer[] = []
  #size = 0

  add(chunk: Buffer): void {
    if (this.#size >= sampleBytes || isAscii(chunk)) return
    let lf = -1
    let cr = -1
    for (let from = 0; from < chunk.length && this.#size < sampleBytes; ) {
      if (lf < from) lf = indexOrEnd(chunk, 10, from)
      if (cr < from) cr = indexOrEnd(chunk, 13, from)
      // A long line is taken in parts.
      const line = chunk.subarray(from, Math.min(lf + 1, cr + 1, from + 4096))
      if (!isAscii(line)) {
        this.#lines.push(Buffer.from(line))
        this.#size += line.length
      }
      from += line.length
    }
  }

  bytes(): Buffer {
    return Buffer.concat(this.#lines)
  }
}

function indexOrEnd(chunk: Buffer, byte: number, from: number): number {
  const index = chunk.indexOf(byte, from)
  return index < 0 ? chunk.length : index
}

/** How many of the likely encodings are named in messages. */
export const maxNamed = 3

/**
 * The encoding of a file without a byte order mark, by its lines with non-ASCII characters. `isUtf8Throughout`: the whole file is valid UTF-8.
 * `homeCountry`: the publisher's country, passed only if the user is shown that it was taken into account.
 */
export function encodingBySample(
  sample: Buffer,
  isUtf8Throughout: boolean,
  homeCountry = '',
): Pick<InspectedFile, 'encoding' | 'doubt' | 'assumed'> {
  if (sample.length === 0) return { encoding: 'utf-8', doubt: null, assumed: null }
  const { valid, invalid } = countCharacters(sample)
  // A few bad bytes do not mean another encoding: their rows are rejected.
  if (isUtf8Throughout || valid >= invalid)
    return { encoding: 'utf-8', doubt: doubleEncodingProblem(sample.toString('utf8')), assumed: null }
  const { encoding, isSure, isFromHomeCountry, others } = detectEncoding(sample, homeCountry)
  if (isSure) return { encoding, doubt: null, assumed: null }
  const likely = [encoding, ...others]
  const names = likely.slice(0, maxNamed).map((name) => encodings[name])
  if (isFromHomeCountry) {
    const problem = `it was read as ${names[0]}, which is usual in your country; it may also be ${names.slice(1).join(' or ')}`
    return { encoding, doubt: null, assumed: { problem, likely } }
  }
  const problem = `its encoding cannot be detected; it may be ${names.join(' or ')}`
  return { encoding, doubt: { problem, likely }, assumed: null }
}

/** Counts the valid UTF-8 characters of several bytes, and the invalid bytes. */
function countCharacters(bytes: Buffer): { valid: number; invalid: number } {
  let valid = 0
  let invalid = 0
  for (const letter of bytes.toString('utf8')) {
    if (letter === '\ufffd') invalid++
    else if (letter >= '\u0080') valid++
  }
  return { valid, invalid }
}

/** Detects files that were encoded twice: a repair makes sense of nearly every non-ASCII word. */
function doubleEncodingProblem(text: string): EncodingDoubt | null {
  // A no-break space may be half of a letter.
  const words = (text.match(/[^ \t\r\n,;|"]*\P{ASCII}[^ \t\r\n,;|"]*/gu) ?? []).filter(
    (word) => !word.includes('\ufffd'),
  )
  const likeliest = doubleEncodings
    .map((encoding) => ({ encoding, pairs: words.flatMap((word) => repairedPair(word, encoding)) }))
    .sort((a, b) => b.pairs.length - a.pairs.length)[0]
  const example = likeliest?.pairs.find(({ isCertain }) => isCertain)
  if (!likeliest || !example || likeliest.pairs.length < words.length * 0.7) return null
  return {
    problem: `it was saved with the wrong encoding: “${example.word}” should be “${example.text}”`,
    likely: [likeliest.encoding, 'utf-8'],
  }
}

function repairedPair(word: string, encoding: DoubleEncoding): { word: string; text: string; isCertain: boolean }[] {
  // What was read as Windows-1252 has signs that no name has, and its letters need no check.
  const western = encoding === 'utf-8-twice' ? repaired(word) : null
  if (western !== null) return [{ word, text: western, isCertain: true }]
  const repair = repairOf(word, encoding)
  return repair === null ? [] : [{ word, ...repair }]
}

/** Number of bytes up to the last complete character. */
function wholeCharacters(bytes: Buffer): number {
  for (let fromEnd = 1; fromEnd <= Math.min(3, bytes.length); fromEnd++) {
    const byte = bytes[bytes.length - fromEnd] as number
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > fromEnd ? bytes.length - fromEnd : bytes.length
    }
  }
  return bytes.length
}

/** The file type of a file that is not text, by its first bytes; null when it may be text. */
export function binaryFormatOf(start: Buffer): string | null {
  const text = start.subarray(0, 100).toString('latin1')
  if (text.startsWith('PK\x03\x04')) return 'an Excel workbook or a zip file'
  if (text.startsWith('\xd0\xcf\x11\xe0')) return 'an old Excel workbook'
  if (text.startsWith('%PDF')) return 'a PDF'
  if (text.startsWith('\x1f\x8b')) return 'a gzip file'
  if (/^(\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*|RIFF....WEBP)/s.test(text)) return 'an image'
  if (/^(\xef\xbb\xbf)?\s*<(!doctype html|html)\b/i.test(text)) return 'a web page'
  return null
}
