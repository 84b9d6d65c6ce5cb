import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { isUploadHeld } from './claim-upload.ts'
import { heldUpload, ownUpload, type UploadRow } from './upload-row.ts'
import type { UploadState } from './upload-states.rules.ts'

/** How an upload ended, with what it had done until then: that stays, and can be undone. */
export interface CancelledUpload {
  state: UploadState
  added: number
  updated: number
  removed: number
}

/**
 * Ends an upload, and its file goes. Before it ran nothing was changed. A running one stops at a safe place a moment later; a stopped one
 * stays as it is: what it did can still be undone.
 */
export const cancelUpload = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int() }),
  async run(ctx, { uploadId }): Promise<CancelledUpload> {
    const upload = await heldUpload(ctx, uploadId)
    const state = await end(ctx, upload)
    await recordAudit(ctx, 'cancel-upload', { type: 'upload', id: uploadId, publisherId: upload.publisher_id })
    const { added, updated, removed } = await ownUpload(ctx, uploadId)
    return { state, added, updated, removed }
  },
})

async function end(ctx: AppContext, upload: UploadRow): Promise<UploadState> {
  const hasBegun = upload.records_done > 0
  switch (upload.state) {
    case 'stored':
    case 'checking':
    case 'checked':
      await close(ctx, upload)
      ctx.db.afterCommit(() => removeFile(ctx, upload))
      return 'cancelled'
    case 'waiting':
      if (hasBegun) return interrupt(ctx, upload)
      await close(ctx, upload)
      ctx.db.afterCommit(() => removeFile(ctx, upload))
      return 'cancelled'
    case 'running':
      // Nobody works on it: the process that did is gone.
      if (!isUploadHeld(ctx, upload)) return interrupt(ctx, upload)
      await ctx.db.run(`UPDATE uploads SET stop_asked_at = :now WHERE id = :id`, { id: upload.id, now: ctx.now() })
      return 'running'
    case 'interrupted':
      await close(ctx, upload)
      ctx.db.afterCommit(() => removeFile(ctx, upload))
      return 'cancelled'
    default:
      throw conflict('This upload has come to its end already', { hint: 'Reload the page to see what it did.' })
  }
}

/** What was seen of the file holds names and addresses: it goes with the file. */
async function close(ctx: AppContext, { id }: UploadRow): Promise<void> {
  await ctx.db.run(
    `UPDATE uploads SET state = 'cancelled', turn = turn + 1, locked_until = NULL, inspection = NULL, preview = NULL,
       finished_at = COALESCE(finished_at, :now) WHERE id = :id`,
    { id, now: ctx.now() },
  )
}

async function interrupt(ctx: AppContext, { id }: UploadRow): Promise<UploadState> {
  await ctx.db.run(`UPDATE uploads SET state = 'interrupted', turn = turn + 1, locked_until = NULL WHERE id = :id`, {
    id,
  })
  return 'interrupted'
}

function removeFile(ctx: AppContext, { stored_file }: UploadRow): void {
  if (!stored_file) return
  ctx.uploadFiles
    .remove(stored_file)
    .catch((error: unknown) => ctx.log.warn({ error }, 'an uploaded file was not removed'))
}
