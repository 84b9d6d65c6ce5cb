import type { AppContext } from '../context.ts'
import { likelyFrom } from '../likely/group-pairs.rules.ts'
import type { FoundGroup, LearnedWeights, LikelyProgress } from '../ports/likely-finder.ts'
import { ownPublication } from '../publications/own-publication.ts'
import type { TaskHandler, TaskRun, TaskSession } from '../tasks/task.ts'
import { addGroups, analyseGroups, dropGroups } from './likely-groups.rows.ts'
import { LikelySearches } from './likely-searches.rows.ts'

/** Reports the progress of a search. */
export type SearchProgress = (view: { phase: string; part: number; readers: number }) => void

/**
 * The task: searches a publication for likely duplicates and stores the groups batch by batch. They are not visible until the search is done; then
 * the groups of earlier searches are deleted.
 */
export function likelySearchHandler(onProgress?: SearchProgress): TaskHandler {
  return {
    transactions: 'own',
    open: (ctx, run) => openSearch(ctx, run, onProgress),
    async cleanUp(ctx, { state, subjectId, publicationId }) {
      const searchId = subjectId ?? -1
      const discarded = state === 'done' ? { from: 0, before: searchId } : { from: searchId, before: searchId + 1 }
      await dropGroups(ctx, { publicationId: publicationId ?? -1, ...discarded })
    },
  }
}

async function openSearch(ctx: AppContext, run: TaskRun, onProgress?: SearchProgress): Promise<TaskSession> {
  const started = performance.now()
  const searchId = run.task.subjectId ?? -1
  const { id: publicationId } = await ownPublication(ctx, { id: run.task.publicationId ?? -1 })
  // Deletes what a killed run had stored.
  await dropGroups(ctx, { publicationId, from: searchId, before: searchId + 1, guard: () => run.checkpoint({}) })
  await recordLastReader()
  const markedPairs = await ctx.db.query<{ reader_a: number; reader_b: number }>(
    `SELECT reader_a, reader_b FROM readers_apart WHERE publication_id = :publicationId`,
    { publicationId },
  )
  const plan = {
    publicationId,
    differentPairs: markedPairs.map(({ reader_a, reader_b }) => [reader_a, reader_b] as const),
  }
  let progress: LikelyProgress & { readers: number } = { phase: 'reading', part: 0, readers: 0 }
  let groupsFound = 0
  let learned: LearnedWeights | null = null
  const batches = ctx.likelyReaders.find(plan, {
    signal: run.signal,
    progress(current) {
      progress = current
      learned = current.learned ?? learned
      onProgress?.(current)
      run.reportProgress(progressOf(current))
    },
  })
  const groupBatches = batches[Symbol.asyncIterator]()

  async function recordLastReader(): Promise<void> {
    const [last] = await ctx.db.query<{ id: number | null }>(
      `SELECT MAX(id) AS id FROM readers WHERE publication_id = :publicationId`,
      { publicationId },
    )
    await ctx.db.transaction(async () => {
      await run.checkpoint({ phase: 'reading', done: 0, total: 0 })
      await LikelySearches.update(ctx, { id: searchId }, { lastReaderId: Number(last?.id ?? 0) })
    })
  }

  return {
    async step() {
      const next: IteratorResult<FoundGroup[], undefined> = await groupBatches.next()
      const { done: isLast = false, value: groups = [] } = next
      await ctx.db.transaction(async () => {
        await run.checkpoint(progressOf(progress))
        if (!isLast) return addGroups(ctx, { publicationId, searchId }, groups)
        const seconds = (performance.now() - started) / 1000
        await LikelySearches.update(ctx, { id: searchId }, { readers: progress.readers, groupsFound, seconds, learned })
      })
      if (isLast && groupsFound > 0) await analyseGroups(ctx)
      groupsFound += groups.filter(({ confidence }) => confidence >= likelyFrom).length
      return { isLast }
    },
    async close() {
      await groupBatches.return?.()
    },
  }
}

/** The number of readers done; the total is not known while they are read. */
function progressOf({ phase, part, readers }: LikelyProgress & { readers: number }) {
  if (phase === 'reading') return { phase, done: readers, total: 0 }
  return { phase, done: Math.round(readers * part), total: readers }
}
