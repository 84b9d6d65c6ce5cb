import type { Currency } from '../kernel/money.ts'
import type { ExportPlan } from './export-plan.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import type { MailingPlan, MailingRow, MailingTally } from './mailing-file.rules.ts'

/** A reader file as it lies on disk. */
export interface InspectedFile {
  path: string
  bytes: number
  sha256: string
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  /** Length of the byte order mark. */
  skip: number
  delimiter: string
  header: string[]
  /** Line ends in the file: about the number of its rows. */
  lines: number
}

/** A record that was not taken: where it stands, why, and its cells as they were. */
export interface Reject {
  line: number
  column: string
  value: string
  reason: string
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
  /** Records of the file that an earlier, interrupted run has settled. */
  skip: number
  modifiedBy: number | null
  actorKind: string
  /** The last reader there was when a replace was asked for: who came later stays. */
  newestReaderId: number
  now: Date
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

export interface LoadWatcher {
  /** Rejects of the chunk that was just settled, in file order. Only a dry run needs them; others find them in the database. */
  rejected(rejects: readonly Reject[]): void
  settled(progress: LoadProgress): void
  /** How far a phase is that settles nothing yet, in rows of the file. */
  phase?(phase: ImportPhase, rows: number): void
  now(): Date
  signal?: AbortSignal | undefined
}

/** Which import is taken back, and by whom. */
export interface UndoPlan {
  publicationId: number
  uploadId: number
  /** About how many readers there are to put back. */
  readers: number
  actorKind: string
  actorId: number | null
  now: Date
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

export interface UndoWatcher {
  settled(progress: UndoProgress): void
  now(): Date
  signal?: AbortSignal | undefined
}

/** The bulk paths of reader files: each engine has its own way to be quick. */
export interface ReaderFileStore {
  /** Looks at a file; refuses what is no reader file with a clear error. */
  inspect(path: string): Promise<InspectedFile>
  /**
   * Puts the file's readers in by the plan's mode. To add and to combine commits chunk by chunk, each with its checkpoint in `uploads`;
   * to replace commits once. An abort ends it after a commit, or before the one of a replace. Counts are those of this run.
   */
  load(plan: LoadPlan, watcher: LoadWatcher): Promise<LoadProgress & { isFinished: boolean }>
  /** Takes an import back in chunks; counts are those of this run. An abort ends it after a commit, to be gone on with. */
  undo(plan: UndoPlan, watcher: UndoWatcher): Promise<UndoProgress>
  /** What an undo would do now. */
  countUndo(plan: UndoPlan): Promise<Omit<UndoProgress, 'isFinished'>>
  /** True while the process that held an interrupted upload's lock is gone. */
  isOwnerGone(owner: string): boolean
  /** Who we are, for the lock of an upload. */
  owner(): string
  /** How many readers `exportLines` will give. */
  countLines(plan: ExportPlan): Promise<number>
  /** Whole CSV lines of the plan's readers in the order they were added. */
  exportLines(plan: ExportPlan): AsyncIterable<Buffer>
  /** Pages of the rows of a mailing file in walk order, all from one snapshot; the tally is complete when the first is there. */
  mailingRows(plan: MailingPlan, tally: MailingTally): AsyncIterable<MailingRow[]>
}
