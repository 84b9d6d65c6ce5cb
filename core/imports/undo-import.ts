import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { AppError, conflict, toAppError } from '../kernel/errors.ts'
import { readersChanged } from '../readers/reader-editions.rows.ts'
import { recheckPostCodes } from '../readers/recheck-post-codes.ts'
import { useCase } from '../use-case.ts'
import { busyWith, isUploadHeld, lockPublication } from './claim-upload.ts'
import type { UndoPlan, UndoProgress } from './load/load-plan.ts'
import { countUndo, undoLoad } from './load/undo.ts'
import { seeToLostUploads } from './lost-uploads.ts'
import { runOwner } from './run-owner.ts'
import { ownUpload, type UploadRow } from './upload-row.ts'
import { undoableStates, undoDays } from './upload-states.rules.ts'
import { watchUpload } from './watch-upload.ts'

/** Who was left alone, and why. */
export interface LeftAlone {
  readerId: number
  uniqueReference: string
  /** The reader is there and somebody has changed it since; otherwise it was removed, or its reference was given away. */
  isThere: boolean
}

export interface UndoReport {
  uploadId: number
  fileName: string
  dryRun: boolean
  /** Readers that the import had added and that are gone again. */
  removed: number
  /** Readers that have their former row again. */
  restored: number
  /** Readers that are back, with the number they had. */
  broughtBack: number
  /** Readers that somebody has changed since. */
  leftAlone: number
  /** The first of them. */
  left: LeftAlone[]
  /** False when it was told to stop: run again, it goes on. */
  isFinished: boolean
}

const isFunction = (value: unknown) => typeof value === 'function'
const dayLength = 86_400_000
const lockLength = 30_000
const shownLeft = 50

/**
 * Takes an import back, within thirty days: added readers go, changed ones get their former row, removed ones come back with the same
 * number. Whoever was changed since is left alone and listed. It works in chunks and, run again after a kill or an abort, goes on.
 */
export const undoImport = useCase({
  permission: 'reader:import',
  input: z.object({
    uploadId: z.coerce.number('The upload was not found').int(),
    dryRun: z.boolean().default(false),
    onProgress: z.custom<(progress: { readers: number; total: number }) => void>(isFunction).optional(),
    signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
  }),
  transaction: 'none',
  async run(ctx, { uploadId, dryRun, onProgress, signal }): Promise<UndoReport> {
    const upload = await ownUpload(ctx, uploadId)
    const plan: UndoPlan = {
      publicationId: upload.publication_id,
      uploadId,
      readers: upload.added + upload.updated + upload.removed,
      actorKind: ctx.actor.kind,
      actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
      now: ctx.now(),
    }
    if (dryRun) {
      refuseUndo(ctx, upload)
      return report(upload, { ...(await countUndo(ctx.db, plan)), isFinished: true }, [], true)
    }
    await seeToLostUploads(ctx, upload.publication_id)
    await takePlace(ctx, uploadId)
    const watch = watchUpload(ctx, uploadId, signal)
    try {
      const progress = await undoLoad(ctx.db, plan, {
        now: ctx.now,
        signal: watch.signal,
        settled: ({ removed, restored, broughtBack, leftAlone }) => {
          const readers = removed + restored + broughtBack + leftAlone
          watch.tell('undoing', readers)
          onProgress?.({ readers, total: plan.readers })
        },
      })
      if (progress.isFinished) await finish(ctx, upload, progress)
      else await letGo(ctx, uploadId, 'Stopped on request')
      return report(upload, progress, await leftAlone(ctx, uploadId), false)
    } catch (error) {
      await letGo(ctx, uploadId, toAppError(error).message).catch(() => {})
      throw error
    } finally {
      await watch.end()
    }
  },
})

/** What cannot be undone: nothing done, too long ago, or at work. */
function refuseUndo(ctx: AppContext, upload: UploadRow): void {
  if (!(undoableStates as readonly string[]).includes(upload.state)) {
    throw conflict(
      upload.state === 'undone'
        ? 'This import was undone before'
        : `This import cannot be undone: it is ${upload.state}`,
    )
  }
  if (upload.added + upload.updated + upload.removed === 0)
    throw conflict('This import changed no readers, so there is nothing to undo')
  if (ctx.now().getTime() - upload.started_at.getTime() >= undoDays * dayLength) {
    throw new AppError('gone', `This import is more than ${undoDays} days old and cannot be undone any more`)
  }
}

