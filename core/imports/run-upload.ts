import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { mayPass, toAppError } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { asUploader } from './as-uploader.ts'
import { importOf } from './import-of.ts'
import { importReaders } from './import-readers.ts'
import { letFileGo } from './let-file-go.ts'
import { refuseWhileHeld } from './refuse-while-held.ts'
import { ownUpload, type UploadRow } from './upload-row.ts'

/** The job: does what a confirmed upload is to do. Taken up again after a crash, it goes on from the last chunk that was committed. */
export const runUpload = useCase({
  permission: 'machine:operate',
  input: z.object({ uploadId: z.number().int(), turn: z.number().int() }),
  transaction: 'none',
  async run(ctx, { uploadId, turn }): Promise<void> {
    const upload = await ownUpload(ctx, uploadId)
    const isOurs = upload.state === 'waiting' || upload.state === 'running' || upload.state === 'interrupted'
    if (!isOurs || upload.turn !== turn || upload.stop_asked_at) return
    try {
      await importReaders(await asUploader(ctx, upload.actor_id), { ...importOf(upload), uploadId })
      await letFileGo(ctx, uploadId)
    } catch (error) {
      // What may pass is tried again from where it stopped; until then the upload says what is the matter.
      if (mayPass(error)) throw error
      await refuseWhileHeld(ctx, uploadId)
      const { message, hint } = toAppError(error)
      await giveUp(ctx, upload, [message, hint].filter(Boolean).join('. '))
    }
  },
})

/** What cannot go on. With readers changed already it stays open, to be gone on with or undone. */
async function giveUp(ctx: AppContext, { id, turn }: UploadRow, problem: string): Promise<void> {
  await ctx.db.run(
    `UPDATE uploads SET state = CASE WHEN records_done > 0 THEN 'interrupted' ELSE 'failed' END, locked_until = NULL, problem = :problem,
       finished_at = :now WHERE id = :id AND turn = :turn AND state IN ('waiting', 'running', 'interrupted')`,
    { id, turn, problem: problem.slice(0, 500), now: ctx.now() },
  )
}
