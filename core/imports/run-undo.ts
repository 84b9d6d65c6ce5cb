import { z } from 'zod'
import { mayPass, toAppError } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { asUploader } from './as-uploader.ts'
import { refuseWhileHeld } from './refuse-while-held.ts'
import { undoImport } from './undo-import.ts'
import { ownUpload } from './upload-row.ts'

/** The job: takes an import back in the name of whoever asked for that. Taken up again after a crash, it goes on. */
export const runUndo = useCase({
  permission: 'machine:operate',
  input: z.object({ uploadId: z.number().int(), turn: z.number().int(), userId: z.number().int().nullable() }),
  transaction: 'none',
  async run(ctx, { uploadId, turn, userId }): Promise<void> {
    const upload = await ownUpload(ctx, uploadId)
    if (upload.state !== 'undoing' || upload.turn !== turn) return
    try {
      await undoImport(await asUploader(ctx, userId), { uploadId })
    } catch (error) {
      // What cannot pass is this run's own end, unless another process has the undo: its end is not ours to write.
      if (!mayPass(error)) await refuseWhileHeld(ctx, uploadId)
      await ctx.db.run(
        `UPDATE uploads SET problem = :problem WHERE id = :uploadId AND state = 'undoing' AND turn = :turn`,
        { uploadId, turn, problem: toAppError(error).message.slice(0, 500) },
      )
      throw error
    }
  },
})
