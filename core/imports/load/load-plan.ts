import type { Day } from '../../kernel/dates.ts'
import type { Currency } from '../../kernel/money.ts'
import type { InspectedFile } from '../../ports/upload-files.ts'
import type { TaskRun } from '../../tasks/task.ts'
import type { ImportMode, ImportTarget } from '../import-modes.rules.ts'
import type { SkippedCells } from '../skipped-cells.rules.ts'
import type { ImportCursor } from '../upload-row.ts'

/** A rejected record: its position, the reason, and its cells as they were. */
export interface Reject {
  line: number
  /** The first problem of the row. */
  column: string
  value: string
  reason: string
  /** Its other problems as JSON text, an array of `RowProblem`; null when there are none. */
  further: string | null
  /** The cells as JSON text. */
  cells: string
}

/** How a file is read and written to the database. */
export interface LoadPlan {
  mode: ImportMode
  target: ImportTarget
  publicationId: number
  publicationName: string
  /** Null in a dry run: then nothing is written. */
  uploadId: number | null
  file: InspectedFile
  /** For each column of the file, its index among the reader columns, or -1. */
  columns: number[]
  homeCountry: string
  mainCurrency: Currency
  /** A row whose only problem is its email or telephone is imported without it. */
  lenient: boolean
  /** Records of the file that an earlier, interrupted run has settled. */
  skip: number
  /** The line after which the run resumes, where records are not settled strictly in the order of the file. */
  line?: number | undefined
  modifiedBy: number | null
  actorKind: string
  /** The newest reader when a replace was requested: later ones are kept. */
  newestReaderId: number
  now: Date
  /** The business day of `now`. */
  today: Day
}

/** The phase of a run. `reading` and `comparing` change nothing yet. */
export type ImportPhase = 'reading' | 'comparing' | 'writing'

/** Counts of rows and readers that are committed, or in a dry run would be. */
export interface LoadProgress {
  /** Records counted from the beginning of the file, including those of an earlier run. */
  records: number
  added: number
  updated: number
  unchanged: number
  removed: number
  /** Rows that a later line of the file repeats. */
  repeated: number
  failed: number
}

/** The parts of a task that a load and an undo need: its checkpoint is written in each of their transactions. */
export type LoadRun<Cursor> = Pick<TaskRun<Cursor>, 'checkpointSql' | 'extendLease'>

/** In milliseconds: building an index of millions of readers, and on SQLite the switch of a replacement, block the heartbeat. */
export const maxWriteMs = 15 * 60_000

export interface LoadWatcher {
  /** Null in a dry run, which writes nothing. */
  run: LoadRun<ImportCursor> | null
  /** Rejects of the chunk that was just settled, in file order. Only a dry run needs them; other runs store them in the database. */
  rejected(rejects: readonly Reject[]): void
  settled(progress: LoadProgress): void
  /** Cells that were skipped in the rows read since; counted from the beginning of the file even where a run resumes. */
  skippedCells(cells: readonly SkippedCells[]): void
  /** The progress of a phase that settles nothing yet, in rows of the file. */
  phase?(phase: ImportPhase, rows: number): void
  signal?: AbortSignal | undefined
}

/** The import to undo, and the user who undoes it. */
export interface UndoPlan {
  publicationId: number
  uploadId: number
  /** About how many readers are to be restored. */
  readers: number
  actorKind: string
  actorId: number | null
  now: Date
  today: Day
}

export interface UndoProgress {
  /** Readers that the import had added and that are removed again. */
  removed: number
  /** Changed readers that got their previous row back. */
  restored: number
  /** Removed readers that exist again, with their previous number. */
  broughtBack: number
  /** Readers that have been changed since the import. */
  leftAlone: number
  isFinished: boolean
}

/** What an undo has done in all its runs. The remaining backups are what it still has to do. */
export type UndoCursor = Omit<UndoProgress, 'isFinished'>

export interface UndoWatcher {
  run: LoadRun<UndoCursor>
  /** The results of earlier runs. */
  before: UndoCursor
  settled(progress: UndoProgress): void
  signal?: AbortSignal | undefined
}
