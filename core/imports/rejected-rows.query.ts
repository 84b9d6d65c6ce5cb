import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asJson } from '../database.ts'
import { byteOrderMark, unguardedCsv } from '../kernel/csv-text.ts'
import { notFound } from '../kernel/errors.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import { useCase } from '../use-case.ts'
import { type PreviewReject, problemsOf, type StoredProblems } from './import-report.ts'
import { rejectColumns } from './map-header.rules.ts'

interface RejectRow extends StoredProblems {
  id: number
  cells: string | string[]
}

const pageIds = 500

/**
 * The rejected rows of an upload as a CSV that can be corrected and imported again: the columns of the file as they were, then line, column and
 * reason, which an import skips.
 */
export const rejectedRows = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { uploadId }): Promise<{ total: number; chunks: AsyncIterable<string> }> {
    const { publisherId } = tenantOf(ctx)
    const [upload] = await ctx.db.query<{ failed: number; mapping: string | { header?: string[] } }>(
      `SELECT u.failed, u.mapping FROM uploads u JOIN publications p ON p.id = u.publication_id
       WHERE u.id = :uploadId AND p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}`,
      { uploadId, publisherId: publisherId ?? null },
    )
    if (!upload) throw notFound('The upload')
    const mapping = asJson<{ header?: string[] }>(upload.mapping)
    const header = mapping.header ?? readerColumns.map((column) => column.header)
    return { total: Number(upload.failed), chunks: chunksOf(ctx, uploadId, header) }
  },
})

async function* chunksOf(ctx: AppContext, uploadId: number, header: string[]): AsyncGenerator<string> {
  // A file of rejects that was rejected again has the three columns already.
  const inputColumns = header.flatMap((name, index) =>
    (rejectColumns as readonly string[]).includes(name) ? [] : [index],
  )
  yield byteOrderMark +
    unguardedCsv([[...inputColumns.map((index) => guardRaw(header[index] ?? '')), ...rejectColumns]])
  // A page is a range of ids, not a number of rows: even without statistics it is read by an index and needs no sort.
  const [{ first, last } = { first: null, last: null }] = await ctx.db.query<Record<'first' | 'last', number | null>>(
    'SELECT min(id) AS first, max(id) AS last FROM upload_rejects WHERE upload_id = :uploadId',
    { uploadId },
  )
  for (let from = Number(first); first !== null && from <= Number(last); from += pageIds) {
    const rows = await ctx.db.query<RejectRow>(
      `SELECT id, line, column_name, value, reason, further, cells FROM upload_rejects
       WHERE upload_id = :uploadId AND id >= :from AND id < :upTo ORDER BY id`,
      { uploadId, from, upTo: from + pageIds },
    )
    if (rows.length === 0) continue
    yield unguardedCsv(
      rows.map(({ cells, ...row }) => {
        const problems = problemsOf(row)
        const fileCells = asJson<string[]>(cells)
        const rowCells =
          fileCells.length === header.length
            ? inputColumns.map((index) => fileCells[index])
            : padded(fileCells, inputColumns.length)
        return [
          ...rowCells.map((cell) => guardRaw(cell ?? '')),
          row.line,
          problems.map(({ column }) => column).join('; '),
          problems.map((problem) => problemText(problem, problems.length > 1)).join('; '),
        ]
      }),
    )
  }
}

/** Prefixed with its column if there are several: `"31/02/2026" is not a date`, `SubExpiry "31/02/2026" is not a date`. */
function problemText({ column, value, reason }: PreviewReject, isOneOfMany: boolean): string {
  return [isOneOfMany ? column : '', value === '' ? '' : `"${value}"`, reason].filter(Boolean).join(' ')
}

/** A row with too few cells is padded; surplus cells stay in its last cell, so that the reasons keep their columns. */
function padded(cells: string[], width: number): string[] {
  if (cells.length > width) return [...cells.slice(0, width - 1), cells.slice(width - 1).join(',')]
  return [...cells, ...Array.from({ length: width - cells.length }, () => '')]
}

/**
 * Cells, also of the header, are as they were in the file: a guarded one keeps its guard, an unguarded one gets one, and both read back unchanged.
 */
function guardRaw(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
}
