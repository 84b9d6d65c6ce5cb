import type { AppContext } from '../context.ts'
import { rowsFromJson } from '../dialect.ts'
import { defineTable, id, ref } from '../table.ts'

/** Merged records, each with the record it was merged into; deleted when the merge is undone. */
export const MergedReaders = defineTable('merged_readers', {
  id: id(),
  readerId: ref(),
  publicationId: ref(),
  survivorId: ref(),
})

/** Records into which reader others were merged. */
export async function addMergedReaders(
  { db }: AppContext,
  { publicationId, to, from }: { publicationId: number; to: number; from: readonly number[] },
): Promise<void> {
  await db.run(
    `INSERT INTO merged_readers (reader_id, publication_id, survivor_id)
     SELECT r.id, :publicationId, :to FROM ${rowsFromJson(db, ':rows', 'r', { id: 'id' })}`,
    { publicationId, to, rows: JSON.stringify(from.map((id) => ({ id }))) },
  )
}

/** Deletes the rows of readers that the undo of a merge restored. */
export async function removeMergedReaders({ db }: AppContext, readerIds: readonly number[]): Promise<void> {
  await db.run('DELETE FROM merged_readers WHERE reader_id IN (:readerIds)', { readerIds })
}

/** The ids of a record, of the record it was merged into, and so on: the last is the reader's current record. */
export async function mergeChain(
  { db }: Pick<AppContext, 'db'>,
  { readerId, publicationId }: { readerId: number; publicationId: number },
): Promise<number[]> {
  const survivors = await db.query<{ id: number }>(
    `WITH RECURSIVE chain (id, depth) AS (
       SELECT survivor_id, 1 FROM merged_readers WHERE reader_id = :readerId AND publication_id = :publicationId
       UNION ALL SELECT m.survivor_id, chain.depth + 1 FROM merged_readers m JOIN chain ON m.reader_id = chain.id)
     SELECT id FROM chain ORDER BY depth`,
    { readerId, publicationId },
  )
  return [readerId, ...survivors.map(({ id }) => Number(id))]
}

/** The current record of a reader: the record it was merged into, if it was merged. */
export async function currentReaderId(
  ctx: Pick<AppContext, 'db'>,
  reader: { readerId: number; publicationId: number },
): Promise<number> {
  return (await mergeChain(ctx, reader)).at(-1) ?? reader.readerId
}
