import { basename } from 'node:path'
import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import type { AppContext } from '../context.ts'
import { AppError, toAppError } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type ClaimedUpload, claimUpload } from './claim-upload.ts'
import { type ImportReport, reasonCounter, uploadReasons } from './import-report.ts'
import { publisherSettings } from './publisher-settings.query.ts'
import { mapHeader, readerColumns } from './reader.columns.ts'
import type { InspectedFile, LoadPlan } from './reader-file-store.ts'

export type { ImportReport } from './import-report.ts'

/** How far an import is. `totalRows` is an estimate until the end. */
export interface ImportProgress {
  rows: number
  totalRows: number
  rejected: number
}

const ImportReadersInput = z.object({
  urlKey: z.string().trim().min(1, 'Name the publication'),
  /** The file's path on this machine. */
  file: z.string().min(1, 'Name the file'),
  fileName: z.string().optional(),
  mode: z.literal('add'),
  dryRun: z.boolean().default(false),
  /** Imports a file that was imported before once more. */
  again: z.boolean().default(false),
  onProgress: z.custom<(progress: ImportProgress) => void>((value) => typeof value === 'function').optional(),
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
})

/**
 * Adds the readers of a CSV file to a publication. Good rows go in chunk by chunk, bad ones are kept with their reason. Run again after
 * a kill, an abort or a failure, it goes on from the last chunk that was committed. An abort ends it with the report so far.
 */
export const importReaders = useCase({
  permission: 'reader:import',
  input: ImportReadersInput,
  transaction: 'none',
  async run(ctx, input): Promise<ImportReport> {
    const started = performance.now()
    const publication = await ownPublication(ctx, { urlKey: input.urlKey })
    const fileName = input.fileName ?? basename(input.file)
    const file = await ctx.readerFiles.inspect(input.file)
    const columns = fittingColumns(file, fileName)
    const settings = await publisherSettings(ctx, publication.publisherId)
    const upload = input.dryRun
      ? null
      : await claimUpload(ctx, {
          publicationId: publication.id,
          mode: input.mode,
          fileName,
          file,
          columns,
          again: input.again,
        })
    const plan: LoadPlan = {
      publicationId: publication.id,
      publicationName: publication.publicationName,
      uploadId: upload?.id ?? null,
      file,
      columns,
      ...settings,
      skip: upload?.recordsDone ?? 0,
      modifiedBy: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
      now: ctx.now(),
    }
    const counter = reasonCounter()
    const before = { added: upload?.added ?? 0, failed: upload?.failed ?? 0 }
    const seconds = () => Math.max(0.001, Math.round(performance.now() - started) / 1000)
    try {
      const outcome = await ctx.readerFiles.add(plan, {
        now: ctx.now,
        signal: input.signal,
        rejected: (rejects) => {
          if (!upload) counter.add(rejects)
        },
        settled: ({ records, failed }) =>
          input.onProgress?.({
            rows: records,
            totalRows: Math.max(file.lines - 1, records),
            rejected: before.failed + failed,
          }),
      })
      if (upload) await endUpload(ctx, upload, { publisherId: publication.publisherId, seconds: seconds(), outcome })
      input.onProgress?.({
        rows: outcome.records,
        totalRows: outcome.isFinished ? outcome.records : file.lines - 1,
        rejected: before.failed + outcome.failed,
      })
      return {
        uploadId: upload?.id ?? null,
        publication: { urlKey: publication.urlKey, publicationName: publication.publicationName },
        mode: input.mode,
        dryRun: input.dryRun,
        rows: outcome.records,
        added: before.added + outcome.added,
        updated: 0,
        removed: 0,
        failed: before.failed + outcome.failed,
        seconds: seconds(),
        rowsPerSecond: Math.round((outcome.records - plan.skip) / seconds()),
        resumedAt: upload?.isResumed ? upload.recordsDone : null,
        encoding: file.encoding,
        delimiter: file.delimiter,
        warnings: warningsFor(columns),
        reasons: upload ? await uploadReasons(ctx, upload.id) : counter.reasons(),
      }
    } catch (error) {
      // The database may be what failed: then the lock runs out by itself.
      if (upload) await letGo(ctx, upload.id, toAppError(error).message, seconds()).catch(() => {})
      throw error
    }
  },
})

function fittingColumns(file: InspectedFile, fileName: string): number[] {
  const { columns, problems } = mapHeader(file.header)
  if (problems.length === 0) return columns
  throw new AppError('invalid', `The header of "${fileName}" does not fit: ${problems.join('; ')}`, {
    fields: { file: problems.join('; ') },
    hint: `The columns are ${readerColumns.map(({ header }) => header).join(', ')}.`,
  })
}

function warningsFor(columns: number[]): string[] {
  return columns.includes(0) ? ['BuyerId is Masthead’s own number: adding readers ignores the column'] : []
}

/** Closes the books of a run: done with its audit row, or open to be gone on with. */
async function endUpload(
  ctx: AppContext,
  upload: ClaimedUpload,
  {
    publisherId,
    seconds,
    outcome,
  }: {
    publisherId: number
    seconds: number
    outcome: { added: number; failed: number; records: number; isFinished: boolean }
  },
): Promise<void> {
  if (!outcome.isFinished) return letGo(ctx, upload.id, 'Stopped on request', seconds)
  await ctx.db.transaction(async () => {
    await ctx.db.run(
      `UPDATE uploads SET state = 'done', finished_at = :now, seconds = seconds + :seconds, locked_until = NULL, problem = NULL WHERE id = :id`,
      { id: upload.id, now: ctx.now(), seconds },
    )
    await recordAudit(
      ctx,
      'import-readers',
      { type: 'upload', id: upload.id, publisherId },
      {
        mode: 'add',
        rows: outcome.records,
        added: upload.added + outcome.added,
        failed: upload.failed + outcome.failed,
      },
    )
  })
}

async function letGo(ctx: AppContext, uploadId: number, problem: string, seconds: number): Promise<void> {
  await ctx.db.run(
    `UPDATE uploads SET state = 'interrupted', locked_until = NULL, seconds = seconds + :seconds, problem = :problem WHERE id = :uploadId`,
    { uploadId, seconds, problem: problem.slice(0, 500) },
  )
}
