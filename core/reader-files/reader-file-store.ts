/** Port for the bulk paths of reader files; see the platform's database folder for the two engines. */
export type ReaderFileStore = Record<string, never>
