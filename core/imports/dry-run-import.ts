import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { AppError } from '../kernel/errors.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import type { PublicationRow } from '../publications/publications.rows.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import { type ImportProgress, type ImportReport, importWarnings, reasonCounter } from './import-report.ts'
import { loadFile } from './load/load-file.ts'
import { type ColumnMapping, mapHeader, renamedHeader } from './map-header.rules.ts'
import { addSkippedCells, type SkippedCells } from './skipped-cells.rules.ts'

export interface DryRun {
  publication: PublicationRow
  mode: ImportMode
  target: ImportTarget
  file: InspectedFile
  columns: number[]
  lenient: boolean
  onProgress?: ((progress: ImportProgress) => void) | undefined
  signal?: AbortSignal | undefined
}

/** What an import would do: the same comparison, without writing. An abort ends it with the report so far. */
export async function dryRunImport(
  ctx: AppContext,
  { publication, mode, target, file, columns, lenient, onProgress, signal }: DryRun,
): Promise<ImportReport> {
  const started = performance.now()
  const counter = reasonCounter()
  const skippedCells: SkippedCells[] = []
  const totalRows = Math.max(file.lines - 1, 0)
  const reportProgress = (phase: ImportProgress['phase'], rows: number, rejected: number) =>
    onProgress?.({ phase, rows, totalRows: Math.max(totalRows, rows), rejected })
  const plan = {
    mode,
    target,
    publicationId: publication.id,
    publicationName: publication.publicationName,
    uploadId: null,
    file,
    columns,
    lenient,
    ...(await publisherSettings(ctx, publication.publisherId)),
    skip: 0,
    modifiedBy: null,
    actorKind: ctx.actor.kind,
    newestReaderId: Number.MAX_SAFE_INTEGER,
    now: ctx.now(),
    today: dayOf(ctx.now(), ctx.settings.timeZone),
  }
  reportProgress(mode === 'add' ? 'writing' : 'reading', 0, 0)
  const { records, isFinished, ...counts } = await loadFile(ctx.db, plan, {
    run: null,
    signal,
    rejected: (rejects) => counter.add(rejects),
    settled: (settled) => reportProgress('writing', settled.records, settled.failed),
    skippedCells: (cells) => addSkippedCells(skippedCells, cells),
    phase: (phase, rows) => reportProgress(phase, rows, 0),
  })
  const seconds = secondsSince(started)
  return {
    uploadId: null,
    publication: { urlKey: publication.urlKey, publicationName: publication.publicationName },
    mode,
    target,
    dryRun: true,
    state: isFinished ? 'done' : 'interrupted',
    rows: records,
    ...counts,
    seconds,
    rowsPerSecond: Math.round(records / seconds),
    resumedAt: null,
    sha256: file.sha256,
    encoding: file.encoding,
    delimiter: file.delimiter,
    warnings: importWarnings(mode, columns, { ...counts, skippedCells }),
    skippedCells,
    reasons: counter.reasons(),
    firstRejects: counter.first(),
  }
}

/** Seconds since a moment of `performance.now()`, never 0. */
export function secondsSince(started: number): number {
  return Math.max(0.001, Math.round(performance.now() - started) / 1000)
}

/** What each column of a file is imported as. Throws `invalid` for a header that does not fit. */
export function columnsOfHeader(
  file: Pick<InspectedFile, 'header'>,
  fileName: string,
  mode: ImportMode,
  mapping: ColumnMapping | undefined,
): number[] {
  const { columns, problems } = mapHeader(renamedHeader(file.header, mapping), mode)
  if (problems.length === 0) return columns
  throw new AppError('invalid', `The header of "${fileName}" does not fit: ${problems.join('; ')}`, {
    fields: { file: problems.join('; ') },
    hint: `The columns are ${readerColumns.map(({ header }) => header).join(', ')}.`,
  })
}
