import type { FileEncoding } from '../kernel/file-encodings.ts'
import type { EncodingDoubt } from '../ports/upload-files.ts'
import { runSeconds, type Task } from '../tasks/task.ts'
import { needsHandle } from './confirm-upload.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import type { RejectReason, UploadPreview } from './import-report.ts'
import type { SkippedCells } from './skipped-cells.rules.ts'
import { type Upload, uploadPage } from './upload-row.ts'
import { type UploadState, undoable, undoDays } from './upload-states.ts'

/** An import as lists and cards show it. */
export interface ImportView {
  id: number
  publicationId: number
  publicationName: string
  urlKey: string
  mode: ImportMode
  target: ImportTarget
  state: UploadState
  fileName: string
  /** The machine on whose command line it was started, and which has its file; null if Masthead stores it. */
  fileHost: string | null
  bytes: number
  rows: number
  added: number
  updated: number
  unchanged: number
  removed: number
  repeated: number
  failed: number
  /** For an undo: readers restored to their state before the import (added ones are removed), and readers left as they were, since they had changed. */
  restored: number
  leftAlone: number
  seconds: number
  problem: string | null
  /** Who began it; null for the command line and for a scheduled transfer. */
  who: string | null
  startedAt: Date
  finishedAt: Date | null
  undoneAt: Date | null
  canUndo: boolean
  /** Whether what it replaced or changed can be downloaded. */
  hasBackup: boolean
  /** Whether its rejected rows can be downloaded. */
  hasRejects: boolean
  page: string
}

/** An upload with all that its page shows. Its progress comes from its task, so that it outlives every process. */
export interface UploadView extends ImportView {
  columns: { header: string; importAs: string; samples: string[] }[]
  mappedBy: 'template' | 'kept' | 'guess' | null
  encoding: FileEncoding
  delimiter: string
  /** Why the user has to choose the encoding; null if that is not necessary. */
  doubt: EncodingDoubt | null
  /** The other likely encodings, where the one that is usual in the publisher's country was assumed. */
  assumed: EncodingDoubt | null
  /** Rows whose only problem is an email or a telephone are imported without it. */
  lenient: boolean
  /** Cells that were skipped in imported rows. */
  skippedCells: SkippedCells[]
  preview: UploadPreview | null
  /** The earlier import of the same file, if any. */
  importedBefore: { at: Date; added: number } | null
  needsHandle: boolean
  isStopping: boolean
  /** `rows` are readers while it is being undone. `seconds` since it was requested, `phaseSeconds` since the phase started, if that is known. */
  progress: { rows: number; total: number; seconds: number; phase: string | null; phaseSeconds: number | null }
  reasons: RejectReason[]
}

export function canUndo(upload: Upload, now: Date): boolean {
  return (
    undoable.has(upload.state) && upload.added + upload.updated + upload.removed > 0 && isWithinRetention(upload, now)
  )
}

function isWithinRetention({ startedAt }: Upload, now: Date): boolean {
  return now.getTime() - startedAt.getTime() < undoDays * 86_400_000
}

export function importView(upload: Upload, now: Date): ImportView {
  const { id, publicationId, publicationName, urlKey, kind, target, state, fileName, fileHost, bytes, who, startedAt } =
    upload
  const { added, updated, unchanged, removed, repeated, failed, restored, leftAlone, seconds } = upload
  return {
    id,
    publicationId,
    publicationName,
    urlKey,
    mode: kind,
    target,
    state,
    fileName,
    fileHost,
    bytes,
    rows: upload.import?.cursor?.records ?? 0,
    added,
    updated,
    unchanged,
    removed,
    repeated,
    failed,
    restored,
    leftAlone,
    seconds,
    problem: problemOf(upload),
    who,
    startedAt,
    finishedAt: (upload.import ?? upload.check)?.finishedAt ?? null,
    undoneAt: state === 'undone' ? (upload.undo?.finishedAt ?? null) : null,
    canUndo: canUndo(upload, now),
    hasBackup: updated + removed > 0 && isWithinRetention(upload, now),
    hasRejects: failed > 0 && isWithinRetention(upload, now),
    page: uploadPage(upload),
  }
}

/** The problem of the task that determines the state. */
function problemOf({ draft, check, import: load, undo }: Upload): string | null {
  if (draft !== null) return check?.problem ?? null
  return undo && undo.state !== 'done' ? undo.problem : (load?.problem ?? null)
}

export function uploadView(upload: Upload, now: Date): Omit<UploadView, 'reasons' | 'importedBefore'> {
  const { inspection, preview, state } = upload
  const mapping = upload.request?.mapping ?? inspection?.mapping ?? []
  const currentTask = currentTaskOf(upload)
  const rows = upload.import?.cursor?.records ?? 0
  return {
    ...importView(upload, now),
    columns: (inspection?.header ?? []).map((header, index) => ({
      header,
      importAs: mapping[index] ?? '',
      samples: (inspection?.samples ?? []).map((cells) => cells[index] ?? ''),
    })),
    mappedBy: inspection?.mappedBy ?? null,
    encoding: upload.encoding,
    delimiter: upload.delimiter,
    doubt: inspection?.doubt ?? null,
    assumed: inspection?.assumed ?? null,
    lenient: upload.mapping.lenient ?? upload.request?.lenient ?? false,
    skippedCells: upload.skippedCells ?? [],
    preview,
    needsHandle: needsHandle(upload),
    isStopping: state === 'running' && currentTask?.stopAskedAt != null,
    progress: {
      rows: currentTask?.done ?? rows,
      total:
        state === 'undoing'
          ? (currentTask?.total ?? 0)
          : Math.max(preview?.rows ?? (upload.import ?? upload.check)?.total ?? 0, rows),
      seconds: currentTask ? Math.max(0, (now.getTime() - currentTask.askedAt.getTime()) / 1000) : upload.seconds,
      phase: currentTask?.phase ?? null,
      phaseSeconds: currentTask && isFirstPhase(upload.kind, currentTask) ? runSeconds(currentTask, now) : null,
    },
  }
}

/** A file is read, compared and written, one after the other, except by an import that only adds. The start of a later phase is not stored. */
function isFirstPhase(mode: ImportMode, { kind, phase }: Task): boolean {
  return kind === 'undo-import' || phase === 'reading' || (mode === 'add' && phase === 'writing')
}

/** The task that the page waits for; null when there is none. */
function currentTaskOf({ state, check, import: load, undo }: Upload): Task | null {
  if (state === 'checking') return check
  if (state === 'waiting' || state === 'running') return load
  return state === 'undoing' ? undo : null
}
