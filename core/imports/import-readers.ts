import { basename } from 'node:path'
import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import type { AppContext } from '../context.ts'
import { AppError, isAppError, toAppError } from '../kernel/errors.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { namesPublication, publicationOf, whichPublication } from '../publications/which-publication.input.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import { useCase } from '../use-case.ts'
import { type ClaimedUpload, claimUpload, isPlaceLost } from './claim-upload.ts'
import { closeUpload, letFailedUploadGo } from './close-upload.ts'
import { type ImportMode, importModes, importTargets } from './import-modes.rules.ts'
import { type ImportReport, importWarnings, reasonCounter, uploadReasons } from './import-report.ts'
import { inspectFile } from './load/inspect-file.ts'
import { loadFile } from './load/load-file.ts'
import type { ImportPhase, LoadPlan, LoadProgress } from './load/load-plan.ts'
import { seeToLostUploads } from './lost-uploads.ts'
import { type ColumnMapping, mapHeader, renamedHeader } from './map-header.rules.ts'
import { watchUpload } from './watch-upload.ts'

export type { ImportReport } from './import-report.ts'

/** How far an import is. `totalRows` is an estimate until the end. */
export interface ImportProgress {
  /** `reading` and `comparing` change nothing yet. */
  phase: ImportPhase
  rows: number
  totalRows: number
  rejected: number
}

const isFunction = (value: unknown) => typeof value === 'function'

const ImportReadersInput = z
  .object({
    ...whichPublication,
    /** The file's path on this machine. */
    file: z.string().min(1, 'Name the file'),
    fileName: z.string().optional(),
    mode: z.enum(importModes),
    target: z.enum(importTargets).default('all'),
    /** The file's column names with the reader columns they mean, or one for each column in order; empty is not imported. */
    mapping: z.union([z.record(z.string(), z.string()), z.array(z.string())]).optional(),
    dryRun: z.boolean().default(false),
    /** Imports a file that was imported before once more. */
    again: z.boolean().default(false),
    /** An upload that waits to be run; without it one is made. */
    uploadId: z.number().int().optional(),
    onProgress: z.custom<(progress: ImportProgress) => void>(isFunction).optional(),
    signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
  })
  .refine(namesPublication, { path: ['publication'], message: 'Name the publication' })
  .refine(({ mode, target }) => mode === 'replace' || target === 'all', {
    path: ['target'],
    message: 'Only a replacement has a target',
  })

/**
 * Puts the readers of a CSV file into a publication: adds new ones, combines them with those that are known, or replaces those. Bad rows
 * are kept with their reason and never stop the good ones. Adding and combining commit chunk by chunk and, run again after a kill, an
 * abort or a failure, go on from the last chunk; replacing commits once and changes nothing before. An abort ends it with the report so far.
 */
export const importReaders = useCase({
  permission: 'reader:import',
  input: ImportReadersInput,
  transaction: 'none',
  async run(ctx, input): Promise<ImportReport> {
    const started = performance.now()
    const { mode, target, dryRun } = input
    const publication = await ownPublication(ctx, publicationOf(input))
    const fileName = input.fileName ?? basename(input.file)
    const file = await inspectFile(input.file)
    const columns = fittingColumns(file, fileName, mode, input.mapping)
    const settings = await publisherSettings(ctx, publication.publisherId)
    if (!dryRun) await seeToLostUploads(ctx, publication.id)
    const upload = dryRun
      ? null
      : await claimUpload(ctx, {
          publicationId: publication.id,
          uploadId: input.uploadId,
          mode,
          target,
          fileName,
          file,
          columns,
          again: input.again,
        })
    const plan: LoadPlan = {
      mode,
      target,
      publicationId: publication.id,
      publicationName: publication.publicationName,
      uploadId: upload?.id ?? null,
      file,
      columns,
      ...settings,
      skip: upload?.recordsDone ?? 0,
      modifiedBy: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
      actorKind: ctx.actor.kind,
      newestReaderId: upload?.newestReaderId ?? Number.MAX_SAFE_INTEGER,
      now: ctx.now(),
    }
    const seconds = () => Math.max(0.001, Math.round(performance.now() - started) / 1000)
    const outcome = await runLoad(ctx, { plan, upload, input, seconds, publisherId: publication.publisherId })
    return {
      uploadId: upload?.id ?? null,
      publication: { urlKey: publication.urlKey, publicationName: publication.publicationName },
      mode,
      target,
      dryRun,
      rows: outcome.records,
      ...outcome.counts,
      seconds: seconds(),
      rowsPerSecond: Math.round((outcome.records - plan.skip) / seconds()),
      resumedAt: upload?.isResumed ? upload.recordsDone : null,
      encoding: file.encoding,
      delimiter: file.delimiter,
      warnings: importWarnings(mode, columns, outcome.counts),
      reasons: outcome.reasons,
      firstRejects: outcome.firstRejects,
    }
  },
})

