import type { FileEncoding } from '../kernel/file-encodings.ts'

/** Why a person has to choose a file's encoding. */
export interface EncodingDoubt {
  problem: string
  /** The likeliest first. */
  likely: FileEncoding[]
  /** The first cells that the likely encodings read differently; absent in older uploads. */
  differences?: EncodingDifference[]
}

/** A cell that several encodings read differently: what each of them would store. */
export interface EncodingDifference {
  line: number
  /** Its column's name; null for a column name itself. */
  column: string | null
  readings: { encodings: FileEncoding[]; value: string }[]
}

/** A reader file as it is on disk. */
export interface InspectedFile {
  path: string
  bytes: number
  sha256: string
  encoding: FileEncoding
  /** Why a person has to choose its encoding; null if it is unambiguous, or was chosen. */
  doubt: EncodingDoubt | null
  /** The other possible encodings, where the usual encoding of the publisher's country was assumed. */
  assumed: EncodingDoubt | null
  /** Length of what precedes the header: the byte order mark, and a line that names the delimiter. */
  skip: number
  /** The line the header is on. */
  firstLine: number
  delimiter: string
  header: string[]
  /** Line ends in the file: about the number of its rows. */
  lines: number
  /** File metadata at inspection; a difference means the file was replaced. */
  stat: { ino: number; size: number; mtimeMs: number }
}

/** The limits of stored files, in bytes except for the number of files. */
interface UploadLimits {
  /** The largest file. */
  fileBytes: number
  /** How many files of one publisher may wait, including those being uploaded. */
  waitingFiles: number
  /** Their maximum total size. */
  waitingBytes: number
  /** The disk space that must stay free. */
  freeBytes: number
}

/** Whose file is uploaded, and its announced length, including a form's overhead; unknown if not announced. */
export interface AnnouncedUpload {
  publisherId: number
  announcedBytes?: number | undefined
  limits: UploadLimits
}

/** The port for files that people upload: they are kept in one folder until the work on them is done. */
export interface UploadFiles {
  /**
   * Writes a stream to a new file under a generated name. Throws `tooLarge` beyond the limit, `conflict` if too many files of the
   * publisher are waiting, `unavailable` if the disk is full (before the first byte if that is already known), and `invalid` for an empty
   * file; a partial file is deleted, also if the stream is aborted.
   */
  save(chunks: AsyncIterable<Uint8Array>, upload: AnnouncedUpload): Promise<{ path: string; bytes: number }>
  /** Deletes a stored file; it is not an error if there is none. A file that is not ours is not deleted. */
  remove(path: string): Promise<void>
  /** Whether a file can be read on this machine, a stored one or any other. */
  exists(path: string): Promise<boolean>
  /** Whether a file is one of ours and still exists. */
  isKept(path: string): Promise<boolean>
  /** Deletes older stored files, except those named. Returns how many. */
  clear(before: Date, filesInUse: ReadonlySet<string>): Promise<number>
  /** Whole records from the beginning, middle and end of a file, without its header: at most `perPlace` from each. */
  sample(file: InspectedFile, perPlace: number): Promise<string[][]>
  /** A file's records in batches, each with its line; read from disk on demand. */
  records(file: InspectedFile): AsyncIterable<{ line: number; cells: string[] }[]>
}
