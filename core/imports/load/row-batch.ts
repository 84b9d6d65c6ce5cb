import { storableText } from '#core/kernel/storable-text.ts'
import type { Dialect } from '#core/ports/bulk.ts'
import type { SkippedCells } from '../skipped-cells.rules.ts'
import type { LoadPlan, Reject } from './load-plan.ts'
import { RecordScanner } from './record-scanner.ts'

/** What the encoder needs, as plain data: it is sent to a worker thread. */
export interface EncodePlan extends LoadPlan {
  dialect: Dialect
}

/**
 * A few hundred records of a file, parsed, validated and encoded for the engine. Texts are UTF-8 bytes: they are transferred between threads without
 * a copy, and long strings would all land in V8's old space.
 */
export interface RowBatch {
  /** The number of the file's records up to and including this batch. */
  records: number
  /** Accepted rows in `text`. */
  rows: number
  /** An INSERT (SQLite) or COPY lines (PostgreSQL). A NUL marks a row that needs a generated reference. */
  text: Uint8Array
  /** How many rows need a generated reference. */
  placeholders: number
  rejects: Reject[]
  /** Cells that were dropped from accepted rows. */
  skippedCells: SkippedCells[]
  /** The original text of the records, from which rows that the database refuses are reported. */
  raw: Uint8Array
  /** Where each accepted row begins in the decoded text, in UTF-16 units. */
  starts: Int32Array
  /** The line of each accepted row in the file. */
  lines: Int32Array
}

/** Marks the position of a reference that is still to be generated. Cells never contain it. */
export const referencePlaceholder = '\0'

/** A batch's text as a string. */
export function batchText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

const rawTexts = new WeakMap<RowBatch, string>()

/** The cells of one of a batch's accepted rows. */
export function cellsOf(batch: RowBatch, row: number, { file: { delimiter } }: EncodePlan): string[] {
  const start = batch.starts[row] ?? 0
  // One long string per batch, not one for each requested row.
  const raw = rawTexts.get(batch) ?? batchText(batch.raw)
  rawTexts.set(batch, raw)
  const end = batch.starts[row + 1] ?? raw.length
  let cells: string[] = []
  const scanner = new RecordScanner(delimiter, () => 0, {
    record: (recordCells) => {
      if (cells.length === 0) cells = recordCells
    },
    malformed: () => {},
  })
  scanner.scan(raw.slice(start, end), true)
  return cells
}

const maxCellsLength = 60_000

/** The cells of a rejected record as JSON that both engines store: well-formed, without NUL. Of a very long one, the first 200 cells, cut. */
export function cellsJson(cells: readonly string[]): string {
  const size = cells.reduce((sum, cell) => sum + cell.length, 0)
  const excerpt = size > maxCellsLength ? cells.slice(0, 200).map((cell) => cell.slice(0, 500)) : cells
  return JSON.stringify(excerpt.map(storableText))
}