function fittingColumns(
  file: InspectedFile,
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

interface Run {
  plan: LoadPlan
  upload: ClaimedUpload | null
  input: z.output<typeof ImportReadersInput>
  publisherId: number
  seconds(): number
}

/** Runs the load with its upload's lock kept alive, and closes the upload's books whatever becomes of it. */
async function runLoad(ctx: AppContext, { plan, upload, input, publisherId, seconds }: Run) {
  const totalRows = Math.max(plan.file.lines - 1, 0)
  const watch = upload ? watchUpload(ctx, upload.id, input.signal) : null
  const counter = reasonCounter()
  const failedBefore = upload?.counts.failed ?? 0
  const tell = (phase: ImportPhase, rows: number, rejected: number) => {
    watch?.tell(phase, rows)
    input.onProgress?.({ phase, rows, totalRows: Math.max(totalRows, rows), rejected })
  }
  try {
    const isSwitched = plan.mode === 'replace' && plan.skip > 0
    // A replace that was killed behind its one commit has nothing left to do but to say so.
    const done = isSwitched
      ? { ...nothing(plan.skip), isFinished: true }
      : await loadFile(ctx.db, plan, {
          now: ctx.now,
          signal: watch?.signal ?? input.signal,
          rejected: (rejects) => {
            if (!upload) counter.add(rejects)
          },
          settled: ({ records, failed }) => tell('writing', records, failedBefore + failed),
          phase: (phase, rows) => tell(phase, rows, failedBefore),
        })
    const counts = sum(upload?.counts, done)
    if (upload) {
      const end = {
        uploadId: upload.id,
        mode: plan.mode,
        target: plan.target,
        publisherId,
        seconds: seconds(),
        rows: done.records,
        counts,
      }
      await closeUpload(ctx, {
        ...end,
        publicationId: plan.publicationId,
        isFinished: done.isFinished,
        stopped: watch?.stopped() ?? null,
      })
    }
    input.onProgress?.({
      phase: 'writing',
      rows: done.records,
      totalRows: done.isFinished ? done.records : totalRows,
      rejected: counts.failed,
    })
    return {
      records: done.records,
      counts,
      firstRejects: counter.first(),
      reasons: upload ? await uploadReasons(ctx, upload.id) : counter.reasons(),
    }
  } catch (error) {
    const state = isAppError(error) && error.kind === 'invalid' ? 'failed' : 'interrupted'
    if (upload && !isPlaceLost(error))
      await letFailedUploadGo(ctx, upload.id, state, toAppError(error).message, seconds())
    throw error
  } finally {
    await watch?.end()
  }
}

function nothing(records: number): LoadProgress {
  return { records, added: 0, updated: 0, unchanged: 0, removed: 0, repeated: 0, failed: 0 }
}

function sum(before: ClaimedUpload['counts'] | undefined, run: LoadProgress): ClaimedUpload['counts'] {
  return {
    added: (before?.added ?? 0) + run.added,
    updated: (before?.updated ?? 0) + run.updated,
    unchanged: (before?.unchanged ?? 0) + run.unchanged,
    removed: (before?.removed ?? 0) + run.removed,
    repeated: (before?.repeated ?? 0) + run.repeated,
    failed: (before?.failed ?? 0) + run.failed,
  }
}
