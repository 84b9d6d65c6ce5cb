import { open } from 'node:fs/promises'
import type { InspectedFile } from '../../ports/upload-files.ts'
import { RecordScanner } from './record-scanner.ts'
import { textDecoder } from './text-decoder.ts'

/**
 * A parsed record of a file that is not a reader file. A line that is not a record is returned as one cell, so that the caller can report it.
 */
export interface CsvRecord {
  /** The physical line on which it begins. */
  line: number
  cells: string[]
}

const chunkBytes = 64 * 1024

/** A file's records without its header, a chunk at a time; blank ones are skipped. */
export async function* csvRecords(file: InspectedFile): AsyncGenerator<CsvRecord[]> {
  const decoder = textDecoder(file.encoding)
  const reader = new RecordReader(file.delimiter, file.firstLine)
  const input = await open(file.path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    let isHeader = true
    for (let position = file.skip, isLast = false; !isLast; ) {
      const { bytesRead } = await input.read(buffer, 0, chunkBytes, position)
      isLast = bytesRead === 0
      position += bytesRead
      const found = reader.read(isLast ? decoder.end() : decoder.write(buffer.subarray(0, bytesRead)), isLast)
      if (isHeader && found.length > 0) {
        found.shift()
        isHeader = false
      }
      const batch = found.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
      if (batch.length > 0) yield batch
    }
  } finally {
    await input.close()
  }
}

/** Splits text into records as it arrives. Its cells are trimmed, and line breaks inside them are LF. */
export class RecordReader {
  readonly #scanner: RecordScanner
  #rest = ''
  #found: CsvRecord[] = []

  constructor(delimiter: string, firstLine = 1) {
    this.#scanner = new RecordScanner(
      delimiter,
      () => 0,
      {
        record: (cells, line) => void this.#found.push({ line, cells: cells.map(cellText) }),
        malformed: (text, line) => void this.#found.push({ line, cells: [text] }),
      },
      firstLine,
    )
  }

  read(text: string, isLast: boolean): CsvRecord[] {
    this.#found = []
    const whole = this.#rest + text
    this.#rest = whole.slice(this.#scanner.scan(whole, isLast))
    return this.#found
  }
}

function cellText(cell: string): string {
  return cell.trim().replaceAll(/\r\n?/g, '\n')
}
