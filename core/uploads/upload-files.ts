import type { InspectedFile } from '../reader-files/reader-file-store.ts'

/** The port for files that people upload: they lie in one folder until the work on them is done. */
export interface UploadFiles {
  /**
   * Writes a stream to a new file under a name of our own. Throws `tooLarge` past the limit and `invalid` for nothing at all; what was
   * written until then is gone, also when the stream breaks off.
   */
  keep(chunks: AsyncIterable<Uint8Array>, mostBytes: number): Promise<{ path: string; bytes: number }>
  /** Takes a kept file away; it is no mistake when there is none. A file that is not ours stays. */
  remove(path: string): Promise<void>
  /** Takes away kept files that are older, but for those that are named. Tells how many. */
  clear(before: Date, kept: ReadonlySet<string>): Promise<number>
  /** Whole records from a file's head, middle and end, without its header: at most so many from each. */
  sample(file: InspectedFile, perPlace: number): Promise<string[][]>
  /** A file's records in batches, each with its line; read from disk as they are asked for. */
  records(file: InspectedFile): AsyncIterable<{ line: number; cells: string[] }[]>
}
