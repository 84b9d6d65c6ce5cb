import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { isAppError } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { publisherSettings } from '../reader-files/publisher-settings.query.ts'
import { mergeGroup } from '../readers/merge-group.ts'
import { useCase } from '../use-case.ts'
import { type BatchRow, batchView, type MergeBatchView } from './merge-batch-row.ts'

/** Groups that are merged in one transaction: few enough that nobody waits for the lock. */
const chunk = 20

/** Merges the groups of a run chunk by chunk; a run that was killed goes on where it was, and one that is cancelled stops after its chunk. */
export const runMergeBatch = useCase({
  permission: 'machine:operate',
  input: z.object({ batchId: z.number().int() }),
  transaction: 'none',
  run: (ctx, { batchId }) => mergeBatch(ctx, batchId),
})

export async function mergeBatch(
  ctx: AppContext,
  batchId: number,
  { onProgress, signal }: { onProgress?: (batch: MergeBatchView) => void; signal?: AbortSignal | undefined } = {},
): Promise<MergeBatchView | null> {
  await ctx.db.run(`UPDATE merge_batches SET state = 'running' WHERE id = :batchId AND state = 'waiting'`, { batchId })
  for (;;) {
    const batch = await ctx.db.transaction(() => mergeChunk(ctx, batchId, signal?.aborted ?? false))
    if (!batch) return null
    onProgress?.(batchView(batch))
    if (batch.state !== 'running') return batchView(batch)
  }
}

async function mergeChunk(ctx: AppContext, batchId: number, isAborted: boolean): Promise<BatchRow | undefined> {
  const [batch] = await ctx.db.query<BatchRow>(
    `SELECT * FROM merge_batches WHERE id = :batchId ${ctx.db.dialect === 'postgres' ? 'FOR UPDATE' : ''}`,
    { batchId },
  )
  if (batch?.state !== 'running') return batch
  const publication = await ownPublication(ctx, { id: batch.publication_id })
  const { homeCountry } = await publisherSettings(ctx, publication.publisherId)
  const groups = await ctx.db.query<{ id: number }>(
    `SELECT id FROM likely_groups WHERE search_id = :searchId AND state = 'open' AND confidence >= :min
     ORDER BY confidence DESC, id DESC LIMIT ${chunk}`,
    { searchId: batch.search_id, min: batch.min_confidence },
  )
  // A merge is written as what the one who asked for it did.
  const asked = askedBy(ctx, batch)
  let [merged, left, removed] = [0, 0, 0]
  for (const { id } of isAborted ? [] : groups) {
    const gone = await mergeOne(asked, { groupId: id, batchId, publicationId: batch.publication_id, homeCountry })
    if (gone === null) left++
    else {
      merged++
      removed += gone
    }
  }
  const state = isAborted ? 'cancelled' : groups.length < chunk ? 'done' : 'running'
  const [after] = await ctx.db.query<BatchRow>(
    `UPDATE merge_batches SET groups_merged = groups_merged + :merged, groups_left = groups_left + :left,
       readers_removed = readers_removed + :removed, state = :state, finished_at = :now WHERE id = :batchId RETURNING *`,
    { batchId, merged, left, removed, state, now: ctx.now() },
  )
  return after
}

function askedBy(ctx: AppContext, { actor_kind, actor_id }: BatchRow): AppContext {
  if (actor_kind !== 'staff' || actor_id === null) return ctx
  // Only for whom the history names: what is merged was decided when the run was asked for.
  return {
    ...ctx,
    actor: { kind: 'staff', userId: actor_id, userType: 'publisher', email: '', publisherId: null } as never,
  }
}

/** Gives how many readers were merged away; null for a group that is not what it was, which is left alone. */
async function mergeOne(
  ctx: AppContext,
  { groupId, ...wish }: { groupId: number; batchId: number; publicationId: number; homeCountry: string },
): Promise<number | null> {
  const members = await ctx.db.query<{ reader_id: number; version: number }>(
    `SELECT reader_id, version FROM likely_members WHERE group_id = :groupId`,
    { groupId },
  )
  const versions = new Map(members.map(({ reader_id, version }) => [reader_id, version]))
  try {
    const merged = await ctx.db.transaction(() =>
      mergeGroup(ctx, { ...wish, groupId, readerIds: [...versions.keys()], versions }),
    )
    return merged.removed
  } catch (error) {
    if (!isAppError(error)) throw error
    await ctx.db.run(`UPDATE likely_groups SET state = 'changed' WHERE id = :groupId`, { groupId })
    return null
  }
}
