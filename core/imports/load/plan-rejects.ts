import { formatDay } from '#core/kernel/dates.ts'
import type { BulkConnection } from '#core/ports/bulk.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { type Amount, type CellValue, cellKinds } from '#core/readers/cell-kinds.rules.ts'
import type { LineRange, RowKind } from './compare.ts'
import type { Reject } from './load-plan.ts'
import { endsEarly } from './read-row.rules.ts'
import { cellsJson, type EncodePlan } from './row-batch.ts'

const reasons: Partial<Record<RowKind, { column: string; reason: string }>> = {
  unknown: { column: 'BuyerId', reason: 'is not the number of a reader of this publication' },
  'ends-early': { column: 'SubExpiry', reason: `${endsEarly} once combined with what the reader already has` },
  'other-origin': {
    column: 'UniqueReference',
    reason: 'belongs to a reader who was not imported from a file; only imported readers are replaced',
  },
}

type StagedRow = Record<string, string | number | boolean | null> & { line: number; kind: RowKind }

/** Rejects the rows of a range that only the comparison with the stored readers could reject, in addition to those rejected when they were read. */
export async function rejectByPlan(work: BulkConnection, plan: EncodePlan, range: LineRange): Promise<void> {
  for (let { after } = range; ; ) {
    const rows = await work.all<StagedRow>(
      `SELECT p.kind, s.* FROM stage_plan p JOIN stage_rows s ON s.line = p.line
       WHERE p.kind IN ('unknown', 'other-origin', 'ends-early') AND p.line > ? AND p.line <= ? ORDER BY p.line LIMIT 500`,
      [after, range.upTo],
    )
    if (rows.length === 0) return
    await insertRejects(
      work,
      rows.map((row) => rejectOf(row, plan)),
    )
    after = Number(rows.at(-1)?.line)
  }
}

function rejectOf(row: StagedRow, plan: EncodePlan): Reject {
  const { column = '', reason = '' } = reasons[row.kind] ?? {}
  const value =
    column === 'SubExpiry'
      ? row.sub_end_on && formatDay(String(row.sub_end_on))
      : column === 'BuyerId'
        ? row.buyer_id
        : (row.unique_reference ?? row.buyer_id)
  const cells = cellsJson(cellsOf(row, plan))
  return { line: Number(row.line), column, value: String(value ?? ''), reason, further: null, cells }
}

/** The row's cells in the order of its file, as Masthead writes them. */
function cellsOf(row: StagedRow, { columns, mainCurrency }: EncodePlan): string[] {
  return columns.map((index) => {
    const column = readerColumns[index]
    if (!column) return ''
    const stored = column.column === 'id' ? row.buyer_id : row[column.column]
    if (stored === null || stored === undefined || stored === '') return ''
    if (column.column === 'id') return String(stored)
    const value =
      column.kind === 'money'
        ? ({ amount: Number(stored), currency: row.sub_currency ?? mainCurrency } as Amount)
        : column.kind === 'flag'
          ? stored === true || stored === 1
          : String(stored)
    return cellKinds[column.kind].print(value as CellValue, { mainCurrency })
  })
}

/** Writes rejects, with the readers they name, into the stage. Many in one statement. */
export async function insertRejects(
  work: BulkConnection,
  rejects: readonly (Reject & { reference?: string | null; number?: number | null })[],
): Promise<void> {
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
