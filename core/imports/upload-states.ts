import type { TaskState } from '../tasks/task.ts'

/**
 * The state before the import is requested. `stored`: the file is here, and its columns are to be confirmed or checked. `checked`: its preview is
 * ready. `dry-run`: a program wants only the preview, and no user will confirm it.
 */
export type UploadDraft = 'stored' | 'checked' | 'cancelled' | 'dry-run'

/** The progress of an upload. */
export const uploadStates = [
  'stored',
  'checking',
  'checked',
  /** Confirmed, and waiting for the worker. */
  'waiting',
  'running',
  /** Interrupted; it can be resumed from its checkpoint. */
  'interrupted',
  'done',
  'cancelled',
  'failed',
  'undoing',
  /** An undo that was interrupted; requested again, it resumes. */
  'undo-interrupted',
  'undone',
] as const
export type UploadState = (typeof uploadStates)[number]

/** The states of an upload's newest tasks; null if there is none. */
interface TaskStates {
  check: TaskState | null
  import: TaskState | null
  undo: TaskState | null
}

/** Derives an upload's state from its draft and its tasks; nothing else does. An undo that failed or was cancelled has changed nothing. */
export function uploadState(draft: UploadDraft | null, tasks: TaskStates): UploadState {
  if (draft === null) {
    if (tasks.undo === 'done') return 'undone'
    if (tasks.undo === 'interrupted') return 'undo-interrupted'
    if (tasks.undo === 'waiting' || tasks.undo === 'running') return 'undoing'
    return tasks.import ?? 'failed'
  }
  if (draft === 'cancelled') return 'cancelled'
  if (tasks.check === 'waiting' || tasks.check === 'running') return 'checking'
  if (draft === 'dry-run') return 'cancelled'
  return draft === 'stored' && tasks.check === 'failed' ? 'failed' : draft
}

/** The states in which readers may have been changed, so that there is something to undo. */
export const undoable: ReadonlySet<UploadState> = new Set(['done', 'interrupted', 'cancelled', 'undo-interrupted'])

/** How long an import can be undone and its backup is stored, in days. */
export const undoDays = 30
