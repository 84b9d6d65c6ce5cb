/** Loads the valid postcodes of one file. They are used only once all are loaded. */
export interface PostcodeLoad {
  /** Codes of only capitals and digits; a repeated one is stored once. */
  add(codes: readonly string[]): Promise<void>
  /** Completes the load; call it after the last `add`. */
  finish(): Promise<void>
  /** Ends the load, also an aborted one. */
  close(): Promise<void>
}
