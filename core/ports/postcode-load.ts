/** Loads the valid postcodes of one file. They are used only once all are loaded. */
export interface PostcodeLoad {
  /** Codes in capitals and digits alone; one that comes twice is kept once. */
  add(codes: readonly string[]): Promise<void>
  /** Puts everything in its place; belongs behind the last `add`. */
  finish(): Promise<void>
  /** Ends the load, also one that was broken off. */
  close(): Promise<void>
}