/** An undo takes the publication's one place, as an import does. */
function takePlace(ctx: AppContext, uploadId: number): Promise<void> {
  return ctx.db.transaction(async () => {
    const found = await ownUpload(ctx, uploadId)
    await lockPublication(ctx, found.publication_id)
    const upload = await ownUpload(ctx, uploadId)
    refuseUndo(ctx, upload)
    const rows = await ctx.db.query<
      Pick<UploadRow, 'id' | 'state' | 'file_name' | 'locked_until'> & { mapping: string }
    >(
      `SELECT id, state, file_name, locked_until, mapping FROM uploads
       WHERE publication_id = :publicationId AND state IN ('waiting', 'running', 'undoing')`,
      { publicationId: upload.publication_id },
    )
    for (const row of rows) {
      const isOwn = Number(row.id) === uploadId
      if (!isOwn || (row.state === 'undoing' && isUploadHeld(ctx, row))) throw busyWith(row)
    }
    await ctx.db.run(
      `UPDATE uploads SET state = 'undoing', locked_until = :lockedUntil, mapping = :mapping, problem = NULL, stop_asked_at = NULL
       WHERE id = :uploadId`,
      {
        uploadId,
        lockedUntil: new Date(ctx.now().getTime() + lockLength),
        mapping: JSON.stringify({ ...(await mappingOf(ctx, uploadId)), owner: runOwner() }),
      },
    )
  })
}

async function mappingOf(ctx: AppContext, uploadId: number): Promise<object> {
  const [row] = await ctx.db.query<{ mapping: string | object }>(`SELECT mapping FROM uploads WHERE id = :uploadId`, {
    uploadId,
  })
  return typeof row?.mapping === 'string' ? (JSON.parse(row.mapping) as object) : (row?.mapping ?? {})
}

async function finish(ctx: AppContext, upload: UploadRow, progress: UndoProgress): Promise<void> {
  // The postcode file may be another one than when they were put away.
  await recheckPostCodes(ctx.db, { publicationId: upload.publication_id })
  await ctx.db.transaction(async () => {
    await ctx.db.run(
      `UPDATE uploads SET state = 'undone', undone_at = :now, locked_until = NULL, phase = NULL, phase_rows = 0 WHERE id = :id`,
      { id: upload.id, now: ctx.now() },
    )
    const { isFinished: _, ...counts } = progress
    await recordAudit(ctx, 'undo-import', { type: 'upload', id: upload.id, publisherId: upload.publisher_id }, counts)
    await readersChanged(ctx.db, upload.publication_id)
  })
}

async function letGo(ctx: AppContext, uploadId: number, problem: string): Promise<void> {
  await ctx.db.run(`UPDATE uploads SET locked_until = NULL, problem = :problem WHERE id = :uploadId`, {
    uploadId,
    problem: problem.slice(0, 500),
  })
}

async function leftAlone(ctx: AppContext, uploadId: number): Promise<LeftAlone[]> {
  const rows = await ctx.db.query<{ id: number; unique_reference: string; is_there: unknown }>(
    `SELECT b.id, b.unique_reference, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS is_there
     FROM reader_backups b LEFT JOIN readers r ON r.id = b.id
     WHERE b.upload_id = :uploadId AND b.kind IN ('left', 'kept') ORDER BY b.id LIMIT ${shownLeft}`,
    { uploadId },
  )
  return rows.map((row) => ({
    readerId: Number(row.id),
    uniqueReference: row.unique_reference,
    isThere: Number(row.is_there) === 1,
  }))
}

function report(
  { id, file_name }: UploadRow,
  { removed, restored, broughtBack, leftAlone: number, isFinished }: UndoProgress,
  left: LeftAlone[],
  dryRun: boolean,
): UndoReport {
  return {
    uploadId: id,
    fileName: file_name,
    dryRun,
    removed,
    restored,
    broughtBack,
    leftAlone: number,
    left,
    isFinished,
  }
}
