import type { Actor } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { defineTable, id, instant, json, nullable, ref, text } from '../table.ts'
import type { ReaderImage } from './readers.rows.ts'

/** Readers that were removed one by one, as they were, so that a slip can be undone for a while. */
export const RemovedReaders = defineTable('removed_readers', {
  id: id(),
  publicationId: ref(),
  readerId: ref(),
  record: json<ReaderImage>(),
  actorKind: text<Actor['kind']>(),
  actorId: nullable(ref()),
  removedAt: instant(),
})

/** How long a removed reader can be brought back; after that the record is gone for good. */
export const removedReaderDays = 30

/** Forgets readers that were removed too long ago to be brought back. Returns how many. */
export function clearRemovedReaders(ctx: AppContext): Promise<number> {
  const before = new Date(ctx.now().getTime() - removedReaderDays * 86_400_000)
  return ctx.db.run(`DELETE FROM removed_readers WHERE removed_at < :before`, { before })
}
