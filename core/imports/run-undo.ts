import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { AppError } from '../kernel/errors.ts'
import { readersChanged } from '../readers/reader-editions.rows.ts'
import { rekeyPublication } from '../readers/rekey-home-readers.ts'
import type { Task, TaskHandler } from '../tasks/task.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import type { UndoCursor, UndoPlan, UndoProgress } from './load/load-plan.ts'
import { undoLoad } from './load/undo.ts'
import { type Upload, uploadById } from './upload-row.ts'
import { undoDays } from './upload-states.ts'

const initialCursor: UndoCursor = { removed: 0, restored: 0, broughtBack: 0, leftAlone: 0 }

/** Undoes an import in chunks. The backup of a finished chunk is deleted: a later run continues with the remaining ones. */
export function undoImportHandler(onProgress?: (progress: UndoProgress) => void): TaskHandler<UndoCursor> {
  return {
    transactions: 'own',
    async open(ctx, run) {
      const upload = await uploadById(ctx, run.task.subjectId)
      requireUndoable(ctx, upload)
      const plan = undoPlan(ctx, upload)
      return {
        async step() {
          let written = 0
          const undone = undoLoad(ctx.db, plan, {
            run,
            before: run.task.cursor ?? initialCursor,
            signal: run.signal,
            settled(progress) {
              const { removed, restored, broughtBack, leftAlone } = progress
              written = restored + broughtBack
              run.reportProgress({
                phase: 'undoing',
                done: run.task.done + removed + restored + broughtBack + leftAlone,
              })
              onProgress?.(progress)
            },
          })
          // The publisher's country and the postcode file may have changed since the readers were backed up. Those that a stopped or failed run
          // has restored are checked too: it may never be resumed.
          const { isFinished } = await undone.catch(async (error: unknown) => {
            if (written > 0) await rekeyPublication(ctx, plan.publicationId).catch(() => {})
            throw error
          })
          if (isFinished || written > 0) await rekeyPublication(ctx, plan.publicationId)
          return { isLast: isFinished }
        },
      }
    },
    finish: recordEnd,
  }
}

export function undoPlan(ctx: AppContext, { id, publicationId, added, updated, removed }: Upload): UndoPlan {
  return {
    publicationId,
    uploadId: id,
    readers: added + updated + removed,
    actorKind: ctx.actor.kind,
    actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
    now: ctx.now(),
    today: dayOf(ctx.now(), ctx.settings.timeZone),
  }
}

/** Throws `gone` for an import older than `undoDays`: its backup may have been deleted. */
export function requireUndoable({ now }: Pick<AppContext, 'now'>, { startedAt }: Pick<Upload, 'startedAt'>): void {
  if (now().getTime() - startedAt.getTime() >= undoDays * 86_400_000)
    throw new AppError('gone', `This import is more than ${undoDays} days old and can no longer be undone`)
}

async function recordEnd(ctx: AppContext, { state, subjectId, cursor }: Task<UndoCursor>): Promise<void> {
  if (state !== 'done') return
  const { id, publisherId, publicationId } = await uploadById(ctx, subjectId)
  const counts = cursor ?? initialCursor
  await recordAudit(ctx, 'undo-import', { type: 'upload', id, publisherId }, { ...counts })
  const { removed, restored: changed, broughtBack: added } = counts
  const data = { importId: id, state: 'undone', added, changed, removed }
  await queueWebhooks(ctx, publicationId, { type: 'import.done', data })
  await readersChanged(ctx.db, publicationId)
}
