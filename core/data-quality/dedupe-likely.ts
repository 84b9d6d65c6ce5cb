import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { conflict } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { namesPublication, publicationOf, whichPublication } from '../reader-files/which-publication.input.ts'
import { useCase } from '../use-case.ts'
import { beginSearch } from './find-likely.ts'
import { surelyOne } from './likely-group.rules.ts'
import type { LikelySearchView } from './likely-search-row.ts'
import type { MergeBatchView } from './merge-batch-row.ts'
import { beginMergeBatch } from './merge-likely.ts'
import { type SearchTold, searchLikely } from './run-likely-search.ts'
import { mergeBatch } from './run-merge-batch.ts'

export interface DedupeOutcome {
  publicationId: number
  search: LikelySearchView
  /** What would be or was merged; null unless it was asked for. */
  merge: { groups: number; readers: number; batch: MergeBatchView | null } | null
}

/** Searches a publication for likely duplicates and, where asked to, merges the sure ones, all in this process: for the command line. */
export const dedupeLikely = useCase({
  permission: 'reader:import',
  input: z
    .object({
      ...whichPublication,
      apply: z.boolean().default(false),
      dryRun: z.boolean().default(false),
      minConfidence: z.number().min(0.5, 'Must be 0.5 or more').max(1, 'Must be 1 or less').default(surelyOne),
      onProgress: z.custom<SearchTold>((value) => typeof value === 'function').optional(),
      onMerge: z.custom<(batch: MergeBatchView) => void>((value) => typeof value === 'function').optional(),
      signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
    })
    .refine(namesPublication, 'Name the publication'),
  transaction: 'none',
  async run(ctx, input): Promise<DedupeOutcome> {
    const publication = await ownPublication(ctx, publicationOf(input))
    const publicationId = publication.id
    const subject = { type: 'publication', id: publicationId, publisherId: publication.publisherId }
    const { id: searchId } = await ctx.db.transaction(async () => {
      await recordAudit(ctx, 'find-likely', subject)
      return beginSearch(ctx, publicationId)
    })
    const watch = { ...(input.onProgress ? { onProgress: input.onProgress } : {}), signal: input.signal }
    const search = await searchLikely(ctx, { publicationId, searchId }, watch)
    if (!search) throw conflict('The search was cancelled by somebody else')
    if (!input.apply) return { publicationId, search, merge: null }
    const begun = await ctx.db.transaction(async () => {
      const wish = { publicationId, minConfidence: input.minConfidence }
      const preview = await beginMergeBatch(ctx, { ...wish, dryRun: true })
      if (input.dryRun || preview.groups === 0) return preview
      const made = await beginMergeBatch(ctx, { ...wish, dryRun: false })
      await recordAudit(ctx, 'merge-likely', subject, { batch: made.batch?.id, groups: made.groups, ...wish })
      return made
    })
    if (!begun.batch) return { publicationId, search, merge: begun }
    const told = { ...(input.onMerge ? { onProgress: input.onMerge } : {}), signal: input.signal }
    return { publicationId, search, merge: { ...begun, batch: await mergeBatch(ctx, begun.batch.id, told) } }
  },
})
