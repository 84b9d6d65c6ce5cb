import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import type { AppContext } from '../context.ts'
import { isAppError, isRetryable } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { lockReaders } from '../readers/readers.rows.ts'
import { runInline } from '../tasks/run-task.ts'
import type { TaskHandler } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { mergeBatchById } from './merge-batch-row.ts'
import { countMerged } from './merge-batches.rows.ts'
import { beginExactBatch } from './merge-exact.ts'
import { mergeGroup } from './merge-group.ts'

/** Groups merged in one transaction: few enough that locks are short. */
const chunkSize = 20

const Member = z.object({ id: z.coerce.number().int(), version: z.coerce.number().int() })

export interface GroupsMerged {
  /** The id for `undoMerges`. */
  batchId: number
  merged: number
  /** Groups that were not merged: one of their readers has been changed, or their subscriptions cannot be merged. */
  skipped: number
  /** How many records were merged into another and removed. */
  removed: number
}

/**
 * Merges groups that a user picked from a page, each by the survivor rule and only as it was displayed. A group that has changed is skipped. All of
 * them are undone together by `undoMerges`.
 */
export const mergeGroups = useCase({
  permission: 'reader:import',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    groups: z
      .array(z.array(Member).min(2, 'A group has at least two readers').max(60, 'At most 60 readers in a group'))
      .min(1, 'Choose at least one group')
      .max(100, 'At most 100 groups at a time'),
  }),
  transaction: 'none',
  async run(ctx, { publicationId, groups }): Promise<GroupsMerged> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const { homeCountry } = await publisherSettings(ctx, publication.publisherId)
    const task = await ctx.db.transaction(() =>
      beginExactBatch(ctx, publication, { list: null, groups: groups.length }),
    )
    const batchId = Number(task.subjectId)
    let done = 0
    const handler: TaskHandler = {
      transactions: 'engine',
      open: async (runCtx) => ({
        async step() {
          const next = groups.slice(done, done + chunkSize)
          await mergeDisplayed(runCtx, next, { publicationId: publication.id, homeCountry, batchId })
          done += next.length
          return { cursor: { done }, done, isLast: done >= groups.length }
        },
      }),
    }
    await runInline(ctx, handler, task)
    const batch = await mergeBatchById(ctx, batchId)
    return { batchId, merged: batch.groups_merged, skipped: batch.groups_left, removed: batch.readers_removed }
  },
})

type DisplayedGroup = z.output<typeof Member>[]

async function mergeDisplayed(
  ctx: AppContext,
  groups: readonly DisplayedGroup[],
  request: { publicationId: number; homeCountry: string; batchId: number },
): Promise<void> {
  // Locks all of them before the first is merged: see `lockReader`.
  const ids = groups.flatMap((group) => group.map(({ id }) => id))
  await lockReaders(ctx, request.publicationId, ids)
  let merged = 0
  let removed = 0
  for (const group of groups) {
    const versions = new Map(group.map(({ id, version }) => [id, version]))
    try {
      const result = await ctx.db.transaction(() =>
        mergeGroup(ctx, { ...request, readerIds: [...versions.keys()], versions }),
      )
      merged++
      removed += result.removed
    } catch (error) {
      // A removed or changed reader only skips its group; other errors, such as a full disk, fail the task.
      if (!isAppError(error) || isRetryable(error)) throw error
    }
  }
  await countMerged(ctx, request.batchId, { merged, left: groups.length - merged, removed })
}
