/** Called with what the scanner finds, in file order. Lines are physical lines of the file, counted from 1. */
export interface ScanHandler {
  /** A record's cells, still untrimmed, and where its text begins in the buffer. */
  record(cells: string[], line: number, start: number): void
  /** A line that is not a record: a quote that is never closed, a stray quote, or too long. Scanning continues with the next line. */
  malformed(text: string, line: number, reason: string): void
}

/** Longest record accepted, in characters. A missing quote must not turn a whole file into one record, nor a giant cell fill the memory. */
const maxRecordLength = 1_000_000

const lf = 10
const cr = 13
const quote = 34

/**
 * Splits text into CSV records (RFC 4180, any line ends, blank lines skipped). Lines without a quote are split by `String.split`, which
 * makes it fast. When a quote is never closed, only its line is lost.
 */
export class RecordScanner {
  readonly #delimiter: string
  readonly #width: () => number
  readonly #handler: ScanHandler
  #line: number
  /** Inside a giant record whose beginning has been reported: drop everything up to the next line end. */
  #isSkipping = false
  /** Inside a giant quoted cell whose beginning has been reported: its lines are dropped up to the one that closes it. */
  #isInGiantCell = false
  /**
   * A cache: how the cells of given-up records end, by the position where they begin. The next line often leads into the same cells: without the cache,
   * a file whose quotes never pair would be read to its end again for each of its lines.
   */
  readonly #endings = new Map<number, Ending>()

  /** `width` is the number of cells the header has, once it is known; zero before. */
  constructor(delimiter: string, width: () => number, handler: ScanHandler, firstLine = 1) {
    this.#line = firstLine
    this.#delimiter = delimiter
    this.#width = width
    this.#handler = handler
  }

  /** Scans all whole records and returns where the rest begins: prepend it to the next text. */
  scan(text: string, isLast: boolean): number {
    const length = text.length
    let position = 0
    let nextLf = -1
    let nextCr = -1
    let nextQuote = -1
    this.#endings.clear()
    while (position < length) {
      if (nextLf < position) nextLf = indexOr(text, '\n', position, length)
      if (nextCr < position) nextCr = indexOr(text, '\r', position, length)
      const end = Math.min(nextLf, nextCr)
      // A carriage return at the very end may be half of a line end.
      if (!isLast && (end === length || (end === nextCr && end === length - 1))) break
      const next = end === nextCr && nextLf === nextCr + 1 ? end + 2 : Math.min(end + 1, length)
      if (this.#isSkipping) {
        this.#isSkipping = false
        this.#line++
        position = next
        continue
      }
      if (this.#isInGiantCell && this.#dropsLine(text.slice(position, end))) {
        this.#line++
        position = next
        continue
      }
      if (nextQuote < position) nextQuote = indexOr(text, '"', position, length)
      if (nextQuote >= end) {
        if (end > position) {
          if (end - position > maxRecordLength) this.#reportMalformed(text, position, end, tooLong)
          else this.#handler.record(text.slice(position, end).split(this.#delimiter), this.#line, position)
        }
        this.#line++
        position = next
        continue
      }
      const line = { start: position, lineEnd: end, nextLine: next }
      const nextPosition = this.#scanQuoted(text, line, isLast)
      if (nextPosition === undefined && length - position <= maxRecordLength) break
      position = nextPosition ?? this.#giveUp(text, line, neverClosed, length)
    }
    if (length - position > maxRecordLength) return this.#skipTooLong(text, position)
    return position
  }

  /** A record with quotes. Returns where the next one begins, or undefined when its end is not in the text yet. */
  #scanQuoted(text: string, line: Line, isLast: boolean): number | undefined {
    const { start, lineEnd } = line
    const cells: string[] = []
    /** Where its cells on later lines begin. */
    const laterCells: number[] = []
    const length = text.length
    let usesCache = false
    let position = start
    for (;;) {
      if (position > lineEnd && !usesCache) {
        const cached = this.#endings.get(position)
        if (cached) {
          const count = cells.length + cached.cells
          const problem = cached.kind === 'record' ? this.#problemOf(text, line, cached.stop, count) : neverClosed
          if (problem !== null) return this.#end(text, line, cached, laterCells, problem)
          usesCache = true
        }
        laterCells.push(position)
      }
      let from = position
      while (text.charCodeAt(from) === 32) from++
      let stop: number
      if (text.charCodeAt(from) === quote) {
        const closed = readQuoted(text, from + 1)
        if (!closed)
          return this.#end(text, line, { kind: isLast ? 'broken' : 'open', stop: length, cells: 0 }, laterCells)
        cells.push(closed.cell)
        stop = closed.end
        while (text.charCodeAt(stop) === 32) stop++
        const code = text.charCodeAt(stop)
        if (stop < length && code !== lf && code !== cr && text[stop] !== this.#delimiter) {
          if (stop <= lineEnd) return this.#giveUp(text, line, strayQuote)
          return this.#end(text, line, { kind: 'broken', stop, cells: 0 }, laterCells)
        }
      } else {
        stop = unquotedEnd(text, position, this.#delimiter)
        cells.push(text.slice(position, stop))
      }
      if (stop < length && text[stop] === this.#delimiter) {
        position = stop + 1
        continue
      }
      // A carriage return at the very end may be half of a line end.
      const isOpen = !isLast && (stop >= length || (text.charCodeAt(stop) === cr && stop === length - 1))
      if (isOpen) return this.#end(text, line, { kind: 'open', stop, cells: 0 }, laterCells)
      const problem = this.#problemOf(text, line, stop, cells.length)
      if (problem !== null) return this.#end(text, line, { kind: 'record', stop, cells: 0 }, laterCells, problem)
      this.#handler.record(cells, this.#line, start)
      if (stop > lineEnd) this.#line += countLineEnds(text, start, stop)
      this.#line++
      const isCrLf = text.charCodeAt(stop) === cr && text.charCodeAt(stop + 1) === lf
      return Math.min(stop + (isCrLf ? 2 : 1), length)
    }
  }

