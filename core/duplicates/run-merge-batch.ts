import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { isRetryable } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { lockReaders } from '../readers/readers.rows.ts'
import type { Task, TaskHandler, TaskSession } from '../tasks/task.ts'
import { type DuplicateKey, duplicateListOf } from '../warnings/warnings.rules.ts'
import { LikelyGroups } from './likely-groups.rows.ts'
import { batchView, type MergeBatchView, mergeBatchById } from './merge-batch-row.ts'
import { countMerged } from './merge-batches.rows.ts'
import { mergeNext } from './merge-exact.ts'
import { mergeGroup } from './merge-group.ts'
import { hasSeveralPaidSql, needsRenewalChoiceSql } from './separate-subscriptions.query.ts'

/** Groups merged in one transaction: few enough that locks are held only briefly. */
const groupsPerChunk = 20

/** Merges the groups of a bulk merge chunk by chunk, on behalf of the user who requested it. A merged group is no longer open: that is the checkpoint. */
export function mergeHandler(onProgress?: (batch: MergeBatchView) => void): TaskHandler<Cursor> {
  return {
    transactions: 'engine',
    async open(ctx, { task }) {
      const batchId = task.subjectId ?? -1
      const { list } = await mergeBatchById(ctx, batchId)
      if (list) return exactSession(ctx, task, list)
      return {
        async step() {
          const { isLast, merged } = await mergeChunk(ctx, batchId)
          const batch = batchView(await mergeBatchById(ctx, batchId))
          onProgress?.(batch)
          return { cursor: { merged }, done: batch.merged + batch.left, isLast }
        },
      }
    },
  }
}

/** For likely duplicates the merged groups are the checkpoint; for a list of exact ones, the keys of the last group processed. */
interface Cursor {
  merged?: number
  after?: string[] | null
}

/** Merges a list of exact duplicates chunk by chunk, from the task’s cursor. */
async function exactSession(ctx: AppContext, task: Task<Cursor>, key: DuplicateKey): Promise<TaskSession<Cursor>> {
  const batchId = task.subjectId ?? -1
  const publication = await ownPublication(ctx, { id: Number(task.publicationId) })
  const { homeCountry } = await publisherSettings(ctx, publication.publisherId)
  const list = duplicateListOf(key)
  let after = task.cursor?.after ?? null
  let done = task.cursor === null ? 0 : task.done
  return {
    async step() {
      const next = await mergeNext(ctx, { publicationId: publication.id, homeCountry, list, batchId, after })
      after = next.last
      done += next.groups
      return { cursor: { after }, done, isLast: next.isLast }
    },
  }
}

async function mergeChunk(ctx: AppContext, batchId: number): Promise<{ isLast: boolean; merged: number }> {
  const batch = await mergeBatchById(ctx, batchId)
  const publication = await ownPublication(ctx, { id: batch.publication_id })
  const { homeCountry } = await publisherSettings(ctx, publication.publisherId)
  const groups = await ctx.db.query<{ id: number }>(
    `SELECT g.id FROM likely_groups g WHERE search_id = :searchId AND state = 'open' AND confidence >= :min AND shipped >= :min
       AND NOT ${needsRenewalChoiceSql} AND NOT ${hasSeveralPaidSql}
     ORDER BY confidence DESC, id DESC LIMIT ${groupsPerChunk}`,
    {
      searchId: batch.search_id,
      min: batch.min_confidence,
      today: dayOf(ctx.now(), ctx.settings.timeZone),
    },
  )
  await lockMembers(ctx, publication.id, groups)
  let merged = 0
  let skipped = 0
  let removed = 0
  for (const { id } of groups) {
    const removedCount = await mergeLikelyGroup(ctx, {
      groupId: id,
      batchId,
      publicationId: publication.id,
      homeCountry,
    })
    if (removedCount === null) skipped++
    else {
      merged++
      removed += removedCount
    }
  }
  await countMerged(ctx, batchId, { merged, left: skipped, removed })
  return { isLast: groups.length < groupsPerChunk, merged: batch.groups_merged + merged }
}

/** Locks the readers of all groups of a chunk, before the first one is merged: see `lockReader`. */
async function lockMembers(ctx: AppContext, publicationId: number, groups: readonly { id: number }[]): Promise<void> {
  if (groups.length === 0) return
  const members = await ctx.db.query<{ reader_id: number }>(
    `SELECT reader_id FROM likely_members WHERE group_id IN (:groups)`,
    { groups: groups.map(({ id }) => id) },
  )
  await lockReaders(
    ctx,
    publicationId,
    members.map(({ reader_id }) => reader_id),
  )
}

/** Returns how many readers were merged into another and removed; null for a group that has changed, which is skipped. */
async function mergeLikelyGroup(
  ctx: AppContext,
  { groupId, ...request }: { groupId: number; batchId: number; publicationId: number; homeCountry: string },
): Promise<number | null> {
  const members = await ctx.db.query<{ reader_id: number; version: number }>(
    `SELECT reader_id, version FROM likely_members WHERE group_id = :groupId`,
    { groupId },
  )
  const versions = new Map(members.map(({ reader_id, version }) => [reader_id, version]))
  try {
    const merged = await ctx.db.transaction(() =>
      mergeGroup(ctx, { ...request, groupId, readerIds: [...versions.keys()], versions }),
    )
    return merged.removed
  } catch (error) {
    // A full disk is not a fault of the group: the task is retried.
    if (isRetryable(error)) throw error
    await LikelyGroups.update(ctx, { id: groupId }, { state: 'changed' })
    return null
  }
}
