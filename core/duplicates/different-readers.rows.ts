import type { AppContext } from '../context.ts'
import { defineTable, id, instant, nullable, ref, text } from '../table.ts'

/** Two readers that a user has marked as different: the lower id is `readerA`. */
export const DifferentReaders = defineTable('readers_apart', {
  id: id(),
  publicationId: ref(),
  readerA: ref(),
  readerB: ref(),
  actorKind: text(),
  actorId: nullable(ref()),
  saidAt: instant(),
})

/** Records that any two of these readers, given in ascending order of id, are different ones. */
export async function markReadersDifferent(
  ctx: AppContext,
  publicationId: number,
  ids: readonly number[],
): Promise<void> {
  for (const [at, a] of ids.entries()) {
    for (const b of ids.slice(at + 1)) {
      await ctx.db.run(
        `INSERT INTO readers_apart (publication_id, reader_a, reader_b, actor_kind, actor_id, said_at)
         VALUES (:publicationId, :a, :b, :actorKind, :actorId, :now) ON CONFLICT DO NOTHING`,
        {
          publicationId,
          a,
          b,
          actorKind: ctx.actor.kind,
          actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
          now: ctx.now(),
        },
      )
    }
  }
}
