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
         VALUES (:publicationId, :a, :b, :actorKind, :actorId, :now)
         ON CONFLICT (publication_id, reader_a, reader_b) DO UPDATE
         SET actor_kind = excluded.actor_kind, actor_id = excluded.actor_id, said_at = excluded.said_at`,
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
 * review would otherwise merge them. The marks of the merged readers stay for its undo. With `since`, only later marks count. Returns the ids of the
 * new marks.
 */
export async function inheritMarks(
  ctx: AppContext,
  publicationId: number,
  { to, from, since }: { to: number; from: readonly number[]; since?: Date },
): Promise<number[]> {
  const added = await ctx.db.query<{ id: number }>(
    `INSERT INTO readers_apart (publication_id, reader_a, reader_b, actor_kind, actor_id, said_at)
     SELECT publication_id, CASE WHEN other < :to THEN other ELSE :to END, CASE WHEN other < :to THEN :to ELSE other END,
       actor_kind, actor_id, said_at
     FROM (SELECT m.*, CASE WHEN m.reader_a IN (:from) THEN m.reader_b ELSE m.reader_a END AS other FROM readers_apart m
       WHERE m.publication_id = :publicationId AND (m.reader_a IN (:from) OR m.reader_b IN (:from))${since ? ' AND m.said_at > :since' : ''}) marks
     WHERE other NOT IN (:from) AND other <> :to
     ON CONFLICT DO NOTHING RETURNING id`,
    { publicationId, to, from: [...from], ...(since ? { since } : {}) },
  )
  return added.map(({ id }) => Number(id))
}

/**
 * Deletes the marks that a merge added, when it is undone. Those that a user made since stay, and count for the restored readers as well: what the user
 * saw had their data.
 */
export async function splitMarks(
  ctx: AppContext,
  publicationId: number,
  merge: { survivorId: number; restored: readonly number[]; inherited: readonly number[]; mergedAt: Date },
): Promise<void> {
  const { survivorId, restored, inherited, mergedAt } = merge
  if (inherited.length > 0)
    await ctx.db.run(`DELETE FROM readers_apart WHERE id IN (:ids) AND said_at <= :mergedAt`, {
      ids: [...inherited],
      mergedAt,
    })
  for (const to of restored) await inheritMarks(ctx, publicationId, { to, from: [survivorId], since: mergedAt })
}
