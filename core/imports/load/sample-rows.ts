import { open } from 'node:fs/promises'
import type { InspectedFile } from '../../ports/upload-files.ts'
import { RecordScanner } from './record-scanner.ts'
import { textDecoder } from './text-decoder.ts'

const sampleBytes = 128 * 1024

/**
 * The first whole records of a file after its header, each with its line. A line that is not a record (a quote that never closes) is returned as one
 * cell.
 */
export async function headRecords(file: InspectedFile, max: number): Promise<{ line: number; cells: string[] }[]> {
  const input = await open(file.path, 'r')
  try {
    const buffer = Buffer.alloc(Math.min(sampleBytes, Math.max(0, file.bytes - file.skip)))
    await input.read(buffer, 0, buffer.length, file.skip)
    const records: { line: number; cells: string[] }[] = []
    let isHeader = true
    const scanner = new RecordScanner(
      file.delimiter,
      () => (isHeader ? 0 : file.header.length),
      {
        record(cells, line) {
          if (isHeader) isHeader = false
          else if (cells.some((cell) => cell.trim() !== '')) records.push({ line, cells })
        },
        malformed: (text, line) => void records.push({ line, cells: [text] }),
      },
      file.firstLine,
    )
    scanner.scan(textDecoder(file.encoding).write(buffer), file.skip + buffer.length >= file.bytes)
    return records.slice(0, max)
  } finally {
    await input.close()
  }
}

/** Whole records from the head, the middle and the end of a file, so that a guess does not depend on its first lines alone. */
export async function sampleRows(file: InspectedFile, perPlace: number): Promise<string[][]> {
  const input = await open(file.path, 'r')
  try {
    const places = [...new Set([0, Math.floor(file.bytes / 2 / 4) * 4, Math.max(0, file.bytes - sampleBytes)])]
    const rows: string[][] = []
    let readTo = 0
    for (const place of places) {
      // In UTF-16 a character begins at an even distance from the byte order mark.
      const from = Math.max(readTo, place - (place % 2) + (place === 0 ? file.skip : file.skip % 2))
      const buffer = Buffer.alloc(Math.min(sampleBytes, Math.max(0, file.bytes - from)))
      await input.read(buffer, 0, buffer.length, from)
      readTo = from + buffer.length
      rows.push(...wholeRows(file, buffer, { isHead: place === 0, isEnd: readTo >= file.bytes, max: perPlace }))
    }
    return rows
  } finally {
    await input.close()
  }
}

function wholeRows(
  file: InspectedFile,
  bytes: Buffer,
  { isHead, isEnd, max }: { isHead: boolean; isEnd: boolean; max: number },
): string[][] {
  const text = textDecoder(file.encoding).write(bytes)
  const rows: string[][] = []
  // The first record is the header, or one that was cut.
  let isFirst = true
  const scanner = new RecordScanner(file.delimiter, () => 0, {
    record(cells) {
      if (isFirst) isFirst = false
      else if (cells.length === file.header.length && rows.length < max) rows.push(cells)
    },
    malformed: () => {
      if (!isHead) isFirst = false
    },
  })
  scanner.scan(text, isEnd)
  return rows
}
