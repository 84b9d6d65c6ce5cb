import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { resumeTask, startTask } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { undoTask } from './undo-import.ts'
import { lockedUpload } from './upload-row.ts'
import { canUndo } from './upload-view.ts'

/** Starts the undo of an import, or resumes an interrupted one; the worker runs it. Readers that have been changed since are left unchanged. */
export const undoUpload = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int() }),
  async run(ctx, { uploadId }): Promise<{ id: number; state: 'undoing' }> {
    const upload = await lockedUpload(ctx, uploadId)
    if (!canUndo(upload, ctx.now()))
      throw conflict('This import cannot be undone', {
        hint: 'An import can be undone for 30 days, once, when it has ended and has changed readers.',
      })
    const request = undoTask(ctx, upload)
    if (upload.state === 'undo-interrupted' && upload.undo) await resumeTask(ctx, upload.undo, request.busy)
    else await startTask(ctx, 'undo-import', request)
    await recordAudit(ctx, 'ask-undo', { type: 'upload', id: uploadId, publisherId: upload.publisherId })
    return { id: uploadId, state: 'undoing' }
  },
})
