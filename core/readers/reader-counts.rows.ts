import type { Database } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import { day, defineTable, integer, json, nullable, ref, text } from '../table.ts'

/** Cached counts of a publication's readers, by list, valid until they change. */
export const ReaderCounts = defineTable('reader_counts', {
  publicationId: ref(),
  list: text(),
  edition: ref(),
  countedOn: day(),
  readers: integer(),
  /** The largest groups of a list of duplicates, if they were computed. */
  largest: nullable(json<object[]>()),
})

/** The publication, the version of its readers and the day that a count is valid for. */
export interface CountCacheKey {
  publicationId: number
  edition: number
  today: Day
}

/** Stores a count, unless one of a later version exists. */
export async function storeCount(
  { db }: { db: Database },
  cacheKey: CountCacheKey,
  { list, readers, largest = null }: { list: string; readers: number; largest?: object[] | null },
): Promise<void> {
  await db.run(
    `INSERT INTO reader_counts (publication_id, list, edition, counted_on, readers, largest)
     VALUES (:publicationId, :list, :edition, :today, :readers, :largest)
     ON CONFLICT (publication_id, list) DO UPDATE
       SET edition = excluded.edition, counted_on = excluded.counted_on, readers = excluded.readers, largest = excluded.largest
       WHERE reader_counts.edition <= excluded.edition`,
    { ...cacheKey, list, readers, largest: largest && JSON.stringify(largest) },
  )
}
