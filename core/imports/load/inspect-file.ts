import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { AppError } from '#core/kernel/errors.ts'
import { tablesOfDoubleEncoding } from '../../kernel/double-encoding.rules.ts'
import { delimiters, type FileEncoding } from '../../kernel/file-encodings.ts'
import type { EncodingDoubt, InspectedFile } from '../../ports/upload-files.ts'
import { encodingDifferences } from './encoding-differences.ts'
import {
  binaryFormatOf,
  encodingBySample,
  encodingOfStart,
  isUtf32,
  NonAsciiLines,
  Utf8Check,
} from './file-encoding.ts'
import { RecordScanner } from './record-scanner.ts'
import { textDecoder } from './text-decoder.ts'

const chunkBytes = 1 << 20
/** Far more than any system exports; each column is named, matched and shown to the user. */
const maxColumns = 500

/** How a file is to be read; what is not set is detected. */
export interface FileFormat {
  encoding?: FileEncoding | undefined
  delimiter?: string | undefined
  /** The publisher's country, set where the user is shown the assumption: its usual encoding then decides between likely ones. */
  homeCountry?: string | undefined
  /** Whether the first line is already a row: such a file needs no other. */
  isRow?: ((cells: readonly string[]) => boolean) | undefined
}

/** Reads a whole file once, with one chunk in memory: determines its type, encoding, delimiter, header, length and hash. */
export async function inspectFile(path: string, reading: FileFormat = {}): Promise<InspectedFile> {
  const file = await openFile(path)
  try {
    const fileStat = await file.stat()
    if (fileStat.isDirectory())
      throw new AppError('invalid', `"${path}" is a directory`, { hint: 'Name the CSV file inside it.' })
    const buffer = Buffer.allocUnsafe(chunkBytes)
    const hash = createHash('sha256')
    const utf8 = new Utf8Check()
    const nonAscii = new NonAsciiLines()
    let start: Buffer | undefined
    let encodingAtStart: ReturnType<typeof encodingOfStart> = null
    let bytes = 0
    let lines = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, bytes)
      if (bytesRead === 0) break
      const chunk = buffer.subarray(0, bytesRead)
      if (!start) {
        start = Buffer.from(chunk)
        encodingAtStart = checkStart(path, start, reading.encoding)
      }
      hash.update(chunk)
      if (encodingAtStart === null || encodingAtStart.encoding === 'utf-8') {
        utf8.add(chunk)
        nonAscii.add(chunk)
      }
      lines += countLines(chunk)
      bytes += bytesRead
    }
    if (!start || bytes === 0)
      throw new AppError('invalid', `"${path}" is empty`, { hint: 'Export it again, with its header line.' })
    const detected =
      encodingAtStart !== null && encodingAtStart.encoding !== 'utf-8'
        ? { encoding: encodingAtStart.encoding, doubt: encodingAtStart.doubt ?? null, assumed: null }
        : encodingBySample(nonAscii.bytes(), utf8.end() || encodingAtStart !== null, reading.homeCountry)
    const encoding = reading.encoding ?? detected.encoding
    const markBytes =
      encodingAtStart !== null && isSameFamily(encodingAtStart.encoding, encoding) ? encodingAtStart.skip : 0
    const separator = separatorLine(start.subarray(markBytes), encoding)
    const skip = markBytes + (separator?.bytes ?? 0)
    const namedDelimiter = reading.delimiter ?? separator?.delimiter
    const { header, delimiter, hasRows } = readHeader(path, start.subarray(skip), {
      encoding,
      declaredDelimiter: namedDelimiter,
      isLonger: bytes > start.length,
    })
    if (!hasRows && !reading.isRow?.(header))
      throw new AppError('invalid', `"${path}" has a header but no rows`, {
        hint: 'Put the rows below it, one on each line.',
      })
    const firstLine = separator ? 2 : 1
    const sha256 = hash.digest('hex')
    // As it was before its first byte was read.
    const stat = { ino: fileStat.ino, size: fileStat.size, mtimeMs: fileStat.mtimeMs }
    const inspected = { path, bytes, sha256, encoding, skip, firstLine, delimiter, header, lines, stat }
    const withDifferences = async (doubt: EncodingDoubt | null) =>
      doubt === null || reading.encoding !== undefined
        ? null
        : { ...doubt, differences: await encodingDifferences(file, inspected, doubt) }
    return {
      ...inspected,
      doubt: await withDifferences(detected.doubt),
      assumed: await withDifferences(detected.assumed),
    }
  } finally {
    await file.close()
  }
}

