/** What the scanner finds, in file order. Lines are physical lines of the file, counted from 1. */
export interface Found {
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
 * Splits text into CSV records (RFC 4180, any line ends, blank lines skipped). Lines without a quote are split by the engine's own `split`, which is
 * what makes it fast. When a quote is never closed, only its line is lost.
 */
export class RecordScanner {
  readonly #delimiter: string
  readonly #width: () => number
  readonly #found: Found
  #line: number
  /** Inside a giant record whose beginning has been reported: drop everything up to the next line end. */
  #isSkipping = false

  /** `width` is the number of cells the header has, once it is known; zero before. */
  constructor(delimiter: string, width: () => number, found: Found, firstLine = 1) {
    this.#line = firstLine
    this.#delimiter = delimiter
    this.#width = width
    this.#found = found
  }

  /** Scans all whole records and returns where the rest begins: prepend it to the next text. */
  scan(text: string, isLast: boolean): number {
    const length = text.length
    let position = 0
    let nextLf = -1
    let nextCr = -1
    let nextQuote = -1
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
      if (nextQuote < position) nextQuote = indexOr(text, '"', position, length)
      if (nextQuote >= end) {
        if (end > position) {
          if (end - position > maxRecordLength) this.#reportMalformed(text, position, end, tooLong)
          else this.#found.record(text.slice(position, end).split(this.#delimiter), this.#line, position)
        }
        this.#line++
        position = next
        continue
      }
      const after = this.#scanQuoted(text, position, end, next, isLast)
      if (after === undefined) break
      position = after
    }
    if (position < length && length - position > maxRecordLength) return this.#skipTooLong(text, position)
    return position
  }

  /** A record with quotes. Returns where the next one begins, or undefined when its end is not in the text yet. */
  #scanQuoted(text: string, start: number, lineEnd: number, nextLine: number, isLast: boolean): number | undefined {
    const cells: string[] = []
    const length = text.length
    let position = start
    for (;;) {
      let from = position
      while (text.charCodeAt(from) === 32) from++
      let stop: number
      if (text.charCodeAt(from) === quote) {
        const closed = readQuoted(text, from + 1)
        if (!closed) {
          if (!isLast) return undefined
          this.#reportMalformed(text, start, lineEnd, neverClosed)
          return this.#step(nextLine)
        }
        cells.push(closed.cell)
        stop = closed.end
        while (text.charCodeAt(stop) === 32) stop++
        if (stop >= length && !isLast) return undefined
        const code = text.charCodeAt(stop)
        if (stop < length && code !== lf && code !== cr && text[stop] !== this.#delimiter) {
          const isLater = stop > lineEnd
          this.#reportMalformed(text, start, lineEnd, isLater ? neverClosed : strayQuote)
          return this.#step(nextLine)
        }
      } else {
        stop = unquotedEnd(text, position, this.#delimiter)
        if (stop >= length && !isLast) return undefined
        cells.push(text.slice(position, stop))
      }
      if (stop < length && text[stop] === this.#delimiter) {
        position = stop + 1
        continue
      }
      if (text.charCodeAt(stop) === cr && stop === length - 1 && !isLast) return undefined
      return this.#take(text, cells, { start, stop, lineEnd, nextLine })
    }
  }

  #take(text: string, cells: string[], at: { start: number; stop: number; lineEnd: number; nextLine: number }): number {
    const { start, stop, lineEnd, nextLine } = at
    const isMultiLine = stop > lineEnd
    const width = this.#width()
    // An unclosed quote that met the next quoted cell: the number of cells is wrong, and the next line would be a separate record.
    if (isMultiLine && width > 0 && cells.length !== width && looksComplete(text, nextLine, this.#delimiter, width)) {
      this.#reportMalformed(text, start, lineEnd, neverClosed)
      return this.#step(nextLine)
    }
    this.#found.record(cells, this.#line, start)
    if (isMultiLine) this.#line += countLineEnds(text, start, stop)
    this.#line++
    const isCrLf = text.charCodeAt(stop) === cr && text.charCodeAt(stop + 1) === lf
    return Math.min(stop + (isCrLf ? 2 : 1), text.length)
  }

  #step(nextLine: number): number {
    this.#line++
    return nextLine
  }

  #reportMalformed(text: string, start: number, end: number, reason: string): void {
    this.#found.malformed(text.slice(start, Math.min(end, start + 2000)), this.#line, reason)
  }

  /** The record at `position` is longer than the limit: drops only its first line, or all of a line that has no end. */
  #skipTooLong(text: string, position: number): number {
    const end = Math.min(indexOr(text, '\n', position, text.length), indexOr(text, '\r', position, text.length))
    if (end === text.length) {
      if (!this.#isSkipping) this.#reportMalformed(text, position, end, tooLong)
      this.#isSkipping = true
      return text.length
    }
    this.#reportMalformed(text, position, end, neverClosed)
    this.#line++
    return text.charCodeAt(end) === cr && text.charCodeAt(end + 1) === lf ? end + 2 : end + 1
  }
}

const tooLong = `is longer than ${maxRecordLength.toLocaleString('en-GB')} characters`
const neverClosed = 'has a quote that is never closed'
const strayQuote = 'has a quote inside a quoted cell that is not doubled'

function indexOr(text: string, what: string, from: number, otherwise: number): number {
  const index = text.indexOf(what, from)
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
  const end = Math.min(indexOr(text, '\n', from, text.length), indexOr(text, '\r', from, text.length))
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
