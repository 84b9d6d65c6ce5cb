import { createHash, type Hash } from 'node:crypto'
import { byteOrderMark } from '../kernel/csv-text.ts'
import { type PostalZone, zoneOfDigit } from '../kernel/postal-zones.rules.ts'
import type { WrittenFile } from './counts-sheet.rules.ts'
import type { LayoutEncoding } from './layout.rules.ts'
import type { LineFormatter } from './layout-line.rules.ts'
import type { MailingRow } from './mailing-file.rules.ts'
import { toWindows1252 } from './windows-1252.rules.ts'

/** A chunk of one of the mailing files. */
export interface FileChunk {
  /** The index of the file in `files`. */
  file: number
  bytes: Buffer
}

interface WriteOptions {
  formatter: LineFormatter
  encoding: LayoutEncoding
  /** The files in the order of their zones; every zone is in one of them. */
  files: { name: string; zone: PostalZone | null }[]
}

interface MailingOutput {
  fileChunks: AsyncIterable<FileChunk>
  /** Each file with its readers, bytes and hash so far. */
  files(): WrittenFile[]
  /** The size and hash of all files together, in their order. */
  total(): { bytes: number; sha256: string }
  rows(): number
}

/** Encodes pages of rows, sorted by zone and postcode, into the bytes of the files. A zone without readers still gets a file, with only the header. */
export function writeMailing(
  pages: AsyncIterable<MailingRow[]>,
  { formatter, encoding, files }: WriteOptions,
): MailingOutput {
  const counts = files.map(() => ({ readers: 0, bytes: 0, hash: createHash('sha256') }))
  const total = { bytes: 0, hash: createHash('sha256') }
  const digest = (hash: Hash) => hash.copy().digest('hex')
  let sequence = 0
  const encode = (text: string) => (encoding === 'windows-1252' ? toWindows1252(text) : Buffer.from(text))
  const chunk = (file: number, text: string): FileChunk => {
    const bytes = encode(text)
    const count = counts[file] as (typeof counts)[number]
    for (const target of [count, total]) {
      target.bytes += bytes.length
      target.hash.update(bytes)
    }
    return { file, bytes }
  }
  const start = (file: number) => chunk(file, (encoding === 'utf-8-bom' ? byteOrderMark : '') + formatter.header())

  async function* fileChunks(): AsyncGenerator<FileChunk> {
    let file = 0
    yield start(0)
    for await (const rows of pages) {
      let lines = ''
      for (const row of rows) {
        const zone = zoneOfDigit.get(row[0] ?? '') ?? 'world'
        while (files[file]?.zone !== null && files[file]?.zone !== zone && file < files.length - 1) {
          if (lines !== '') yield chunk(file, lines)
          lines = ''
          file++
          yield start(file)
        }
        sequence++
        ;(counts[file] as (typeof counts)[number]).readers++
        lines += formatter.line(row, { zone, sequence })
      }
      if (lines !== '') yield chunk(file, lines)
    }
    while (file < files.length - 1) yield start(++file)
  }

  return {
    fileChunks: fileChunks(),
    files: () =>
      files.map((file, index) => {
        const { readers, bytes, hash } = counts[index] as (typeof counts)[number]
        return { ...file, readers, bytes, sha256: digest(hash) }
      }),
    total: () => ({ bytes: total.bytes, sha256: digest(total.hash) }),
    rows: () => sequence,
  }
}
