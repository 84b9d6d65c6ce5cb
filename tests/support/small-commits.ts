import { bulkSizes } from '#core/platform/database/bulk-ports.ts'
import type { BulkSizes, Dialect } from '#core/ports/bulk.ts'
import { atFileEnd } from './file-end.ts'

const small: Record<Dialect, BulkSizes> = {
  sqlite: { added: 1_000, changed: 500, big: 5_000 },
  postgres: { added: 1_000, changed: 1_000, big: 5_000 },
}

/**
 * Until the file ends, bulk work commits after a tenth of the rows or fewer, so that a test of what happens between two commits needs fewer readers.
 * Returns the sizes for the project's database.
 */
export function setSmallCommits(): BulkSizes {
  const previous = structuredClone(bulkSizes)
  Object.assign(bulkSizes.sqlite, small.sqlite)
  Object.assign(bulkSizes.postgres, small.postgres)
  atFileEnd(() => {
    Object.assign(bulkSizes.sqlite, previous.sqlite)
    Object.assign(bulkSizes.postgres, previous.postgres)
  })
  return process.env.TEST_DIALECT === 'postgres' ? small.postgres : small.sqlite
}
