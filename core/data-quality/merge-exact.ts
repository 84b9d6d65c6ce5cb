import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { publisherSettings } from '../reader-files/publisher-settings.query.ts'
import { namesPublication, publicationOf, whichPublication } from '../reader-files/which-publication.input.ts'
import { mergeGroup } from '../readers/merge-group.ts'
import { useCase } from '../use-case.ts'
import { groupsBehind } from './exact-groups.query.ts'
import { isSurelyOne, mergeableLists } from './mergeable-group.rules.ts'
import { type DuplicateList, duplicateListOf } from './warnings.rules.ts'

/** Groups that are merged in one transaction: few enough that nobody waits for the lock. */
const chunk = 20

export interface ExactMerge {
  /** What `undoMerges` takes; null in a dry run and where there was nothing to merge. */
  batchId: number | null
  groups: number
  merged: number
  /** Groups that are not surely one reader. */
  left: number
  removed: number
  isCancelled: boolean
}

/**
 * Merges the exact duplicates that are surely one reader, each group by the survivor rule, chunk by chunk in this process. The whole run
 * can be undone. A dry run only counts.
 */
export const mergeExact = useCase({
  permission: 'reader:import',
  input: z
    .object({
      ...whichPublication,
      list: z.enum(mergeableLists, 'Only the same full name and postcode, or the same e-mail, can be merged unseen'),
      dryRun: z.boolean().default(false),
      onProgress: z.custom<(merge: ExactMerge) => void>().optional(),
      signal: z.custom<AbortSignal>().optional(),
    })
    .refine(namesPublication, 'Name the publication'),
  transaction: 'none',
  async run(ctx, { list: key, dryRun, onProgress, signal, ...which }): Promise<ExactMerge> {
    const publication = await ownPublication(ctx, publicationOf(which))
    const { homeCountry } = await publisherSettings(ctx, publication.publisherId)
    const list = duplicateListOf(key)
    const batchId = dryRun ? null : await ctx.db.transaction(() => beginBatch(ctx, publication, list))
    const told: ExactMerge = { batchId, groups: 0, merged: 0, left: 0, removed: 0, isCancelled: false }
    let after: string[] | null = null
    try {
      for (;;) {
        const work = () => mergeNext(ctx, { publicationId: publication.id, homeCountry, list, batchId, after })
        const next = dryRun ? await work() : await ctx.db.transaction(work)
        told.groups += next.groups
        told.merged += next.merged
        told.left += next.groups - next.merged
        told.removed += next.removed
        after = next.last
        onProgress?.(told)
        told.isCancelled = next.isCancelled || (signal?.aborted ?? false)
        if (next.groups < chunk || told.isCancelled) break
      }
    } catch (error) {
      if (batchId !== null) await endBatch(ctx, batchId, 'failed')
      throw error
    }
    if (batchId !== null) await endBatch(ctx, batchId, told.isCancelled ? 'cancelled' : 'done')
    return told
  },
})

async function beginBatch(
  ctx: AppContext,
  publication: { id: number; publisherId: number },
  list: DuplicateList,
): Promise<number> {
  const publicationId = publication.id
  if (ctx.db.dialect === 'postgres') {
    await ctx.db.query(`SELECT id FROM publications WHERE id = :publicationId FOR UPDATE`, { publicationId })
  }
  const [running] = await ctx.db.query(
    `SELECT id FROM merge_batches WHERE publication_id = :publicationId AND state IN ('waiting', 'running', 'undoing')`,
    { publicationId },
  )
  if (running)
    throw conflict('A run of merges is under way in this publication', {
      hint: 'Wait until it has ended, or stop it in the back office: Manage Data, Likely duplicates.',
    })
  const [made] = await ctx.db.query<{ id: number }>(
    `INSERT INTO merge_batches (publication_id, search_id, state, min_confidence, groups_asked, actor_kind, actor_id, started_at)
     VALUES (:publicationId, 0, 'running', 1, 0, :actorKind, :actorId, :now) RETURNING id`,
    {
      publicationId,
      actorKind: ctx.actor.kind,
      actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
      now: ctx.now(),
    },
  )
  const subject = { type: 'publication', id: publicationId, publisherId: publication.publisherId }
  await recordAudit(ctx, 'merge-readers', subject, { batch: made?.id, list: list.key })
  return Number(made?.id)
}

interface Merged {
  groups: number
  merged: number
  removed: number
  last: string[] | null
  isCancelled: boolean
}

interface Next {
  publicationId: number
  homeCountry: string
  list: DuplicateList
  batchId: number | null
  after: string[] | null
}

async function mergeNext(ctx: AppContext, { publicationId, homeCountry, list, batchId, after }: Next): Promise<Merged> {
  const groups = await groupsBehind(ctx, publicationId, list, after, chunk)
  const apart = await toldApart(
    ctx,
    publicationId,
    groups.flatMap(({ readers }) => readers.map(({ id }) => id)),
  )
  const sure = groups.filter((group) => isSurelyOne(list.key, group) && !group.readers.some(({ id }) => apart.has(id)))
  const removed = sure.reduce((sum, { readers }) => sum + readers.length - 1, 0)
  const last = groups.at(-1)?.keys ?? after
  const done = { groups: groups.length, merged: sure.length, removed, last, isCancelled: false }
  if (batchId === null) return done
  const isRunning = await ctx.db.run(
    `UPDATE merge_batches SET groups_asked = groups_asked + :groups, groups_merged = groups_merged + :merged,
       groups_left = groups_left + :left, readers_removed = readers_removed + :removed
     WHERE id = :batchId AND state = 'running'`,
    { batchId, groups: groups.length, merged: sure.length, left: groups.length - sure.length, removed },
  )
  // Somebody stopped it.
  if (isRunning === 0) return { ...done, groups: 0, merged: 0, removed: 0, isCancelled: true }
  for (const { readers } of sure) {
    await mergeGroup(ctx, { publicationId, homeCountry, readerIds: readers.map(({ id }) => id), batchId })
  }
  return done
}

/** Readers that somebody has said to be others than one of these. */
async function toldApart({ db }: AppContext, publicationId: number, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const pairs = await db.query<{ reader_a: number; reader_b: number }>(
    `SELECT reader_a, reader_b FROM readers_apart
     WHERE publication_id = :publicationId AND reader_a IN (:ids) AND reader_b IN (:ids)`,
    { publicationId, ids },
  )
  return new Set(pairs.flatMap(({ reader_a, reader_b }) => [reader_a, reader_b]))
}

async function endBatch(ctx: AppContext, batchId: number, state: 'done' | 'cancelled' | 'failed'): Promise<void> {
  await ctx.db.run(
    `UPDATE merge_batches SET state = :state, finished_at = :now WHERE id = :batchId AND state = 'running'`,
    { batchId, state, now: ctx.now() },
  )
}
