import type { Database } from '../database.ts'
import { defineTable, ref } from '../table.ts'

/** A number for each publication that is incremented by every change of its readers: a count under an older one is stale. */
export const ReaderEditions = defineTable('reader_editions', {
  publicationId: ref(),
  edition: ref(),
})

/** For writers with a separate connection: increments the number of `:publicationId`. */
export const readersChangedSql = `
INSERT INTO reader_editions (publication_id, edition) VALUES (:publicationId, 1)
ON CONFLICT (publication_id) DO UPDATE SET edition = reader_editions.edition + 1`

/**
 * Marks a publication's readers as changed, so that cached counts become stale. Call it in every
 * transaction that writes readers; call it last, as all of them lock the same row.
 */
export async function readersChanged(db: Pick<Database, 'run' | 'beforeCommit'>, publicationId: number): Promise<void> {
  await db.beforeCommit(`readers:${publicationId}`, () => db.run(readersChangedSql, { publicationId }))
}

/** The version of a publication's readers; 0 before the first write. Read it before counting, never after. */
export async function readersVersion(db: Pick<Database, 'query'>, publicationId: number): Promise<number> {
  const [row] = await db.query<{ edition: number }>(
    `SELECT edition FROM reader_editions WHERE publication_id = :publicationId`,
    { publicationId },
  )
  return Number(row?.edition ?? 0)
}

/** The versions of several publications' readers, in the order of `publicationIds`. */
export async function readersVersions(
  db: Pick<Database, 'query'>,
  publicationIds: readonly number[],
): Promise<number[]> {
  if (publicationIds.length === 0) return []
  const rows = await db.query<{ publication_id: number; edition: number }>(
    `SELECT publication_id, edition FROM reader_editions WHERE publication_id IN (:publicationIds)`,
    { publicationIds: [...publicationIds] },
  )
  const editions = new Map(rows.map((row) => [row.publication_id, Number(row.edition)]))
  return publicationIds.map((id) => editions.get(id) ?? 0)
}
