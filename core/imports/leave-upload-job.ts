import type { AppContext } from '../context.ts'
import type { UploadRow } from './upload-row.ts'

type UploadJob = 'check-upload' | 'run-import' | 'undo-import'

/**
 * Leaves an upload's next job, in the running transaction. Each has its turn: what an earlier turn left behind does nothing any more.
 */
export async function leaveUploadJob(
  ctx: AppContext,
  name: UploadJob,
  { id, publisher_id }: Pick<UploadRow, 'id' | 'publisher_id'>,
): Promise<void> {
  const [row] = await ctx.db.query<{ turn: number }>(
    `UPDATE uploads SET turn = turn + 1, stop_asked_at = NULL WHERE id = :id RETURNING turn`,
    { id },
  )
  const turn = Number(row?.turn)
  const options = { dedupeKey: `${name}-${id}-${turn}`, publisherId: publisher_id }
  if (name !== 'undo-import') return ctx.jobs.enqueue(name, { uploadId: id, turn }, options)
  // Who undoes an import need not be who made it.
  const userId = ctx.actor.kind === 'staff' ? ctx.actor.userId : null
  return ctx.jobs.enqueue(name, { uploadId: id, turn, userId }, options)
}
