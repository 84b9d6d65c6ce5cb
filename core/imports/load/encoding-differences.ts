import type { FileHandle } from 'node:fs/promises'
import iconv from 'iconv-lite'
import type { FileEncoding } from '../../kernel/file-encodings.ts'
import { shortened } from '../../kernel/text-format.ts'
import type { EncodingDifference, EncodingDoubt, InspectedFile } from '../../ports/upload-files.ts'
import { iconvName } from './detect-encoding.ts'
import { maxNamed } from './file-encoding.ts'
import { normaliseCell } from './read-row.rules.ts'
import { RecordScanner } from './record-scanner.ts'
import { textDecoder } from './text-decoder.ts'

const chunkBytes = 256 * 1024
const maxDifferences = 3
/** How much is read after the first difference, to find one between encodings that read that cell alike. */
const maxFurtherBytes = 4 * 1024 * 1024
const maxCellLength = 80

/**
 * The first cells of a file that its likely encodings read differently; each distinguishes encodings that the cells before it do not. The file is split
 * into cells as bytes, a chunk at a time, so that the cells are the same in every encoding.
 */
export async function encodingDifferences(
  input: FileHandle,
  { skip, firstLine, delimiter, header }: Pick<InspectedFile, 'skip' | 'firstLine' | 'delimiter' | 'header'>,
  { likely }: EncodingDoubt,
): Promise<EncodingDifference[]> {
  const candidates = likely.slice(0, maxNamed)
  const bytesAs = likely.some(isWide) ? iconvName(candidates[0] as FileEncoding) : 'latin1'
  const alikePairs = new Set(
    candidates.flatMap((first, index) => candidates.slice(index + 1).map((second) => `${first} ${second}`)),
  )
  const differences: EncodingDifference[] = []
  const compare = (cell: string, line: number, column: string | null) => {
    if (differences.length >= maxDifferences || !/\P{ASCII}/u.test(cell)) return
    const bytes = iconv.encode(cell, bytesAs, { addBOM: false })
    const values = new Map(candidates.map((encoding) => [encoding, storedText(bytes, encoding)]))
    const distinguished = [...alikePairs].filter((pair) => {
      const [first, second] = pair.split(' ') as [FileEncoding, FileEncoding]
      return values.get(first) !== values.get(second)
    })
    if (distinguished.length === 0) return
    for (const pair of distinguished) alikePairs.delete(pair)
    const readings = [...new Set(values.values())].map((value) => ({
      encodings: candidates.filter((encoding) => values.get(encoding) === value),
      value,
    }))
    differences.push({ line, column, readings })
  }
  let isHeader = true
  const scanner = new RecordScanner(
    delimiter,
    () => (isHeader ? 0 : header.length),
    {
      record(cells, line) {
        for (const [index, cell] of cells.entries()) compare(cell, line, isHeader ? null : (header[index] ?? ''))
        isHeader = false
      },
      malformed() {
        isHeader = false
      },
    },
    firstLine,
  )
  const decoder = iconv.getDecoder(bytesAs, { stripBOM: false })
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let text = ''
  let remainingBytes = maxFurtherBytes
  for (let position = skip; alikePairs.size > 0 && differences.length < maxDifferences && remainingBytes > 0; ) {
    const { bytesRead } = await input.read(buffer, 0, chunkBytes, position)
    position += bytesRead
    const isLast = bytesRead === 0
    text += isLast ? (decoder.end() ?? '') : decoder.write(buffer.subarray(0, bytesRead))
    text = text.slice(scanner.scan(text, isLast))
    if (differences.length > 0) remainingBytes -= bytesRead
    if (isLast) break
  }
  return differences
}

const isWide = (encoding: FileEncoding) => encoding === 'utf-16le' || encoding === 'utf-16be'

function storedText(bytes: Buffer, encoding: FileEncoding): string {
  const decoder = textDecoder(encoding)
  return shortened(normaliseCell(decoder.write(bytes) + decoder.end(), false), maxCellLength)
}
