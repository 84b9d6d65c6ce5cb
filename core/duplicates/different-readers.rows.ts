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

/** Marks these readers, passed in ascending order of id, as different from each other. */
export async function markReadersDifferent(
  ctx: AppContext,
  publicationId: number,
  ids: readonly number[],
): Promise<void> {
  for (const [index, a] of ids.entries()) {
    for (const b of ids.slice(index + 1)) {
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

/**
 * Marks the survivor of a merge as different from every reader that one of the merged readers was marked as different from: the next merge without
 * review would otherwise merge them. The marks of the merged readers stay for its undo. Returns the ids of the new marks.
 */
export async function inheritMarks(
  ctx: AppContext,
  publicationId: number,
  { to, from }: { to: number; from: readonly number[] },
): Promise<number[]> {
  const added = await ctx.db.query<{ id: number }>(
    `INSERT INTO readers_apart (publication_id, reader_a, reader_b, actor_kind, actor_id, said_at)
     SELECT publication_id, CASE WHEN other < :to THEN other ELSE :to END, CASE WHEN other < :to THEN :to ELSE other END,
       actor_kind, actor_id, said_at
     FROM (SELECT m.*, CASE WHEN m.reader_a IN (:from) THEN m.reader_b ELSE m.reader_a END AS other FROM readers_apart m
       WHERE m.publication_id = :publicationId AND (m.reader_a IN (:from) OR m.reader_b IN (:from))) marks
     WHERE other NOT IN (:from) AND other <> :to
     ON CONFLICT DO NOTHING RETURNING id`,
    { publicationId, to, from: [...from] },
  )
  return added.map(({ id }) => Number(id))
}

/** Deletes the marks that a merge added, when it is undone. */
export async function removeInheritedMarks({ db }: AppContext, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.run(`DELETE FROM readers_apart WHERE id IN (:ids)`, { ids: [...ids] })
}
