import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { runInline } from '../tasks/run-task.ts'
import { resumeInline, startInline, type TaskRequest } from '../tasks/start-task.ts'
import type { Task } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { importTask } from './begin-import.ts'
import type { UndoCursor, UndoProgress } from './load/load-plan.ts'
import { countUndo } from './load/undo.ts'
import { requireUndoable, undoImportHandler, undoPlan } from './run-undo.ts'
import { lockedUpload, ownUpload, type Upload } from './upload-row.ts'
import { undoable } from './upload-states.ts'

/** A reader that was left unchanged, and why. */
export interface LeftAlone {
  readerId: number
  uniqueReference: string
  /** The reader exists and has been changed since; otherwise it was removed, or its reference was given to another one. */
  isThere: boolean
}

export interface UndoReport {
  uploadId: number
  fileName: string
  dryRun: boolean
  /** Readers that the import had added and that are removed again. */
  removed: number
  /** Changed readers that got their previous row back. */
  restored: number
  /** Removed readers that exist again, with their previous number. */
  broughtBack: number
  /** Readers that have been changed since the import. */
  leftAlone: number
  /** The first of the readers left unchanged. */
  left: LeftAlone[]
  /** False if it was stopped; run again, it resumes. */
  isFinished: boolean
}

const isFunction = (value: unknown) => typeof value === 'function'
const maxListed = 50

/**
 * Undoes an import within 30 days: added readers are removed, changed ones get their previous row, removed ones are restored with the same id. Readers
 * changed since are left unchanged and listed. It works in chunks and resumes when run again after a kill or an abort.
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
    if (dryRun) {
      refuseUndo(ctx, upload)
      return undoReport(upload, { ...(await countUndo(ctx.db, undoPlan(ctx, upload))), isFinished: true }, [], true)
    }
    const task = await ctx.db.transaction(async () => claimUndo(ctx, await lockedUpload(ctx, uploadId)))
    let progress: UndoProgress = { removed: 0, restored: 0, broughtBack: 0, leftAlone: 0, isFinished: false }
    const handler = undoImportHandler((current) => {
      progress = current
      const { removed, restored, broughtBack, leftAlone } = current
      onProgress?.({ readers: task.done + removed + restored + broughtBack + leftAlone, total: task.total })
    })
    const ended = await runInline(ctx, handler, task, signal)
    if (ended.state === 'running' || ended.state === 'waiting')
      throw conflict('Another process has taken this undo over, or ended it', {
        hint: `To see its progress: subscriptions imports show ${uploadId}`,
      })
    return undoReport(
      upload,
      { ...progress, isFinished: ended.state === 'done' },
      await readersLeftAlone(ctx, uploadId),
      false,
    )
  },
})

/** Resumes an interrupted undo, or begins one; this process takes its lease. */
async function claimUndo(ctx: AppContext, upload: Upload): Promise<Task<UndoCursor>> {
  refuseUndo(ctx, upload)
  const request = undoTask(ctx, upload)
  // If this process is killed, no worker takes the undo over: it counts as interrupted, and blocks no other work.
  if (upload.undo === null || upload.state !== 'undo-interrupted')
    return startInline<UndoCursor>(ctx, 'undo-import', { ...request, onLost: 'interrupt' })
  return resumeInline(ctx, upload.undo as Task<UndoCursor>, request.busy)
}

/** An undo occupies the publication, as an import does. */
export function undoTask(ctx: AppContext, upload: Upload): TaskRequest {
  return {
    ...importTask(ctx, upload),
    total: upload.added + upload.updated + upload.removed,
    ...(upload.import ? { undoOf: upload.import.id } : {}),
  }
}

/** Throws when an import cannot be undone: it changed nothing, is too old, or is running. */
function refuseUndo(ctx: AppContext, upload: Upload): void {
  const { state } = upload
  if (state !== 'undoing' && !undoable.has(state))
    throw conflict(
      state === 'undone' ? 'This import has already been undone' : `This import cannot be undone: it is ${state}`,
    )
  if (upload.added + upload.updated + upload.removed === 0)
    throw conflict('This import changed no readers, so there is nothing to undo')
  requireUndoable(ctx, upload)
}

async function readersLeftAlone(ctx: AppContext, uploadId: number): Promise<LeftAlone[]> {
  const rows = await ctx.db.query<{ id: number; unique_reference: string; is_there: unknown }>(
    `SELECT b.id, b.unique_reference, CASE WHEN r.id IS NULL THEN 0 ELSE 1 END AS is_there
     FROM reader_backups b LEFT JOIN readers r ON r.id = b.id
     WHERE b.upload_id = :uploadId AND b.kind IN ('left', 'kept') ORDER BY b.id LIMIT ${maxListed}`,
    { uploadId },
  )
  return rows.map((row) => ({
    readerId: Number(row.id),
    uniqueReference: row.unique_reference,
    isThere: Number(row.is_there) === 1,
  }))
}

function undoReport(
  { id, fileName }: Upload,
  { removed, restored, broughtBack, leftAlone: number, isFinished }: UndoProgress,
  left: LeftAlone[],
  dryRun: boolean,
): UndoReport {
  return {
    uploadId: id,
    fileName,
    dryRun,
    removed,
    restored,
    broughtBack,
    leftAlone: number,
    left,
    isFinished,
  }
}
