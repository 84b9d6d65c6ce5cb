import type { Currency } from '../kernel/money.ts'
import type { MailingPlan, MailingTally } from './mailing-file.rules.ts'

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
  now: Date
}

/** Counts of what is settled: committed, or in a dry run what would be. */
export interface LoadProgress {
  /** Records of the file, from its beginning, also those of an earlier run. */
  records: number
  added: number
  failed: number
}

export interface LoadWatcher {
  /** Rejects of the chunk that was just settled, in file order. Only a dry run needs them; others find them in the database. */
  rejected(rejects: readonly Reject[]): void
  settled(progress: LoadProgress): void
  now(): Date
  signal?: AbortSignal | undefined
}

/** The bulk paths of reader files: each engine has its own way to be quick. */
export interface ReaderFileStore {
  /** Looks at a file; refuses what is no reader file with a clear error. */
  inspect(path: string): Promise<InspectedFile>
  /**
   * Adds the file's readers chunk by chunk; each commit carries the checkpoint in `uploads`. An abort ends it after a commit.
   * Counts are those of this run.
   */
  add(plan: LoadPlan, watcher: LoadWatcher): Promise<LoadProgress & { isFinished: boolean }>
  /** True while the process that held an interrupted upload's lock is gone. */
  isOwnerGone(owner: string): boolean
  /** Who we are, for the lock of an upload. */
  owner(): string
  /** Whole CSV lines of a publication's readers in the order they were added. */
  exportLines(publicationId: number, mainCurrency: Currency): AsyncIterable<Buffer>
  /** Lines of a mailing file in walk order; the tally is complete when they are read. */
  mailingLines(plan: MailingPlan, tally: MailingTally): AsyncIterable<Buffer>
}
