import { randomInt } from 'node:crypto'
import { storableText } from '#core/kernel/storable-text.ts'
import { referenceInitials, referenceRange, uniqueReference } from '#core/readers/unique-reference.rules.ts'
import { expectLease } from '#core/tasks/lease.ts'
import type { ImportCursor } from '../upload-row.ts'
import { addCountsSql } from '../uploads.rows.ts'
import type { LoadRun, Reject } from './load-plan.ts'
import { isRejectedRow, makeRowReader, type ReaderFileRow, referenceIndex } from './read-row.rules.ts'
import { batchText, cellsJson, cellsOf, type EncodePlan, type RowBatch, referencePlaceholder } from './row-batch.ts'

/** How one engine accepts batches and settles them in chunks. */
export interface ReaderLoad {
  /** Rows of a chunk, which is one commit. */
  readonly chunkRows: number
  /** Adds a batch to the open chunk, opening one when there is none. */
  add(batch: RowBatch): Promise<void>
  /** Commits the chunk with its checkpoint; returns how many readers it added and which records it rejected. */
  settle(records: number): Promise<{ added: number; rejects: Reject[] }>
  /** Releases the database connection; an open chunk is rolled back. */
  close(): Promise<void>
}

/** A row that was not inserted, with its reference in the file (blank: one is generated). */
export interface NotInserted {
  batch: RowBatch
  row: number
  line: number
  reference: string
  cells: string[]
}

/**
 * Settles a chunk of an addition in its own transaction: its counts, and the checkpoint, which is refused when another run has taken the import over.
 * `write` runs a statement with `?` for each value and returns how many rows it touched.
 */
export async function settleChunk(
  write: (sql: string, values: readonly (string | number | null)[]) => Promise<number>,
  { uploadId, run }: { uploadId: number; run: LoadRun<ImportCursor> },
  { records, added, failed }: { records: number; added: number; failed: number },
): Promise<void> {
  const checkpoint = run.checkpointSql({ cursor: { records }, phase: 'writing', done: records })
  expectLease(await write(checkpoint.sql, checkpoint.values))
  const counts = addCountsSql(uploadId, { added, updated: 0, unchanged: 0, removed: 0, repeated: 0, failed })
  await write(counts.sql, counts.values)
}

/** The owner of a reference, according to `readers`. */
export interface ReferenceOwner {
  unique_reference: string
  upload_id: number | null
  upload_line: number | null
}

/** Returns a function that parses a row of a batch again, for rows that the database refused. */
export function makeRowReparser(plan: EncodePlan) {
  const readRow = makeRowReader({ ...plan, header: plan.file.header })
  return (batch: RowBatch, row: number): { cells: string[]; read: ReaderFileRow } => {
    const cells = cellsOf(batch, row, plan)
    const read = readRow(cells)
    if (isRejectedRow(read))
      throw new Error(`Line ${batch.lines[row]} was valid before but is not now: ${read.problems[0]?.reason}`)
    return { cells, read }
  }
}

/** The rows of some batches that are not among the inserted lines. */
export function notInserted(
  plan: EncodePlan,
  batches: readonly RowBatch[],
  inserted: ReadonlySet<number>,
): NotInserted[] {
  const reparseRow = makeRowReparser(plan)
  return batches.flatMap((batch) => {
    const missing: NotInserted[] = []
    for (let row = 0; row < batch.rows; row++) {
      const line = batch.lines[row] as number
      if (inserted.has(line)) continue
      const { cells, read } = reparseRow(batch, row)
      missing.push({ batch, row, line, cells, reference: read.values[referenceIndex] as string })
    }
    return missing
  })
}

/** Rejects for rows whose reference is taken, naming the line that has it when it is one of this file. */
export function duplicateReferenceRejects(
  plan: EncodePlan,
  rows: readonly NotInserted[],
  owners: readonly ReferenceOwner[],
): Reject[] {
  const byReference = new Map(owners.map((owner) => [owner.unique_reference, owner]))
  return rows.map(({ line, reference, cells }) => {
    const owner = byReference.get(reference)
    const isOurs = owner !== undefined && Number(owner.upload_id) === plan.uploadId
    return duplicateReferenceReject(line, reference, cells, isOurs ? Number(owner.upload_line) : null)
  })
}

/** The reject of a row whose reference is taken: by an earlier line of the file, or by an existing reader. */
export function duplicateReferenceReject(
  line: number,
  reference: string,
  cells: string[],
  holderLine: number | null,
): Reject {
  const reason =
    holderLine === null
      ? 'is already used by a reader of this publication'
      : `is already used on line ${holderLine} of this file`
  return {
    line,
    column: 'UniqueReference',
    value: storableText(reference),
    reason,
    further: null,
    cells: cellsJson(cells),
  }
}

/** Generates references from the publication's numbers. `take` increases the publication's count and returns the new count and its shift. */
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

/** Inserts references where a batch's text marks them. */
export async function fillReferences(batch: RowBatch, make: (count: number) => Promise<string[]>): Promise<string> {
  const text = batchText(batch.text)
  if (batch.placeholders === 0) return text
  const pieces = text.split(referencePlaceholder)
  const references = await make(pieces.length - 1)
  return pieces.reduce((filled, piece, index) => filled + references[index - 1] + piece)
}

/** The index of a line among a batch's good rows, or -1. */
export function rowOfLine(batch: RowBatch, line: number): number {
  let low = 0
  let high = batch.lines.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const lineAtMiddle = batch.lines[middle] as number
    if (lineAtMiddle === line) return middle
    if (lineAtMiddle < line) low = middle + 1
    else high = middle - 1
  }
  return -1
}
