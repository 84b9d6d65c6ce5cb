import type { AppContext } from '../context.ts'
import { asJson } from '../database.ts'
import { countOf } from '../kernel/text-format.ts'
import type { FirstRecord } from './first-records.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import type { ImportPhase, Reject } from './load/load-plan.ts'
import type { RowProblem } from './load/read-row.rules.ts'
import { type SkippedCells, skippedCellsText } from './skipped-cells.rules.ts'

/** The progress of an import. `totalRows` is an estimate until the end. */
export interface ImportProgress {
  /** `reading` and `comparing` change nothing yet. */
  phase: ImportPhase
  rows: number
  totalRows: number
  rejected: number
}

/** One kind of problem with its count and the first line it occurred on. A row with several problems counts in each. */
export interface RejectReason {
  column: string
  reason: string
  count: number
  firstLine: number
}

export interface ImportReport {
  /** Null in a dry run. */
  uploadId: number | null
  publication: { urlKey: string; publicationName: string }
  mode: ImportMode
  target: ImportTarget
  dryRun: boolean
  /** `interrupted`: it stopped before its end and can be resumed. `cancelled`: it was ended; what it did until then can be undone. */
  state: 'done' | 'interrupted' | 'cancelled'
  /** Records of the file that are settled, counted from its beginning. */
  rows: number
  added: number
  updated: number
  /** Rows whose reader already has the row's values. */
  unchanged: number
  removed: number
  /** Rows that a later line of the file repeats. added + updated + unchanged + repeated + failed = rows. */
  repeated: number
  failed: number
  /** This run's own time and speed. */
  seconds: number
  rowsPerSecond: number
  /** Records that an earlier, interrupted run had settled; null when there was none. */
  resumedAt: number | null
  /** The hash of the file. */
  sha256: string
  encoding: string
  delimiter: string
  warnings: string[]
  /** Cells that were skipped in imported rows. */
  skippedCells: SkippedCells[]
  /** Most frequent first. */
  reasons: RejectReason[]
  /** The first problems of rejected rows, for review before confirming; a run that writes stores all of them in the database. */
  firstRejects: PreviewReject[]
}

/** One problem of a rejected row, as a preview shows it. */
export interface PreviewReject {
  line: number
  column: string
  value: string
  reason: string
}

/** What an upload would do, determined by a dry run. */
export interface UploadPreview {
  rows: number
  added: number
  updated: number
  unchanged: number
  removed: number
  repeated: number
  failed: number
  warnings: string[]
  /** Absent in older previews. */
  skippedCells?: SkippedCells[]
  /** The file's first records as they will be stored; absent in older previews. */
  records?: FirstRecord[]
  /** Most frequent first. */
  reasons: RejectReason[]
  firstRejects: PreviewReject[]
}

const maxProblems = 5

const usedInFile = /^is already used on line \d+ of this file$/
const usedInFileKind = 'is already used on an earlier line of this file'

/** Counts problems by kind as they occur, for runs that store none in the database. */
export function reasonCounter(): {
  add(rejects: readonly Reject[]): void
  reasons(): RejectReason[]
  first(): ImportReport['firstRejects']
} {
  const kinds = new Map<string, RejectReason>()
  const first: ImportReport['firstRejects'] = []
  return {
    add(rejects) {
      for (const { line, column, value, reason: text } of rejects.flatMap((reject) =>
        problemsOf({ ...reject, column_name: reject.column }),
      )) {
        if (first.length < maxProblems) first.push({ line, column, value, reason: text })
        const reason = usedInFile.test(text) ? usedInFileKind : text
        const kind = kinds.get(`${column}\n${reason}`)
        if (kind) kind.count++
        else kinds.set(`${column}\n${reason}`, { column, reason, count: 1, firstLine: line })
      }
    },
    reasons: () => [...kinds.values()].sort(byCount),
    first: () => first,
  }
}

/** The problems of a row of `upload_rejects`. */
export interface StoredProblems {
  line: number
  column_name: string
  value: string
  reason: string
  /** JSON text, or the value that the driver parsed it to. */
  further: string | RowProblem[] | null
}

/** All problems of a stored row, one by one. */
export function problemsOf({ line, column_name, value, reason, further }: StoredProblems): PreviewReject[] {
  const others = asJson<RowProblem[] | null>(further) ?? []
  return [{ column: column_name, value, reason }, ...others].map((problem) => ({ line, ...problem }))
}

/** The problems of an upload's rejected rows by kind, including those of its earlier runs. */
export async function uploadReasons(ctx: Pick<AppContext, 'db'>, uploadId: number): Promise<RejectReason[]> {
  const rows = await ctx.db.query<{ column_name: string; reason: string; number: number; first_line: number }>(
    `SELECT column_name, reason, count(*) AS number, min(line) AS first_line FROM (
       SELECT column_name, line,
              CASE WHEN reason LIKE 'is already used on line %' THEN :usedInFileKind ELSE reason END AS reason
       FROM upload_rejects WHERE upload_id = :uploadId
       UNION ALL
       SELECT f.value ->> 'column', r.line, f.value ->> 'reason'
       FROM upload_rejects r, ${ctx.db.dialect === 'sqlite' ? 'json_each' : 'jsonb_array_elements'}(r.further) f
       WHERE r.upload_id = :uploadId
     ) kinds GROUP BY column_name, reason`,
    { uploadId, usedInFileKind },
  )
  return rows
    .map(({ column_name, reason, number, first_line }) => ({
      column: column_name,
      reason,
      count: Number(number),
      firstLine: Number(first_line),
    }))
    .sort(byCount)
}

function byCount(a: RejectReason, b: RejectReason): number {
  return b.count - a.count || a.firstLine - b.firstLine
}

/** Warnings for the person who imports, in addition to the counts. */
export function importWarnings(
  mode: ImportMode,
  columns: readonly number[],
  { repeated, skippedCells }: Pick<ImportReport, 'repeated' | 'skippedCells'>,
): string[] {
  const warnings: string[] = []
  if (mode === 'add' && columns.includes(0))
    warnings.push('BuyerId is Masthead’s own number: adding readers ignores the column')
  if (repeated > 0)
    warnings.push(`${countOf(repeated, 'row')} named a reader that a later row names again: only the last one was used`)
  return [...warnings, ...skippedCells.map(skippedCellsText)]
}

/** "12,000 readers added, 3 readers changed", or "no reader was changed". */
export function changedText({ added, updated, removed }: Pick<ImportReport, 'added' | 'updated' | 'removed'>): string {
  const parts = [
    added > 0 ? `${countOf(added, 'reader')} added` : '',
    updated > 0 ? `${countOf(updated, 'reader')} changed` : '',
    removed > 0 ? `${countOf(removed, 'reader')} removed` : '',
  ]
  return parts.filter(Boolean).join(', ') || 'no reader was changed'
}
