import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import type { AppContext } from '../context.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { surelyOne } from './likely-group.rules.ts'
import { searchesOf } from './likely-search-row.ts'
import { type BatchRow, batchView, type MergeBatchView } from './merge-batch-row.ts'

export interface MergeAllPreview {
  /** Null in a dry run. */
  batch: MergeBatchView | null
  groups: number
  /** How many records would be merged away. */
  readers: number
}

/** Asks for all groups of at least this confidence to be merged, each by the survivor rule; the worker does it. A dry run only counts. */
export const mergeLikely = useCase({
  permission: 'reader:import',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    minConfidence: z.coerce
      .number('Must be a number from 0.5 to 1')
      .min(0.5, 'Must be 0.5 or more')
      .max(1, 'Must be 1 or less')
      .default(surelyOne),
    dryRun: z.boolean().default(false),
  }),
  async run(ctx, { publicationId, minConfidence, dryRun }): Promise<MergeAllPreview> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const begun = await beginMergeBatch(ctx, { publicationId: publication.id, minConfidence, dryRun })
    if (begun.batch) {
      const job = { batchId: begun.batch.id }
      await ctx.jobs.enqueue('merge-likely', job, {
        dedupeKey: `merge-likely-${begun.batch.id}`,
        publisherId: publication.publisherId,
      })
      const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
      await recordAudit(ctx, 'merge-likely', subject, { batch: begun.batch.id, groups: begun.groups, minConfidence })
    }
    return begun
  },
})

export async function beginMergeBatch(
  ctx: AppContext,
  { publicationId, minConfidence, dryRun }: { publicationId: number; minConfidence: number; dryRun: boolean },
): Promise<MergeAllPreview> {
  const { shown } = await searchesOf(ctx, publicationId)
  if (!shown) throw conflict('No search for likely duplicates has been made yet', { hint: 'Search first, then merge.' })
  const [count] = await ctx.db.query<{ groups: number; readers: number | null }>(
    `SELECT COUNT(*) AS groups, SUM(members - 1) AS readers FROM likely_groups
     WHERE search_id = :searchId AND state = 'open' AND confidence >= :minConfidence`,
    { searchId: shown.id, minConfidence },
  )
  const found = { groups: Number(count?.groups ?? 0), readers: Number(count?.readers ?? 0) }
  if (dryRun) return { batch: null, ...found }
  if (found.groups === 0) throw invalid({ minConfidence: 'No group is as sure as this: choose a lower one' })
  if (ctx.db.dialect === 'postgres') {
    await ctx.db.query(`SELECT id FROM publications WHERE id = :publicationId FOR UPDATE`, { publicationId })
  }
  const [running] = await ctx.db.query<{ id: number }>(
    `SELECT id FROM merge_batches WHERE publication_id = :publicationId AND state IN ('waiting', 'running', 'undoing')`,
    { publicationId },
  )
  if (running)
    throw conflict('A run of merges is under way in this publication', {
      hint: 'Wait until it has ended, or cancel it.',
    })
  const [row] = await ctx.db.query<BatchRow>(
    `INSERT INTO merge_batches (publication_id, search_id, state, min_confidence, groups_asked, actor_kind, actor_id, started_at)
     VALUES (:publicationId, :searchId, 'waiting', :minConfidence, :groups, :actorKind, :actorId, :now) RETURNING *`,
    {
      publicationId,
      searchId: shown.id,
      minConfidence,
      groups: found.groups,
      actorKind: ctx.actor.kind,
      actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
      now: ctx.now(),
    },
  )
  return { batch: row ? batchView(row) : null, ...found }
}
