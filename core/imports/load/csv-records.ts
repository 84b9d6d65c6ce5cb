import { open } from 'node:fs/promises'
import { CsvError, parse } from 'csv-parse/sync'
import { AppError } from '../../kernel/errors.ts'
import { storableText } from '../../kernel/storable-text.ts'
import type { InspectedFile } from '../../ports/upload-files.ts'
import { textDecoder } from './text-decoder.ts'

/**
 * A parsed record of a file that is not a reader file. A line that is not a record is returned as one cell, so that the caller can report it.
 */
export interface CsvRecord {
  /** The physical line on which it begins. */
  line: number
  cells: string[]
}

// Small, because the text after a line that is not a record is parsed again.
const chunkBytes = 64 * 1024

/** A file's records without its header, a chunk at a time, as storable texts; blank ones are skipped. */
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
      const records = reader.read(isLast ? decoder.end() : decoder.write(buffer.subarray(0, bytesRead)), isLast)
      if (isHeader && records.length > 0) {
        records.shift()
        isHeader = false
      }
      const batch = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
      if (batch.length > 0) yield batch.map(({ line, cells }) => ({ line, cells: cells.map(storableText) }))
    }
  } finally {
    await input.close()
  }
}

/** Longest record accepted, in bytes: a missing quote must not turn a whole file into one record, nor a giant cell fill the memory. */
const maxRecordBytes = 1_000_000
/**
 * How many quotes may stay open. After each, up to a megabyte is parsed again: a file whose quotes never pair would block its process for hours.
 */
const maxUnclosed = 10
/** How much of a line that is not a record is returned. */
const maxExcerptLength = 2000
const lf = 10

/**
 * Splits text into records by csv-parse, as it arrives. A quote that is never closed would swallow the rest of the file: the line in which such a
 * record begins is returned unparsed, and reading continues with the next one; after `maxUnclosed` such lines the file is refused.
 */
export class RecordReader {
  readonly #delimiter: string
  #text = ''
  #unread: Buffer = Buffer.alloc(0)
  /** The physical line of the first unread byte. */
  #line: number
  /** Inside a line that is too long for any record: it was returned already, and its end has not been read yet. */
  #isInGiant = false
  #unclosed = 0

  constructor(delimiter: string, firstLine = 1) {
    this.#delimiter = delimiter
    this.#line = firstLine
  }

  read(text: string, isLast: boolean): CsvRecord[] {
    // Line ends are normalised, since csv-parse counts two for each CR LF inside a cell. A CR at the end may be half of one.
    const pending = this.#text + text
    const end = !isLast && pending.endsWith('\r') ? pending.length - 1 : pending.length
    this.#text = pending.slice(end)
    this.#unread = Buffer.concat([this.#unread, Buffer.from(pending.slice(0, end).replaceAll(/\r\n?/g, '\n'))])
    const records: CsvRecord[] = []
    while (this.#unread.length > 0 && this.#step(records, isLast));
    return records
  }

  /** Reads the records at the beginning of the text, or returns a line that is not a record. False when more text is needed. */
  #step(records: CsvRecord[], isLast: boolean): boolean {
    const end = isLast ? this.#unread.length : this.#unread.lastIndexOf(lf) + 1
    if (this.#isInGiant || (end === 0 && this.#unread.length > maxRecordBytes)) return this.#skipGiant(records)
    if (end === 0) return false
    const parsed = this.#parse(this.#unread.subarray(0, end))
    const { lines, error } = parsed
    for (const { line, cells } of parsed.records) records.push({ line: this.#line + line, cells })
    this.#drop(error ? lines : Number.POSITIVE_INFINITY, end)
    if (!error) return false
    while (this.#unread[0] === lf) this.#drop(1, 1)
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
      if (!isLast && this.#unread.length <= maxRecordBytes) return false
      if (++this.#unclosed > maxUnclosed) throw tooManyUnclosed(this.#line)
    }
    this.#returnLine(records)
    return true
  }

  #parse(bytes: Buffer): { records: CsvRecord[]; lines: number; error: CsvError | null } {
    const records: CsvRecord[] = []
    let lines = 0
    try {
      parse(bytes, {
        delimiter: this.#delimiter,
        record_delimiter: '\n',
        relax_column_count: true,
        skip_empty_lines: true,
        // For spaces around a quoted cell, and inch marks in an unquoted one.
        trim: true,
        relax_quotes: true,
        on_record: (cells: string[], { lines: last }) => {
          // Counted back from the last line by the line ends inside the cells, since blank lines may precede the record.
          records.push({ line: last - 1 - cells.reduce((sum, cell) => sum + lineEnds(cell), 0), cells })
          lines = last
          return null
        },
      })
      return { records, lines, error: null }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      return { records, lines, error }
    }
  }

  /** Drops this many lines, at most up to `end`. */
  #drop(lines: number, end: number): void {
    let offset = 0
    for (let line = 0; line < lines && offset < end; line++) {
      const next = this.#unread.indexOf(lf, offset)
      if (next < 0 || next >= end) {
        offset = end
        break
      }
      this.#line++
      offset = next + 1
    }
    this.#unread = this.#unread.subarray(offset)
  }

  #returnLine(records: CsvRecord[]): void {
    const next = this.#unread.indexOf(lf)
    const line = this.#unread.subarray(0, next < 0 ? this.#unread.length : next)
    records.push({ line: this.#line, cells: [line.subarray(0, maxExcerptLength).toString()] })
    this.#drop(1, this.#unread.length)
  }

  #skipGiant(records: CsvRecord[]): boolean {
    if (!this.#isInGiant)
      records.push({ line: this.#line, cells: [this.#unread.subarray(0, maxExcerptLength).toString()] })
    const next = this.#unread.indexOf(lf)
    this.#isInGiant = next < 0
    this.#drop(1, this.#unread.length)
    return !this.#isInGiant
  }
}

function lineEnds(text: string): number {
  let count = 0
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) count++
  return count
}

function tooManyUnclosed(line: number): AppError {
  return new AppError(
    'invalid',
    `Line ${line} opens a quote that is never closed, as do ${maxUnclosed} lines before it`,
    {
      hint: 'Correct the quotes of the file, and upload it again.',
    },
  )
}
