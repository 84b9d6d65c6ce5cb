import { readerKeyIndexes as firstIndexes } from './migrations/003-readers.ts'
import { activeReaderIndexes } from './migrations/013-data-quality.ts'
import { listPageIndexes } from './migrations/017-list-pages.ts'

/** The indexes that a large import drops and builds again at its end, as the newest migrations have them: name and what it is on. */
export const readerKeyIndexes: Readonly<Record<string, string>> = {
  ...firstIndexes,
  ...activeReaderIndexes,
  ...listPageIndexes,
}
