import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { failureLevel, toAppError } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { asUploader } from './as-uploader.ts'
import { importOf } from './import-of.ts'
import { type ImportReport, importReaders } from './import-readers.ts'
import { ownUpload, type UploadPreview, type UploadRow } from './upload-row.ts'
import { watchCheck } from './watch-check.ts'

/** The job: finds out by a dry run what an upload would do, row by row, and keeps that for whoever confirms it. */
export const checkUpload = useCase({
  permission: 'machine:operate',
  input: z.object({ uploadId: z.number().int(), turn: z.number().int() }),
  transaction: 'none',
  async run(ctx, { uploadId, turn }): Promise<void> {
    const upload = await ownUpload(ctx, uploadId)
    // Cancelled, or its columns were changed since.
    if (upload.state !== 'checking' || upload.turn !== turn) return
    const watch = watchCheck(ctx, { id: uploadId, turn })
    try {
      const report = await importReaders(await asUploader(ctx, upload.actor_id), {
        ...importOf(upload),
        dryRun: true,
        signal: watch.signal,
        onProgress: ({ rows, totalRows }: { rows: number; totalRows: number }) =>
          Object.assign(watch, { rows, totalRows }),
      })
      if (!watch.signal.aborted) await keepPreview(ctx, upload, report)
    } catch (error) {
      if (!watch.signal.aborted) await refuse(ctx, upload, error)
    } finally {
      watch.end()
    }
  },
})

async function keepPreview(ctx: AppContext, upload: UploadRow, report: ImportReport): Promise<void> {
  const { rows, added, updated, unchanged, removed, repeated, failed, warnings, firstRejects } = report
  const reasons = report.reasons.slice(0, 20)
  const preview: UploadPreview = {
    rows,
    added,
    updated,
    unchanged,
    removed,
    repeated,
    failed,
    warnings,
    reasons,
    firstRejects,
  }
  await ctx.db.run(
    `UPDATE uploads SET state = 'checked', preview = :preview, rows_checked = :rows, total_rows = :rows, problem = NULL
     WHERE id = :id AND state = 'checking' AND turn = :turn`,
    { id: upload.id, turn: upload.turn, rows, preview: JSON.stringify(preview) },
  )
}

/** A file that cannot be read to its end is told to whoever waits; a fault of ours is in the log as well. */
async function refuse(ctx: AppContext, upload: UploadRow, thrown: unknown): Promise<void> {
  const error = toAppError(thrown)
  if (failureLevel(thrown) === 'error')
    ctx.log.error({ error: thrown, upload: upload.id }, 'an upload could not be checked')
  await ctx.db.run(
    `UPDATE uploads SET state = 'failed', problem = :problem, finished_at = :now WHERE id = :id AND state = 'checking' AND turn = :turn`,
    {
      id: upload.id,
      turn: upload.turn,
      problem: [error.message, error.hint].filter(Boolean).join('. ').slice(0, 500),
      now: ctx.now(),
    },
  )
}
