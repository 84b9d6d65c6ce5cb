/** Loads the valid postcodes of one file. They are used only once all are loaded. */
export interface PostcodeLoad {
  /** Codes in capitals and digits, without spaces; a repeated one is stored once. */
  add(codes: readonly string[]): Promise<void>
  /** Completes the load; call it after the last `add`. */
  finish(): Promise<void>
  /** Closes the load, whether it was finished or aborted. */
  close(): Promise<void>
}
