import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { leaveUploadJob } from './leave-upload-job.ts'
import { refuseSecondUpload } from './open-upload.ts'
import { heldUpload, type UploadRow } from './upload-row.ts'
import { busyStates } from './upload-states.rules.ts'

/**
 * Lets a checked upload run, or a stopped one go on; the worker does it. Replacing all readers wants the publication's handle typed.
 * Throws `conflict` while another import of the publication is under way.
 */
export const confirmUpload = useCase({
  permission: 'reader:import',
  input: z.object({ uploadId: z.coerce.number().int(), handle: z.string().max(200).default('') }),
  async run(ctx, { uploadId, handle }): Promise<void> {
    const upload = await heldUpload(ctx, uploadId)
    if (upload.state === 'interrupted') return goOn(ctx, upload)
    if (upload.state !== 'checked')
      throw conflict('This upload cannot be confirmed now', { hint: 'Reload the page to see how far it is.' })
    if (needsHandle(upload) && handle.trim().toLowerCase() !== upload.url_key.toLowerCase())
      throw invalid({ handle: `Type ${upload.url_key} to replace all readers` })
    if (upload.preview && changesNothing(upload))
      throw conflict('No row of this file can be taken: there is nothing to import', {
        hint: 'Mend the rows, or choose other columns.',
      })
    await goOn(ctx, upload)
  },
})

/** Only replacing everybody is severe enough to ask for a typed word. */
export function needsHandle({ kind, target }: Pick<UploadRow, 'kind' | 'target'>): boolean {
  return kind === 'replace' && target === 'all'
}

function changesNothing({ preview }: UploadRow): boolean {
  return preview !== null && preview.rows === preview.failed
}

async function goOn(ctx: AppContext, upload: UploadRow): Promise<void> {
  await refuseSecondUpload(ctx, upload.publication_id, { butFor: upload.id, states: busyStates })
  await ctx.db.run(
    `UPDATE uploads SET state = 'waiting', problem = NULL, finished_at = NULL, locked_until = NULL,
       actor_kind = :actorKind, actor_id = :actorId,
       started_at = CASE WHEN records_done = 0 THEN :now ELSE started_at END WHERE id = :id`,
    {
      id: upload.id,
      now: ctx.now(),
      // Whoever confirms it answers for it.
      actorKind: ctx.actor.kind,
      actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
    },
  )
  await leaveUploadJob(ctx, 'run-import', upload)
}
