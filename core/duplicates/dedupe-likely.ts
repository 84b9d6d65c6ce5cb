import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { hasPublicationRef, publicationOf, publicationRef } from '../publications/publication-ref.input.ts'
import { runInline } from '../tasks/run-task.ts'
import { startInline } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { beginSearch } from './find-likely-duplicates.ts'
import { certainConfidence } from './likely-group.rules.ts'
import { type LikelySearchView, likelySearch } from './likely-search-row.ts'
import { batchView, type MergeBatchView, mergeBatchById } from './merge-batch-row.ts'
import { beginMergeBatch, type MergeAllPreview } from './merge-likely-duplicates.ts'
import { likelySearchHandler, type SearchProgress } from './run-likely-search.ts'
import { mergeHandler } from './run-merge-batch.ts'

export interface DedupeOutcome {
  publicationId: number
  search: LikelySearchView
  /** The groups that were, or in a dry run would be, merged; null unless a merge was requested. */
  merge: MergeAllPreview | null
}

/** Searches a publication for likely duplicates and, if requested, merges the certain ones, all in this process: for the command line. */
export const dedupeLikely = useCase({
  permission: 'reader:import',
  input: z
    .object({
      ...publicationRef,
      apply: z.boolean().default(false),
      dryRun: z.boolean().default(false),
      minConfidence: z.number().min(0.5, 'Must be 0.5 or more').max(1, 'Must be 1 or less').default(certainConfidence),
      onProgress: z.custom<SearchProgress>((value) => typeof value === 'function').optional(),
      onMerge: z.custom<(batch: MergeBatchView) => void>((value) => typeof value === 'function').optional(),
      signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
    })
    .refine(...hasPublicationRef),
  transaction: 'none',
  async run(ctx, input): Promise<DedupeOutcome> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const publicationId = publication.id
    const subject = { type: 'publication', id: publicationId, publisherId: publication.publisherId }
    const task = await ctx.db.transaction(() =>
      beginSearch(ctx, publication, (taskRequest) => startInline(ctx, 'find-likely', taskRequest)),
    )
    const ended = await runInline(ctx, likelySearchHandler(input.onProgress), task, input.signal)
    if (ended.state !== 'done') {
      input.signal?.throwIfAborted()
      throw conflict('The search was cancelled by somebody else')
    }
    const search = await likelySearch(ctx, Number(task.subjectId))
    if (!input.apply) return { publicationId, search, merge: null }
    const { preview, task: merging } = await ctx.db.transaction(async () => {
      const request = { publication, minConfidence: input.minConfidence }
      const counted = await beginMergeBatch(ctx, { ...request, dryRun: true }, neverStarted)
      if (input.dryRun || counted.preview.groups === 0) return counted
      const started = await beginMergeBatch(ctx, { ...request, dryRun: false }, (taskRequest) =>
        startInline<{ merged: number }>(ctx, 'merge-duplicates', taskRequest),
      )
      const { batch, groups } = started.preview
      await recordAudit(ctx, 'merge-likely', subject, {
        batch: batch?.id,
        groups,
        publicationId,
        minConfidence: input.minConfidence,
      })
      return started
    })
    if (!merging) return { publicationId, search, merge: preview }
    const { subjectId } = await runInline(ctx, mergeHandler(input.onMerge), merging, input.signal)
    const batch = batchView(await mergeBatchById(ctx, subjectId ?? -1))
    return { publicationId, search, merge: { ...preview, batch } }
  },
})

const neverStarted = async (): Promise<null> => null
