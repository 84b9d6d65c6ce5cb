import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { cancelTask } from '../tasks/cancel-task.ts'
import { taskEnd } from '../tasks/task-end.ts'
import { useCase } from '../use-case.ts'
import { checkHandler } from './check-upload.ts'
import { importHandler } from './run-import.ts'
import { lockedUpload, ownUpload, type Upload } from './upload-row.ts'
import type { UploadState } from './upload-states.ts'
import { type ImportView, importView } from './upload-view.ts'
import { Uploads } from './uploads.rows.ts'

/** How an upload ended and what it had done by then; those changes remain and can be undone. */
export interface CancelledUpload {
  state: UploadState
  added: number
  updated: number
  removed: number
}

/**
 * Ends an upload and deletes its file. Before the import has run, nothing is changed. A running import stops at its next checkpoint and can then be
 * resumed, or cancelled permanently; its changes remain and can be undone. One that stops before its first checkpoint is cancelled.
 */
export const cancelUpload = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int() }),
  async run(ctx, { uploadId }): Promise<CancelledUpload> {
    const upload = await lockedUpload(ctx, uploadId)
    await endUpload(ctx, upload)
    await recordAudit(ctx, 'cancel-upload', { type: 'upload', id: uploadId, publisherId: upload.publisherId })
    const { state, added, updated, removed } = await ownUpload(ctx, uploadId)
    return { state, added, updated, removed }
  },
})

/** Cancels an upload, waits until its running import has stopped, and cancels that import permanently. An abort ends only the waiting. */
export const cancelImport = useCase({
  permission: 'reader:import',
  input: z.object({
    uploadId: z.coerce.number().int(),
    signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
  }),
  transaction: 'none',
  async run(ctx, { uploadId, signal }): Promise<ImportView> {
    await cancelUpload(ctx, { uploadId })
    const { import: task } = await ownUpload(ctx, uploadId)
    const ended = task && (await taskEnd(ctx, task.id, signal))
    if (ended?.state === 'interrupted') await cancelUpload(ctx, { uploadId })
    return importView(await ownUpload(ctx, uploadId), ctx.now())
  },
})

async function endUpload(ctx: AppContext, upload: Upload): Promise<void> {
  switch (upload.state) {
    case 'stored':
    case 'checking':
    case 'checked':
      if (upload.check) await cancelTask(ctx, checkHandler, upload.check)
      return closeUpload(ctx, upload)
    case 'waiting':
    case 'running':
    case 'interrupted':
      if (upload.import) await cancelTask(ctx, importHandler(), upload.import)
      return
    default:
      throw conflict('This upload has already ended', { hint: 'Its report says what it did.' })
  }
}

/** The sampled rows contain names and addresses: they are deleted with the file. */
async function closeUpload(ctx: AppContext, { id, storedFile }: Upload): Promise<void> {
  await Uploads.update(ctx, { id }, { draft: 'cancelled', inspection: null, preview: null })
  ctx.db.afterCommit(() => {
    if (storedFile === null) return
    ctx.uploadFiles
      .remove(storedFile)
      .catch((error: unknown) => ctx.log.warn({ error }, 'an uploaded file was not removed'))
  })
}
