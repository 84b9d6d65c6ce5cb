import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { startTask, type TaskRequest } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { certainConfidence } from './likely-group.rules.ts'
import { searchesOf } from './likely-search-row.ts'
import { batchView, type MergeBatchView, mergeBatchById, mergesBusy, mergesLock } from './merge-batch-row.ts'
import { MergeBatches } from './merge-batches.rows.ts'
import { hasSeveralPaidSql, needsRenewalChoiceSql } from './separate-subscriptions.query.ts'

export interface MergeAllPreview {
  /** Null in a dry run. */
  batch: MergeBatchView | null
  groups: number
  /** How many records would be merged into another and removed. */
  readers: number
  /** Groups that are left for a user to decide: more than one of their readers renews automatically. */
  renewing: number
  /** Groups that cannot be merged: more than one of their readers has a running paid subscription. */
  paid: number
}

/** Requests the merge of all groups of at least this confidence, each by the survivor rule; the worker executes it. A dry run only counts. */
export const mergeLikelyDuplicates = useCase({
  permission: 'reader:import',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    minConfidence: z.coerce
      .number('Must be a number from 0.5 to 1')
      .min(0.5, 'Must be 0.5 or more')
      .max(1, 'Must be 1 or less')
      .default(certainConfidence),
    dryRun: z.boolean().default(false),
  }),
  async run(ctx, { publicationId, minConfidence, dryRun }): Promise<MergeAllPreview> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const request = { publication, minConfidence, dryRun }
    const { preview } = await beginMergeBatch(ctx, request, (taskRequest) =>
      startTask(ctx, 'merge-duplicates', taskRequest),
    )
    if (preview.batch) {
      const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
      await recordAudit(ctx, 'merge-likely', subject, {
        batch: preview.batch.id,
        groups: preview.groups,
        minConfidence,
      })
    }
    return preview
  },
})

interface MergeRequest {
  publication: { id: number; publisherId: number }
  minConfidence: number
  dryRun: boolean
}

/** Adds the row of a run and its task, in the running transaction. A dry run only counts. */
export async function beginMergeBatch<Started>(
  ctx: AppContext,
  { publication, minConfidence, dryRun }: MergeRequest,
  start: (taskRequest: TaskRequest) => Promise<Started>,
): Promise<{ preview: MergeAllPreview; task: Started | null }> {
  const { shown } = await searchesOf(ctx, publication.id)
  if (!shown) throw conflict('No search for likely duplicates has been run yet', { hint: 'Search first, then merge.' })
  const counts = await ctx.db.query<{ problem: 'paid' | 'renewing' | null; groups: number; readers: number }>(
    `SELECT problem, COUNT(*) AS groups, SUM(members - 1) AS readers
     FROM (SELECT g.members, CASE WHEN ${hasSeveralPaidSql} THEN 'paid' WHEN ${needsRenewalChoiceSql} THEN 'renewing' END AS problem FROM likely_groups g
       WHERE search_id = :searchId AND state = 'open' AND confidence >= :minConfidence AND shipped >= :minConfidence) totals GROUP BY problem`,
    { searchId: shown.id, minConfidence, today: dayOf(ctx.now(), ctx.settings.timeZone) },
  )
  const countOf = (problem: 'paid' | 'renewing' | null) => counts.find((count) => count.problem === problem)
  const totals = {
    groups: Number(countOf(null)?.groups ?? 0),
    readers: Number(countOf(null)?.readers ?? 0),
    renewing: Number(countOf('renewing')?.groups ?? 0),
    paid: Number(countOf('paid')?.groups ?? 0),
  }
  if (dryRun) return { preview: { batch: null, ...totals }, task: null }
  if (totals.groups === 0)
    throw invalid({
      minConfidence:
        totals.renewing + totals.paid > 0
          ? 'In every group that reaches this confidence, more than one reader renews automatically or has a running paid subscription'
          : 'No group reaches this confidence: choose a lower one',
    })
  const batchId = await MergeBatches.insert(ctx, {
    publicationId: publication.id,
    searchId: shown.id,
    minConfidence,
    groupsAsked: totals.groups,
  })
  const task = await start(bulkMergeTask(publication, batchId, totals.groups))
  return { preview: { batch: batchView(await mergeBatchById(ctx, batchId)), ...totals }, task }
}

/** The task of a bulk merge, with the lock that allows one run or undo of a publication at a time. */
export function bulkMergeTask(
  { id, publisherId }: MergeRequest['publication'],
  batchId: number,
  groups: number,
): TaskRequest {
  return {
    publication: { id, publisherId },
    subjectId: batchId,
    lockKey: mergesLock(id),
    total: groups,
    busy: mergesBusy,
  }
}
