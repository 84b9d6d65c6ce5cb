import { formatDay } from '#core/kernel/dates.ts'
import type { BulkConnection } from '#core/ports/bulk.ts'
import type { LineRange, RowKind } from './compare.ts'
import { rowOfLine } from './load.ts'
import type { Reject } from './load-plan.ts'
import { endsEarly, endsTooEarly, startsLate } from './read-row.rules.ts'
import { cellsJson, cellsOf, type EncodePlan } from './row-batch.ts'
import { expectUnchanged, fileChanged, rowBatches } from './row-batches.ts'

const rejectedKinds = {
  unknown: { column: 'BuyerId', reason: 'is not the number of a reader of this publication' },
  'ends-early': { column: 'SubExpiry', reason: `${endsEarly} once combined with what the reader already has` },
  'other-origin': {
    column: 'UniqueReference',
    reason: 'belongs to a reader who was not imported from a file; only imported readers are replaced',
  },
  taken: { column: 'UniqueReference', reason: 'is given to another reader by a later line of this file' },
} satisfies Partial<Record<RowKind, { column: string; reason: string }>>

interface RejectedRow {
  line: number
  kind: keyof typeof rejectedKinds
  /** Null for a row of a new reader. */
  reader_id: number | null
  buyer_id: number | null
  unique_reference: string | null
  sub_start_on: string | null
  sub_end_on: string | null
}

/**
 * Rejects the rows of a range that only the comparison with the stored readers could reject, in addition to those rejected when they were read. Their
 * cells come from the file, which is read again if there are such rows: the stage has only the imported columns, with blank cells already interpreted.
 * Throws when the file no longer has one of them.
 */
export async function rejectByPlan(work: BulkConnection, plan: EncodePlan, range: LineRange): Promise<void> {
  const rowsAfter = (line: number) =>
    work.all<RejectedRow>(
      `SELECT p.line, p.kind, p.reader_id, s.buyer_id, s.unique_reference, s.sub_start_on, s.sub_end_on
       FROM stage_plan p JOIN stage_rows s ON s.line = p.line
       WHERE p.kind IN (${Object.keys(rejectedKinds).map((kind) => `'${kind}'`)}) AND p.line > ? AND p.line <= ?
       ORDER BY p.line LIMIT 500`,
      [line, range.upTo],
    )
  let rows = await rowsAfter(range.after)
  if (rows.length === 0) return
  let rejects: StagedReject[] = []
  for await (const batch of rowBatches({ ...plan, skip: 0 })) {
    const last = batch.lines.at(-1) ?? 0
    while (rows[0] && Number(rows[0].line) <= last) {
      const row = rows.shift() as RejectedRow
      const index = rowOfLine(batch, Number(row.line))
      if (index < 0) throw fileChanged()
      rejects.push(rejectOf(row, cellsJson(cellsOf(batch, index, plan))))
      if (rows.length > 0) continue
      await insertRejects(work, rejects)
      rejects = []
      rows = await rowsAfter(Number(row.line))
    }
    if (rows.length === 0) return expectUnchanged(plan.file)
  }
  throw fileChanged()
}

/** A reject with the reference and the number that its row names a reader by: a replace does not remove that reader. */
type StagedReject = Reject & { reference: string | null; number: number | null }

function rejectOf(row: RejectedRow, cells: string): StagedReject {
  const { column, reason } = reasonOf(row)
  const values: Partial<Record<string, string | number | null>> = {
    SubStart: row.sub_start_on && formatDay(String(row.sub_start_on)),
    SubExpiry: row.sub_end_on && formatDay(String(row.sub_end_on)),
    BuyerId: row.buyer_id,
    UniqueReference: row.unique_reference ?? row.buyer_id,
  }
  const value = values[column]
  return {
    line: Number(row.line),
    column,
    value: String(value ?? ''),
    reason,
    further: null,
    cells,
    reference: row.unique_reference,
    number: row.buyer_id,
  }
}

/** For a new reader, the same reason as when readers are only added. */
function reasonOf({ kind, reader_id, sub_end_on }: RejectedRow): { column: string; reason: string } {
  if (kind !== 'ends-early' || reader_id !== null) return rejectedKinds[kind]
  return sub_end_on === null
    ? { column: 'SubStart', reason: startsLate }
    : { column: 'SubExpiry', reason: endsTooEarly }
}

/** Writes rejects into the stage, many per statement. */
export async function insertRejects(work: BulkConnection, rejects: readonly StagedReject[]): Promise<void> {
  const names = ['line', 'column', 'value', 'reason', 'further', 'cells', 'reference', 'number']
  for (let from = 0; from < rejects.length; from += 500) {
    await work.run(
      work.dialect === 'sqlite'
        ? `INSERT INTO stage_rejects SELECT ${names.map((name) => `json_extract(j.value, '$.${name}')`).join(', ')} FROM json_each(?) j`
        : `INSERT INTO stage_rejects SELECT line, "column", value, reason, further, cells, reference, number FROM jsonb_to_recordset(?::jsonb)
           AS j (line bigint, "column" text, value text, reason text, further text, cells text, reference text, number bigint)`,
      [JSON.stringify(rejects.slice(from, from + 500))],
    )
  }
}

/** The rejects of some lines in their order, page by page. */
export async function* stagedRejects(work: BulkConnection, after: number, upTo: number): AsyncGenerator<Reject[]> {
  for (let from = after; ; ) {
    const rows = await work.all<Reject & { column_name: string }>(
      `SELECT line, column_name, value, reason, further, cells FROM stage_rejects WHERE line > ? AND line <= ? ORDER BY line LIMIT 500`,
      [from, upTo],
    )
    if (rows.length === 0) return
    yield rows.map(({ line, column_name, value, reason, further, cells }) => ({
      line: Number(line),
      column: column_name,
      value,
      reason,
      further,
      cells,
    }))
    from = Number(rows.at(-1)?.line)
  }
}

/** Stores the rejects of some lines with their upload, for correction. Call it in a write transaction. Returns how many. */
export function storeRejects(work: BulkConnection, uploadId: number, after: number, upTo: number): Promise<number> {
  const asJson = work.dialect === 'sqlite' ? '' : '::jsonb'
  return work.run(
    `INSERT INTO upload_rejects (upload_id, line, column_name, value, reason, further, cells)
     SELECT ${uploadId}, line, column_name, value, reason, further${asJson}, cells${asJson}
     FROM stage_rejects WHERE line > ${after} AND line <= ${upTo} ORDER BY line`,
  )
}

/** Deletes the stored rejects of an upload. Call it in a write transaction. Returns how many. */
export function deleteRejects(work: BulkConnection, uploadId: number): Promise<number> {
  return work.run('DELETE FROM upload_rejects WHERE upload_id = ?', [uploadId])
}
