import type { Database } from '#core/database.ts'
import type { ReaderFileStore } from '#core/reader-files/reader-file-store.ts'

export function makeReaderFileStore(_db: Database): ReaderFileStore {
  return {}
}
