import { randomInt } from 'node:crypto'
import type { Database } from '#core/database.ts'
import {
  isRowProblem,
  makeRowReader,
  type ReaderFileRow,
  type RowProblem,
} from '#core/reader-files/read-reader-row.rules.ts'
import type { Reject } from '#core/reader-files/reader-file-store.ts'
import { referenceInitials, referenceRange, uniqueReference } from '#core/readers/unique-reference.rules.ts'
import {
  cellsJson,
  cellsOf,
  type EncodePlan,
  type RowBatch,
  referenceMark,
  storable,
} from '../reader-files/row-batch.ts'

/** One engine's way to take batches and settle them in chunks. */
export interface ReaderLoad {
  /** Rows of a chunk: what one commit carries. */
  readonly chunkRows: number
  /** Takes a batch into the open chunk, opening one when there is none. */
  add(batch: RowBatch): Promise<void>
  /** Commits the chunk with its checkpoint; tells how many readers it added and which records it refused. */
  settle(records: number): Promise<{ added: number; rejects: Reject[] }>
  /** Lets go of the database; an open chunk is rolled back. */
  close(): Promise<void>
}

/** How long a running import's lock lasts without a sign of life, in milliseconds. Every commit renews it. */
export const lockLength = 30_000

/** A row whose reference somebody else holds: a reader of the publication, or an earlier line of this file. */
export interface TakenReference {
  batch: RowBatch
  row: number
  holderLine: number | null
}

/** Looks again at rows of a batch that an engine did not take. */
export function rowAgain(plan: EncodePlan) {
  const readRow = makeRowReader({ ...plan, header: plan.file.header })
  return (batch: RowBatch, row: number): { cells: string[]; read: ReaderFileRow } => {
    const cells = cellsOf(batch, row, plan.file.delimiter)
    const read = readRow(cells)
    if (isRowProblem(read)) throw new Error(`Line ${batch.lines[row]} was good before and is not now: ${read.reason}`)
    return { cells, read }
  }
}

/** The reject of a row whose reference is taken. */
export function takenReject(line: number, reference: string, cells: string[], holderLine: number | null): Reject {
  const problem: RowProblem = {
    column: 'UniqueReference',
    value: reference,
    reason:
      holderLine === null
        ? 'is already used by a reader of this publication'
        : `is already used on line ${holderLine} of this file`,
  }
  return { ...problem, value: storable(reference), line, cells: cellsJson(cells) }
}

/** Makes references out of the numbers a publication gives out. `take` counts the publication up and returns the new count and its shift. */
export function referenceMaker(
  plan: EncodePlan,
  take: (count: number, shift: number) => Promise<{ references_made: number; reference_shift: number }>,
) {
  const initials = referenceInitials(plan.publicationName)
  return async (count: number): Promise<string[]> => {
    const { references_made: made, reference_shift: shift } = await take(count, randomInt(1, referenceRange))
    return Array.from({ length: count }, (_, index) => uniqueReference(initials, made - count + index, shift))
  }
}

/** Puts references where a batch's text marks them. */
export async function fillReferences(text: string, make: (count: number) => Promise<string[]>): Promise<string> {
  const pieces = text.split(referenceMark)
  if (pieces.length === 1) return text
  const references = await make(pieces.length - 1)
  return pieces.reduce((filled, piece, index) => filled + references[index - 1] + piece)
}

/** The index of a line among a batch's good rows, or -1. */
export function rowOfLine(batch: RowBatch, line: number): number {
  let low = 0
  let high = batch.lines.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = batch.lines[middle] as number
    if (found === line) return middle
    if (found < line) low = middle + 1
    else high = middle - 1
  }
  return -1
}

export type OpenLoad = (db: Database, plan: EncodePlan, now: () => Date) => Promise<ReaderLoad>
