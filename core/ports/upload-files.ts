import type { FileEncoding } from '../kernel/file-encodings.ts'

/** What speaks against reading a file without asking. */
export interface EncodingDoubt {
  problem: string
  /** The likeliest first. */
  likely: FileEncoding[]
}

/** A reader file as it lies on disk. */
export interface InspectedFile {
  path: string
  bytes: number
  sha256: string
  encoding: FileEncoding
  /** Why somebody has to say which encoding it is in; null where that is plain, or was said. */
  doubt: EncodingDoubt | null
  /** Length of what stands in front of the header: the byte order mark, and a line that names the delimiter. */
  skip: number
  /** The line the header stands on. */
  firstLine: number
  delimiter: string
  header: string[]
  /** Line ends in the file: about the number of its rows. */
  lines: number
}

/** How much may be kept, in bytes but for the number of files. */
interface KeepLimits {
  /** The largest file. */
  fileBytes: number
  /** How many files of one publisher may wait, those that are on their way included. */
  waitingFiles: number
  /** What they may be together. */
  waitingBytes: number
  /** What stays free of the disk. */
  freeBytes: number
}

/** Whose file comes, and how long its sender says it is: with what a form writes around it, unknown without. */
export interface ComingFile {
  publisherId: number
  announcedBytes?: number | undefined
  limits: KeepLimits
}

/** The port for files that people upload: they lie in one folder until the work on them is done. */
export interface UploadFiles {
  /**
   * Writes a stream to a new file under a name of our own. Throws `tooLarge` past the limit, `conflict` where too much of the publisher
   * waits, `unavailable` where the disk has no room, before the first byte where that is known then, and `invalid` for nothing at all;
   * what was written until then is gone, also when the stream breaks off.
   */
  keep(chunks: AsyncIterable<Uint8Array>, coming: ComingFile): Promise<{ path: string; bytes: number }>
  /** Takes a kept file away; it is no mistake when there is none. A file that is not ours stays. */
  remove(path: string): Promise<void>
  /** Whether a file can be read on this machine, a kept one or any other. */
  isThere(path: string): Promise<boolean>
  /** Whether a file is one of ours, and still there. */
  isKept(path: string): Promise<boolean>
  /** Takes away kept files that are older, but for those that are named. Tells how many. */
  clear(before: Date, kept: ReadonlySet<string>): Promise<number>
  /** Whole records from a file's head, middle and end, without its header: at most so many from each. */
  sample(file: InspectedFile, perPlace: number): Promise<string[][]>
  /** A file's records in batches, each with its line; read from disk as they are asked for. */
  records(file: InspectedFile): AsyncIterable<{ line: number; cells: string[] }[]>
}
