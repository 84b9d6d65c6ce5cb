import { open } from 'node:fs/promises'
import { storableText } from '#core/kernel/storable-text.ts'
import { mayBeDamaged } from '../../kernel/damaged-text.rules.ts'
import { addSkippedCells, type SkippedCells } from '../skipped-cells.rules.ts'
import type { Reject } from './load-plan.ts'
import { isRejectedRow, makeRowReader, type RowProblem, referenceIndex } from './read-row.rules.ts'
import { RecordScanner } from './record-scanner.ts'
import { cellsJson, type EncodePlan, type RowBatch } from './row-batch.ts'
import { batchStatement, rowTextFor } from './row-text.ts'
import { textDecoder } from './text-decoder.ts'

/** About five hundred rows of 283 bytes: the best size for one INSERT, and small enough to hold several. */
const chunkBytes = 128 * 1024
const batchRows = 500
const utf8 = new TextEncoder()

/** Reads a file from its beginning, record by record, and yields its rows encoded in batches. Holds one chunk at a time. */
export async function* encodeRows(plan: EncodePlan): AsyncGenerator<RowBatch> {
  const { file } = plan
  const encoder = new BatchEncoder(plan)
  const decoder = textDecoder(file.encoding)
  const input = await open(file.path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    let position = file.skip
    let remainder = ''
    for (;;) {
      const { bytesRead } = await input.read(buffer, 0, chunkBytes, position)
      const isLast = bytesRead === 0
      position += bytesRead
      const text = remainder + (isLast ? decoder.end() : decoder.write(buffer.subarray(0, bytesRead)))
      remainder = text.slice(encoder.encode(text, isLast))
      yield* encoder.take()
      if (isLast) return
    }
  } finally {
    await input.close()
  }
}

class BatchEncoder {
  readonly #plan: EncodePlan
  readonly #scanner: RecordScanner
  readonly #readRow: ReturnType<typeof makeRowReader>
  readonly #rowText: ReturnType<typeof rowTextFor>
  #text = ''
  #ready: RowBatch[] = []
  #records = 0
  #headerSeen = false
  #pieces: string[] = []
  #placeholders = 0
  #starts: number[] = []
  #lines: number[] = []
  #rejects: Reject[] = []
  #skippedCells: SkippedCells[] = []
  #from = 0
  #isDamaged = false

  constructor(plan: EncodePlan) {
    this.#plan = plan
    this.#readRow = makeRowReader({ ...plan, header: plan.file.header })
    this.#rowText = rowTextFor(plan)
    this.#scanner = new RecordScanner(
      plan.file.delimiter,
      () => (this.#headerSeen ? plan.columns.length : 0),
      {
        record: (cells, line, start) => this.#record(cells, line, start),
        malformed: (text, line, reason) => this.#malformed(text, line, reason),
      },
      plan.file.firstLine,
    )
  }

  /** Encodes the whole records of the text and returns where the rest begins. */
  encode(text: string, isLast: boolean): number {
    this.#text = text
    this.#from = 0
    this.#isDamaged = mayBeDamaged(text)
    const end = this.#scanner.scan(text, isLast)
    this.#flush(end)
    return end
  }

  take(): RowBatch[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  #record(cells: string[], line: number, start: number): void {
    if (!this.#headerSeen) {
      this.#headerSeen = true
      return
    }
    if (isBlank(cells)) return
    if (this.#pieces.length >= batchRows || this.#rejects.length >= batchRows) this.#flush(start)
    const isSettled = ++this.#records <= this.#plan.skip
    // Settled records are read again for their skipped cells: the earlier run has not reported them.
    if (isSettled && !this.#plan.lenient) return
    const row = this.#readRow(cells, this.#isDamaged)
    if (!isRejectedRow(row) && row.skippedCells.length > 0) this.#noteSkippedCells(line, row.skippedCells)
    if (isSettled) return
    if (isRejectedRow(row)) this.#reject(line, row.problems, cells)
    else {
      const reference = row.values[referenceIndex] as string
      if (reference === '') this.#placeholders++
      this.#pieces.push(this.#rowText(row, reference, line))
      this.#starts.push(start - this.#from)
      this.#lines.push(line)
    }
  }

  #malformed(text: string, line: number, reason: string): void {
    if (++this.#records > this.#plan.skip) this.#reject(line, [{ column: '', value: '', reason }], [text])
  }

  #reject(line: number, problems: readonly RowProblem[], cells: string[]): void {
    const [first, ...others] = problems.map((problem) => ({ ...problem, value: storableText(problem.value) }))
    const further = others.length > 0 ? JSON.stringify(others) : null
    this.#rejects.push({ line, ...(first as RowProblem), further, cells: cellsJson(cells) })
  }

  #noteSkippedCells(line: number, cells: readonly RowProblem[]): void {
    addSkippedCells(
      this.#skippedCells,
      cells.map(({ column, reason, value }) => ({ column, reason, count: 1, cells: [{ line, value }] })),
    )
  }

  /** Closes the batch before the record that begins at `end`. */
  #flush(end: number): void {
    if (this.#pieces.length > 0 || this.#rejects.length > 0 || this.#skippedCells.length > 0) {
      this.#ready.push({
        records: this.#records,
        rows: this.#pieces.length,
        text: utf8.encode(batchStatement(this.#plan, this.#pieces)),
        placeholders: this.#placeholders,
        rejects: this.#rejects,
        skippedCells: this.#skippedCells,
        raw: utf8.encode(this.#text.slice(this.#from, end)),
        starts: Int32Array.from(this.#starts),
        lines: Int32Array.from(this.#lines),
      })
    }
    this.#pieces = []
    this.#placeholders = 0
    this.#starts = []
    this.#lines = []
    this.#rejects = []
    this.#skippedCells = []
    this.#from = end
  }
}

/** Spreadsheets leave trailing lines that contain only delimiters, and DOS ends a file with Ctrl-Z. */
function isBlank(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '' && cell !== '\u001a' && cell.trim() !== '') return false
  return true
}
