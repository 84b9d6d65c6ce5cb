import { setTimeout } from 'node:timers/promises'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { readersChanged } from '../readers/reader-editions.rows.ts'
import { recheckPostCodes } from '../readers/recheck-post-codes.ts'
import type { UploadCounts } from './claim-upload.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import type { StopReason } from './watch-upload.ts'

interface Ending {
  uploadId: number
  publicationId: number
  publisherId: number
  mode: ImportMode
  target: ImportTarget
  rows: number
  counts: UploadCounts
  seconds: number
  isFinished: boolean
  /** Why it was told to end, when it was. */
  stopped: StopReason | null
}

const reasons: Record<StopReason, string> = {
  cancelled: 'Cancelled on request',
  removed: 'The publication was removed',
}

/**
 * Closes the books of a run. One that was stopped stays open to be gone on with, unless there is nothing to go on from or no publication
 * to go on in. What ends is written into the activity log.
 */
export async function closeUpload(ctx: AppContext, ending: Ending): Promise<void> {
  const { uploadId, seconds, stopped, isFinished } = ending
  // What came in is held against the publication's postcode file, if it has one, before anybody is told that it is done.
  if (stopped !== 'removed' && ending.counts.added + ending.counts.updated > 0)
    await recheckPostCodes(ctx.db, { publicationId: ending.publicationId })
  const isOver = isFinished || stopped === 'removed' || (stopped === 'cancelled' && ending.rows === 0)
  if (!isOver) return letUploadGo(ctx, uploadId, 'interrupted', 'Stopped on request', seconds)
  const problem = isFinished || stopped === null ? null : reasons[stopped]
  await ctx.db.transaction(async () => {
    await ctx.db.run(
      `UPDATE uploads SET state = :state, finished_at = :now, seconds = seconds + :seconds, locked_until = NULL, phase = NULL, phase_rows = 0,
         problem = :problem WHERE id = :uploadId`,
      { uploadId, state: isFinished ? 'done' : 'cancelled', now: ctx.now(), seconds, problem },
    )
    const { mode, target, rows, counts } = ending
    const facts = { mode, ...(mode === 'replace' ? { target } : {}), rows, ...counts, ...(problem ? { problem } : {}) }
    await recordAudit(ctx, 'import-readers', { type: 'upload', id: uploadId, publisherId: ending.publisherId }, facts)
    await readersChanged(ctx.db, ending.publicationId)
  })
}

/** In milliseconds: a server that ran into a full disk takes some seconds to start again. */
const pauses = [0, 300, 1_000, 3_000]

/** The same after a failure, which may be the database's own. One that stays away leaves the lock to run out by itself. */
export async function letFailedUploadGo(...given: Parameters<typeof letUploadGo>): Promise<void> {
  for (const pause of pauses) {
    await setTimeout(pause)
    if (
      await letUploadGo(...given).then(
        () => true,
        () => false,
      )
    )
      return
  }
}

/** Leaves an upload open to be gone on with, or failed for good, with the reason. */
export async function letUploadGo(
  ctx: AppContext,
  uploadId: number,
  state: 'interrupted' | 'failed',
  problem: string,
  seconds: number,
): Promise<void> {
  await ctx.db.run(
    `UPDATE uploads SET state = :state, locked_until = NULL, seconds = seconds + :seconds, problem = :problem, phase = NULL, phase_rows = 0,
       finished_at = :finishedAt WHERE id = :uploadId`,
    { uploadId, state, seconds, problem: problem.slice(0, 500), finishedAt: state === 'failed' ? ctx.now() : null },
  )
}
