/** Where an upload is on its way. */
export const uploadStates = [
  /** The file is on disk and nobody has looked at it. */
  'stored',
  'checking',
  /** The preview is made. */
  'checked',
  /** Confirmed, and waiting for the worker. */
  'waiting',
  'running',
  /** Stopped or killed on its way; it goes on from its checkpoint. */
  'interrupted',
  'done',
  'cancelled',
  'failed',
  'undoing',
  'undone',
] as const
export type UploadState = (typeof uploadStates)[number]

/** The states that take the one place a publication has: another upload is refused until this one has ended. One that stopped blocks nobody. */
export const busyStates = ['waiting', 'running', 'undoing'] as const satisfies readonly UploadState[]

/** The states in which readers may have been changed, so that there is something to undo. */
export const undoableStates = ['done', 'interrupted', 'cancelled', 'undoing'] as const satisfies readonly UploadState[]

/** How long an import can be undone and what it replaced is kept, in days. */
export const undoDays = 30
