import { needsHandle } from './confirm-upload.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import type { RejectReason } from './import-report.ts'
import { type UploadPreview, type UploadRow, uploadPage } from './upload-row.ts'
import { type UploadState, undoDays } from './upload-states.rules.ts'

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
  bytes: number
  rows: number
  added: number
  updated: number
  unchanged: number
  removed: number
  repeated: number
  failed: number
  /** Of an undo: readers as they were before, and those that somebody had changed since. */
  restored: number
  leftAlone: number
  seconds: number
  problem: string | null
  /** Who began it; null for the command line. */
  who: string | null
  startedAt: Date
  finishedAt: Date | null
  undoneAt: Date | null
  canUndo: boolean
  /** What it replaced or changed can be downloaded. */
  hasBackup: boolean
  page: string
}

/** Where an upload is on its way, for whoever looks at it. Progress comes from the row: it outlives every process. */
export interface UploadView extends ImportView {
  columns: { header: string; importAs: string; samples: string[] }[]
  mappedBy: 'template' | 'kept' | 'guess' | null
  preview: UploadPreview | null
  /** The same file as it came before, when it did. */
  cameBefore: { at: Date; added: number } | null
  needsHandle: boolean
  isStopping: boolean
  progress: { rows: number; total: number; seconds: number; phase: string | null }
  reasons: RejectReason[]
}

export function canUndo(row: UploadRow, now: Date): boolean {
  if (row.state !== 'done' && row.state !== 'interrupted' && row.state !== 'cancelled') return false
  return row.added + row.updated + row.removed > 0 && isKept(row, now)
}

function isKept({ started_at }: UploadRow, now: Date): boolean {
  return now.getTime() - started_at.getTime() < undoDays * 86_400_000
}

export function importView(row: UploadRow, now: Date): ImportView {
  const { id, publication_id: publicationId, kind, target, state, problem, who, added, updated, unchanged } = row
  return {
    id,
    publicationId,
    publicationName: row.publication_name,
    urlKey: row.url_key,
    mode: kind,
    target,
    state,
    fileName: row.file_name,
    bytes: row.bytes,
    rows: row.records_done,
    added,
    updated,
    unchanged,
    removed: row.removed,
    repeated: row.repeated,
    failed: row.failed,
    restored: row.restored,
    leftAlone: row.left_alone,
    seconds: row.seconds,
    problem,
    who,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    undoneAt: row.undone_at,
    canUndo: canUndo(row, now),
    hasBackup: row.updated + row.removed > 0 && isKept(row, now),
    page: uploadPage({ id, kind, target, publicationId }),
  }
}

export function uploadView(row: UploadRow, now: Date): Omit<UploadView, 'reasons' | 'cameBefore'> {
  const mapping = row.wish?.mapping ?? row.inspection?.mapping ?? []
  const isChecking = row.state === 'checking'
  const isUnderWay = row.state === 'running' || row.state === 'waiting'
  return {
    ...importView(row, now),
    columns: (row.inspection?.header ?? []).map((header, index) => ({
      header,
      importAs: mapping[index] ?? '',
      samples: (row.inspection?.samples ?? []).map((cells) => cells[index] ?? ''),
    })),
    mappedBy: row.inspection?.mappedBy ?? null,
    preview: row.preview,
    needsHandle: needsHandle(row),
    isStopping: row.stop_asked_at !== null && row.state === 'running',
    progress: {
      rows: isChecking ? row.rows_checked : Math.max(row.records_done, row.phase_rows),
      total: Math.max(row.preview?.rows ?? row.total_rows, row.records_done),
      seconds: isUnderWay || isChecking ? Math.max(0, (now.getTime() - row.started_at.getTime()) / 1000) : row.seconds,
      phase: row.phase,
    },
  }
}
