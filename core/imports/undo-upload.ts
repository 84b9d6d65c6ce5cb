import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { isUploadHeld } from './claim-upload.ts'
import { leaveUploadJob } from './leave-upload-job.ts'
import { refuseSecondUpload } from './open-upload.ts'
import { heldUpload } from './upload-row.ts'
import { canUndo } from './upload-view.ts'

/** Asks for an import to be undone; the worker does it. Readers that somebody has changed since are left alone. */
export const undoUpload = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int() }),
  async run(ctx, { uploadId }): Promise<{ id: number; state: 'undoing' }> {
    const upload = await heldUpload(ctx, uploadId)
    // An undo that failed on its way is asked for once more.
    const isLeft = upload.state === 'undoing' && upload.problem !== null && !isUploadHeld(ctx, upload)
    if (!isLeft && !canUndo(upload, ctx.now()))
      throw conflict('This import cannot be undone', {
        hint: 'An import can be undone for 30 days, once, when it has ended and has changed readers.',
      })
    await refuseSecondUpload(ctx, upload.publication_id, { butFor: uploadId })
    await ctx.db.run(`UPDATE uploads SET state = 'undoing', problem = NULL, locked_until = NULL WHERE id = :uploadId`, {
      uploadId,
    })
    await leaveUploadJob(ctx, 'undo-import', upload)
    await recordAudit(ctx, 'ask-undo', { type: 'upload', id: uploadId, publisherId: upload.publisher_id })
    return { id: uploadId, state: 'undoing' }
  },
})