  /** Why a record from here to `stop` is not accepted; null if it is. */
  #problemOf(text: string, { start, lineEnd, nextLine }: Line, stop: number, cells: number): string | null {
    const isMultiLine = stop > lineEnd
    if (stop - start > maxRecordLength) return isMultiLine ? neverClosed : tooLong
    const width = this.#width()
    // An unclosed quote that met the next quoted cell: the number of cells is wrong, and the next line would be a separate record.
    if (isMultiLine && width > 0 && cells !== width && looksComplete(text, nextLine, this.#delimiter, width))
      return neverClosed
    return null
  }

  /** Ends a record that is not accepted or not complete yet; caches its ending for the lines that lead into the same cells. */
  #end(
    text: string,
    line: Line,
    ending: Ending,
    laterCells: readonly number[],
    problem = neverClosed,
  ): number | undefined {
    for (const [index, position] of laterCells.entries())
      this.#endings.set(
        position,
        ending.kind === 'record' ? { ...ending, cells: ending.cells + laterCells.length - index } : ending,
      )
    return ending.kind === 'open' ? undefined : this.#giveUp(text, line, problem, ending.stop)
  }

  /** Reports the line and continues with the next one. */
  #giveUp(text: string, { start, lineEnd, nextLine }: Line, reason: string, stop = lineEnd): number {
    const width = this.#width()
    // Where the next line is a row, a quote is missing; where it is not, each line of a giant cell would be reported.
    this.#isInGiantCell =
      reason === neverClosed &&
      stop - start > maxRecordLength &&
      width > 1 &&
      !looksComplete(text, nextLine, this.#delimiter, width)
    this.#reportMalformed(text, start, lineEnd, this.#isInGiantCell ? tooLong : reason)
    this.#line++
    return nextLine
  }

  /** Whether a line behind the beginning of a giant cell belongs to that cell; a line that is a row does not. */
  #dropsLine(line: string): boolean {
    const quotes = line.split('"').length - 1
    const isRow = quotes % 2 === 0 && line.replaceAll(/"[^"]*"/g, '').split(this.#delimiter).length === this.#width()
    if (isRow || quotes % 2 === 1) this.#isInGiantCell = false
    return !isRow
  }

  #reportMalformed(text: string, start: number, end: number, reason: string): void {
    this.#handler.malformed(text.slice(start, Math.min(end, start + 2000)), this.#line, reason)
  }

  /** The line at `position` is longer than the limit, and its end is not in the text yet: it is reported once and dropped as it arrives. */
  #skipTooLong(text: string, position: number): number {
    if (!this.#isSkipping) this.#reportMalformed(text, position, text.length, tooLong)
    this.#isSkipping = true
    return text.endsWith('\r') ? text.length - 1 : text.length
  }
}

/** The line in which a record begins. */
interface Line {
  start: number
  lineEnd: number
  nextLine: number
}

/** How a record ends, seen from one of its cells. */
interface Ending {
  /** `broken`: a quote is not closed, or closes inside a cell. `open`: more text is needed. */
  kind: 'record' | 'broken' | 'open'
  stop: number
  /** The number of cells up to there, where it is a record. */
  cells: number
}

const tooLong = `is longer than ${maxRecordLength.toLocaleString('en-GB')} characters`
const neverClosed = 'has a quote that is never closed'
const strayQuote = 'has a quote inside a quoted cell that is not doubled'

function indexOr(text: string, sought: string, from: number, otherwise: number): number {
  const index = text.indexOf(sought, from)
  return index < 0 ? otherwise : index
}

/** The content of a quoted cell and the position after its closing quote; undefined when it is not closed in this text. */
function readQuoted(text: string, from: number): { cell: string; end: number } | undefined {
  let cell = ''
  let start = from
  for (;;) {
    const end = text.indexOf('"', start)
    if (end < 0) return undefined
    if (text.charCodeAt(end + 1) !== quote) return { cell: cell + text.slice(start, end), end: end + 1 }
    cell += text.slice(start, end + 1)
    start = end + 2
  }
}

function unquotedEnd(text: string, from: number, delimiter: string): number {
  const separator = delimiter.charCodeAt(0)
  let index = from
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === separator || code === lf || code === cr) break
  }
  return index
}

function looksComplete(text: string, from: number, delimiter: string, width: number): boolean {
  let end = from
  while (end < text.length && text.charCodeAt(end) !== lf && text.charCodeAt(end) !== cr) end++
  return text.slice(from, end).split(delimiter).length === width
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index)
    if (code === lf || (code === cr && text.charCodeAt(index + 1) !== lf)) count++
  }
  return count
}
