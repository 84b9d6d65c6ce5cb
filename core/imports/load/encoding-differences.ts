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
/** How much is read after the first difference to find one between encodings that read the first alike. */
const maxFurtherBytes = 4 * 1024 * 1024
const maxCellLength = 80

/**
 * The first cells of a file that its likely encodings read differently: one for each pair of encodings that the cells before it do not distinguish. Read
 * as bytes, a chunk at a time, so that each cell is the same in every encoding.
 */
export async function encodingDifferences(
  input: FileHandle,
  { skip, firstLine, delimiter, header }: Pick<InspectedFile, 'skip' | 'firstLine' | 'delimiter' | 'header'>,
  { likely }: EncodingDoubt,
): Promise<EncodingDifference[]> {
  const candidates = likely.slice(0, maxNamed)
  const bytesAs = likely.some(isWide) ? iconvName(candidates[0] as FileEncoding) : 'latin1'
  const alike = new Set(candidates.flatMap((one, index) => candidates.slice(index + 1).map((two) => `${one} ${two}`)))
  const differences: EncodingDifference[] = []
  const compare = (cell: string, line: number, column: string | null) => {
    if (differences.length >= maxDifferences || !/\P{ASCII}/u.test(cell)) return
    const bytes = iconv.encode(cell, bytesAs, { addBOM: false })
    const values = new Map(candidates.map((encoding) => [encoding, storedText(bytes, encoding)]))
    const distinguished = [...alike].filter((pair) => {
      const [one, two] = pair.split(' ') as [FileEncoding, FileEncoding]
      return values.get(one) !== values.get(two)
    })
    if (distinguished.length === 0) return
    for (const pair of distinguished) alike.delete(pair)
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
  let readOn = maxFurtherBytes
  for (let position = skip; alike.size > 0 && differences.length < maxDifferences && readOn > 0; ) {
    const { bytesRead } = await input.read(buffer, 0, chunkBytes, position)
    position += bytesRead
    const isLast = bytesRead === 0
    text += isLast ? (decoder.end() ?? '') : decoder.write(buffer.subarray(0, bytesRead))
    text = text.slice(scanner.scan(text, isLast))
    if (differences.length > 0) readOn -= bytesRead
    if (isLast) break
  }
  return differences
}

const isWide = (encoding: FileEncoding) => encoding === 'utf-16le' || encoding === 'utf-16be'

function storedText(bytes: Buffer, encoding: FileEncoding): string {
  const decoder = textDecoder(encoding)
  return shortened(normaliseCell(decoder.write(bytes) + decoder.end(), false), maxCellLength)
}
