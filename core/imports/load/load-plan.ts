import type { Day } from '../../kernel/dates.ts'
import type { Currency } from '../../kernel/money.ts'
import type { InspectedFile } from '../../ports/upload-files.ts'
import type { TaskRun } from '../../tasks/task.ts'
import type { ImportMode, ImportTarget } from '../import-modes.rules.ts'
import type { LeftOut } from '../left-out.rules.ts'
import type { ImportCursor } from '../upload-row.ts'

/** A record that was not taken: where it stands, why, and its cells as they were. */
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

/** How a file is read and put into the database. */
export interface LoadPlan {
  mode: ImportMode
  target: ImportTarget
  publicationId: number
  publicationName: string
  /** Null in a dry run: then nothing is written. */
  uploadId: number | null
  file: InspectedFile
  /** For each column of the file, its place among the reader columns, or -1. */
  columns: number[]
  homeCountry: string
  mainCurrency: Currency
  /** A row whose only fault is its email or telephone is taken without. */
  lenient: boolean
  /** Records of the file that an earlier, interrupted run has settled. */
  skip: number
  /** The line behind which such a run left off, where records are not settled in the order of the file alone. */
  line?: number | undefined
  modifiedBy: number | null
  actorKind: string
  /** The last reader there was when a replace was asked for: who came later stays. */
  newestReaderId: number
  now: Date
  /** The business day of `now`. */
  today: Day
}

/** What a run is at. `reading` and `comparing` change nothing yet. */
export type ImportPhase = 'reading' | 'comparing' | 'writing'

/** Counts of what is settled: committed, or in a dry run what would be. */
export interface LoadProgress {
  /** Records of the file, from its beginning, also those of an earlier run. */
  records: number
  added: number
  updated: number
  unchanged: number
  removed: number
  /** Rows that a later line of the file gives again. */
  repeated: number
  failed: number
}

/** What a load and an undo need of the task they run in: its checkpoint belongs in each of their transactions. */
export type LoadRun<Cursor> = Pick<TaskRun<Cursor>, 'checkpointSql' | 'holdFor'>

/** In milliseconds: building an index of millions of readers, and on SQLite the switch of a replacement, let no heartbeat through. */
export const longestWrite = 15 * 60_000

export interface LoadWatcher {
  /** Null in a dry run, which writes nothing. */
  run: LoadRun<ImportCursor> | null
  /** Rejects of the chunk that was just settled, in file order. Only a dry run needs them; others find them in the database. */
  rejected(rejects: readonly Reject[]): void
  settled(progress: LoadProgress): void
  /** Cells that the rows read since were taken without; counted from the beginning of the file also where a run resumes. */
  leftOut(cells: readonly LeftOut[]): void
  /** How far a phase is that settles nothing yet, in rows of the file. */
  phase?(phase: ImportPhase, rows: number): void
  signal?: AbortSignal | undefined
}

/** Which import is undone, and by whom. */
export interface UndoPlan {
  publicationId: number
  uploadId: number
  /** About how many readers there are to put back. */
  readers: number
  actorKind: string
  actorId: number | null
  now: Date
  today: Day
}

export interface UndoProgress {
  /** Readers that the import had added and that are gone again. */
  removed: number
  /** Readers that have their former row again. */
  restored: number
  /** Readers that are back, with the number they had. */
  broughtBack: number
  /** Readers that somebody has changed since. */
  leftAlone: number
  isFinished: boolean
}

/** What an undo has done in all its runs. What it still has to do is what is left of the backups. */
export type UndoCursor = Omit<UndoProgress, 'isFinished'>

export interface UndoWatcher {
  run: LoadRun<UndoCursor>
  /** What earlier runs did. */
  before: UndoCursor
  settled(progress: UndoProgress): void
  signal?: AbortSignal | undefined
}
