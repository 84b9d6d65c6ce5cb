import { basename } from 'node:path'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import type { PublicationRow } from '../publications/publications.rows.ts'
import { runInline } from '../tasks/run-task.ts'
import { resumeInline, startInline } from '../tasks/start-task.ts'
import type { Task } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { addUpload, importTask, type NewImport, refuseRepeat, uploadsOf } from './begin-import.ts'
import { columnsOfHeader, dryRunImport, secondsSince } from './dry-run-import.ts'
import { fileFormatFields, requireKnownEncoding } from './file-format.input.ts'
import { importModes, importTargets } from './import-modes.rules.ts'
import { type ImportProgress, type ImportReport, importWarnings, uploadReasons } from './import-report.ts'
import { inspectFile } from './load/inspect-file.ts'
import { expectSameFile, importHandler } from './run-import.ts'
import { busyWith, type ImportCursor, lockedUpload, type Upload, uploadById } from './upload-row.ts'

const isFunction = (value: unknown) => typeof value === 'function'

const ImportReadersInput = z
  .object({
    ...publicationRef,
    /** The file's path on this machine. */
    file: z.string().min(1, 'Enter the path of the file'),
    fileName: z.string().optional(),
    mode: z.enum(importModes),
    target: z.enum(importTargets).default('all'),
    /** The file's column names with the reader columns they mean, or one for each column in order; empty is not imported. */
    mapping: z.union([z.record(z.string(), z.string()), z.array(z.string())]).optional(),
    /** The path of the file with the mapping. */
    mapFile: z.string().optional(),
    ...fileFormatFields,
    dryRun: z.boolean().default(false),
    /** The hash of the file that was previewed: another file is refused. */
    sha256: z.string().optional(),
    /** Imports a file again that was imported before. */
    again: z.boolean().default(false),
    /** The import to resume; without it the newest of the same file that was interrupted. */
    uploadId: z.number().int().optional(),
    onProgress: z.custom<(progress: ImportProgress) => void>(isFunction).optional(),
    signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
  })
  .refine(...hasPublicationRef)
  .refine(({ mode, target }) => mode === 'replace' || target === 'all', {
    path: ['target'],
    message: 'Only a replacement has a target',
  })

/**
 * Imports the readers of a CSV file on this machine into a publication, in this process: adds new readers, combines the
 * rows with existing readers, or replaces the readers. Rejected rows are stored with their reasons and never stop the
 * good ones. Run again after a kill, an abort or a failure, it resumes from its checkpoint. An abort ends it with the
 * report so far. Throws `conflict` while another import or undo of the publication is running, and for a file that was
 * imported before, unless `again` is set.
 */
export const importReaders = useCase({
  permission: 'reader:import',
  input: ImportReadersInput,
  transaction: 'none',
  async run(ctx, input): Promise<ImportReport> {
    const { mode, target, lenient, mapFile, dryRun, again, uploadId, onProgress, signal } = input
    const publication = await ownPublication(ctx, publicationOf(input))
    const fileName = input.fileName ?? basename(input.file)
    const file = await inspectFile(input.file, input)
    if (input.sha256 !== undefined && input.sha256 !== file.sha256)
      throw conflict(`The file "${fileName}" has changed since its preview, so nothing was imported`, {
        hint: 'Run the command again to preview the new file.',
      })
    requireKnownEncoding(file, fileName, '--encoding ')
    const columns = columnsOfHeader(file, fileName, mode, input.mapping)
    if (dryRun) return dryRunImport(ctx, { publication, mode, target, file, columns, lenient, onProgress, signal })
    const started = performance.now()
    const newImport = { publication, mode, target, fileName, file, columns, lenient, mapFile }
    const task = await claimImport(ctx, { ...newImport, again, uploadId })
    const startedUpload = await uploadById(ctx, task.subjectId)
    // A resumed import is read in the format it was started with, whatever is passed now.
    const hasSameFormat = startedUpload.encoding === file.encoding && startedUpload.delimiter === file.delimiter
    const fileToImport = hasSameFormat ? file : await inspectFile(input.file, startedUpload)
    const ended = await runInline(ctx, importHandler({ file: fileToImport, onProgress }), task, signal)
    return reportOf(ctx, { publication, file, task, ended, seconds: secondsSince(started) })
  },
})

interface Claim extends NewImport {
  again: boolean
  uploadId: number | undefined
}

/** Resumes an interrupted import of this file, or begins a new one; this process takes its lease. */
function claimImport(ctx: AppContext, { again, uploadId, ...newImport }: Claim): Promise<Task<ImportCursor>> {
  const { publication, file } = newImport
  return ctx.db.transaction(async () => {
    if (uploadId !== undefined) return resumeImport(ctx, await lockedUpload(ctx, uploadId), file)
    const earlierUploads = await uploadsOf(ctx, newImport)
    const stopped = earlierUploads.find(({ state }) => state === 'interrupted' || state === 'running')
    if (stopped) return resumeImport(ctx, stopped, file)
    if (!again) refuseRepeat(earlierUploads, 'use --again')
    const id = await addUpload(ctx, newImport, { fileHost: ctx.processes.host, draft: null })
    return startInline<ImportCursor>(ctx, 'import-readers', {
      ...importTask(ctx, { id, publicationId: publication.id, publisherId: publication.publisherId }),
      total: Math.max(file.lines - 1, 0),
      // A worker may not have this file.
      onLost: 'interrupt',
    })
  })
}

async function resumeImport(ctx: AppContext, upload: Upload, file: InspectedFile): Promise<Task<ImportCursor>> {
  expectSameFile(upload, file)
  const isStopped = upload.state === 'interrupted' || upload.state === 'running'
  if (!isStopped || upload.import === null)
    throw conflict(`The import of "${upload.fileName}" cannot be resumed: it is ${upload.state}`)
  return resumeInline(ctx, upload.import, (holder) => busyWith(ctx, holder))
}

function leaseLost() {
  return conflict('Another process has taken this import over, or ended it', {
    hint: 'To see its progress: subscriptions imports list',
  })
}

interface EndedRun {
  publication: PublicationRow
  file: InspectedFile
  /** The task as it was when this run began. */
  task: Task<ImportCursor>
  ended: Task<ImportCursor>
  seconds: number
}

async function reportOf(ctx: AppContext, { publication, file, task, ended, seconds }: EndedRun): Promise<ImportReport> {
  const { state } = ended
  if (state !== 'done' && state !== 'interrupted' && state !== 'cancelled') throw leaseLost()
  const upload = await uploadById(ctx, ended.subjectId)
  const { added, updated, unchanged, removed, repeated, failed } = upload
  const records = ended.cursor?.records ?? 0
  const recordsBefore = task.cursor?.records ?? 0
  return {
    uploadId: upload.id,
    publication: { urlKey: publication.urlKey, publicationName: publication.publicationName },
    mode: upload.kind,
    target: upload.target,
    dryRun: false,
    state,
    rows: records,
    added,
    updated,
    unchanged,
    removed,
    repeated,
    failed,
    seconds,
    rowsPerSecond: Math.round((records - recordsBefore) / seconds),
    resumedAt: task.token > 1 ? recordsBefore : null,
    sha256: file.sha256,
    encoding: file.encoding,
    delimiter: file.delimiter,
    warnings: importWarnings(upload.kind, upload.mapping.columns ?? [], {
      repeated,
      skippedCells: upload.skippedCells ?? [],
    }),
    skippedCells: upload.skippedCells ?? [],
    reasons: await uploadReasons(ctx, upload.id),
    firstRejects: [],
  }
}