async function openFile(path: string) {
  try {
    return await open(path, 'r')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new AppError('invalid', `There is no file "${path}"`, { hint: 'Check the path.', cause: error })
    }
    throw new AppError('invalid', `"${path}" cannot be read (${code})`, {
      hint: 'Check that you have permission to read it.',
      cause: error,
    })
  }
}

/** Whether a file with the byte order mark of one encoding can be in the other. */
function isSameFamily(marked: FileEncoding, encoding: FileEncoding): boolean {
  return marked === encoding || (marked === 'utf-8' && encoding in tablesOfDoubleEncoding)
}

/** Excel's first line "sep=;", which names the delimiter and is not a header; null if there is none. */
function separatorLine(start: Buffer, encoding: FileEncoding): { delimiter: string; bytes: number } | null {
  const text = textDecoder(encoding).write(start.subarray(0, 64))
  const match = /^\ufeff?"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(text)
  if (!match) return null
  // Apart from a byte order mark, the line is ASCII.
  const width = encoding === 'utf-16le' || encoding === 'utf-16be' ? 2 : 1
  return { delimiter: match[1] as string, bytes: match[0].replace('\ufeff', '').length * width }
}

function checkStart(
  path: string,
  start: Buffer,
  encoding: FileEncoding | undefined,
): ReturnType<typeof encodingOfStart> {
  const binary = binaryFormatOf(start)
  const hint = 'Save it as CSV (in Excel: File, Save As, "CSV UTF-8") and import that.'
  if (binary) throw new AppError('invalid', `"${path}" is not a CSV file: it is ${binary}`, { hint })
  if (isUtf32(start)) {
    throw new AppError('invalid', `"${path}" is in UTF-32, an encoding that Masthead does not read`, {
      hint: 'Save it as UTF-8: in Excel File, Save As, "CSV UTF-8"; in a text editor Save As, with the encoding UTF-8.',
    })
  }
  const encodingAtStart = encodingOfStart(start)
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be'
  if (!encodingAtStart && !isWide && isBinary(start))
    throw new AppError('invalid', `"${path}" is not a CSV file: it contains bytes that are not text`, { hint })
  return encodingAtStart
}

/** Whether a file is not text: a NUL in the header, or many NULs. A stray one in a row costs only that row. */
function isBinary(start: Buffer): boolean {
  const first = start.indexOf(0)
  if (first < 0) return false
  const headerEnd = start.indexOf(10)
  if (headerEnd < 0 || first < headerEnd) return true
  let count = 0
  for (let index = first; index >= 0; index = start.indexOf(0, index + 1)) count++
  return count > start.length / 100
}

/** Counts line ends, accurately enough to show the progress of an import. */
function countLines(chunk: Buffer): number {
  let count = 0
  for (let index = chunk.indexOf(10); index >= 0; index = chunk.indexOf(10, index + 1)) count++
  return count
}

interface Header {
  header: string[]
  delimiter: string
  hasRows: boolean
}

/** The header, by the delimiter that splits the first record into the most cells. */
function readHeader(
  path: string,
  start: Buffer,
  {
    encoding,
    declaredDelimiter,
    isLonger,
  }: { encoding: FileEncoding; declaredDelimiter: string | undefined; isLonger: boolean },
): Header {
  const text = textDecoder(encoding)
    .write(start)
    .replace(/^\ufeff/, '')
  let best: Header | undefined
  for (const delimiter of declaredDelimiter ? [declaredDelimiter] : Object.values(delimiters)) {
    const records: string[][] = []
    const scanner = new RecordScanner(delimiter, () => 0, {
      record(cells) {
        if (records.length < 2) records.push(cells)
      },
      malformed() {
        records.push([])
      },
    })
    scanner.scan(text, !isLonger)
    const header = records[0]?.map((cell) => cell.trim())
    if (header && header.length > (best?.header.length ?? 0))
      best = { header, delimiter, hasRows: isLonger || records.length > 1 }
  }
  if (!best || best.header.every((name) => name === '')) {
    throw new AppError('invalid', `"${path}" has no header line`, {
      hint: 'The first line must name the columns, as in the template.',
    })
  }
  if (best.header.length > maxColumns) {
    throw new AppError('invalid', `"${path}" has ${best.header.length} columns: at most ${maxColumns} can be read`, {
      hint: 'Leave out the columns that are not about readers.',
    })
  }
  return best
}
