import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { useCase } from '../use-case.ts'
import { isUploadHeld, lockPublication } from './claim-upload.ts'
import { leaveUploadJob } from './leave-upload-job.ts'
import { selectUploads, type UploadRow, uploadRow } from './upload-row.ts'

/** The job: sees to every import whose process has ended. */
export const sweepUploads = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  run: (ctx) => seeToLostUploads(ctx),
})

/**
 * Sees to imports whose process was killed or has not been heard of for too long, of one publication or of all: where the file is one that
 * we keep, the worker goes on with it; else it reads interrupted, and blocks nobody. One whose job is still to be tried is left to that.
 */
export async function seeToLostUploads(ctx: AppContext, publicationId?: number): Promise<void> {
  const running = await ctx.db.query(
    `${selectUploads} WHERE u.state = 'running' ${publicationId === undefined ? '' : 'AND u.publication_id = :publicationId'} ORDER BY u.id`,
    { publicationId: publicationId ?? null },
  )
  for (const row of running) {
    const upload = uploadRow(row)
    if (isUploadHeld(ctx, upload)) continue
    const { hasJob, hasFailed } = await jobsOf(ctx, upload)
    if (hasJob) continue
    const canGoOn =
      !hasFailed && !upload.stop_asked_at && upload.stored_file && (await ctx.uploadFiles.isKept(upload.stored_file))
    await ctx.db.transaction(() => (canGoOn ? goOn(ctx, upload) : interrupt(ctx, upload)))
  }
}

async function jobsOf(ctx: AppContext, { id, turn }: UploadRow): Promise<{ hasJob: boolean; hasFailed: boolean }> {
  const rows = await ctx.db.query<{ state: string; dedupe_key: string }>(
    `SELECT state, dedupe_key FROM jobs WHERE name = 'run-import' AND dedupe_key LIKE :keys`,
    { keys: `run-import-${id}-%` },
  )
  return {
    hasJob: rows.some(
      ({ state, dedupe_key }) =>
        dedupe_key === `run-import-${id}-${turn}` && (state === 'waiting' || state === 'active'),
    ),
    // It was tried as often as it may be: only a person can say what to do.
    hasFailed: rows.some(({ state }) => state === 'failed'),
  }
}

async function goOn(ctx: AppContext, upload: UploadRow): Promise<void> {
  if (await leave(ctx, upload, 'waiting', null)) await leaveUploadJob(ctx, 'run-import', upload)
}

async function interrupt(ctx: AppContext, upload: UploadRow): Promise<void> {
  await leave(ctx, upload, 'interrupted', 'The process that ran this import has ended')
}

/** False when it is not what it was any more: somebody has gone on with it, or ended it. */
async function leave(
  ctx: AppContext,
  { id, publication_id, turn, records_done, locked_until }: UploadRow,
  state: 'waiting' | 'interrupted',
  problem: string | null,
): Promise<boolean> {
  await lockPublication(ctx, publication_id)
  const [row] = await ctx.db.query<{ state: string; turn: number; locked_until: Date | string | null }>(
    `SELECT state, turn, records_done, locked_until FROM uploads WHERE id = :id`,
    { id },
  )
  const isAsItWas =
    row?.state === 'running' &&
    Number(row.turn) === turn &&
    (row.locked_until === null ? null : new Date(row.locked_until).getTime()) === (locked_until?.getTime() ?? null)
  if (!isAsItWas) return false
  await ctx.db.run(
    `UPDATE uploads SET state = :state, locked_until = NULL, problem = :problem, phase = NULL, phase_rows = 0, turn = turn + 1
     WHERE id = :id AND records_done = :recordsDone`,
    { id, state, problem, recordsDone: records_done },
  )
  return true
}
