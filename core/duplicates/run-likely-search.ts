import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { FoundGroup } from '../ports/likely-finder.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { searchLock } from './find-likely.ts'
import { type LikelySearchView, type SearchRow, searchView } from './likely-search-row.ts'
import { dropGroups, storeGroups } from './store-likely-groups.ts'

/** Told now and then how a search goes on. */
export type SearchTold = (view: { phase: string; part: number; readers: number }) => void

/** Does a search that was asked for; what it found takes the place of the search before. The job, and the command line in its own process. */
export const runLikelySearch = useCase({
  permission: 'machine:operate',
  input: z.object({ publicationId: z.number().int(), searchId: z.number().int() }),
  transaction: 'none',
  run: (ctx, input) => searchLikely(ctx, input),
})

export async function searchLikely(
  ctx: AppContext,
  { publicationId, searchId }: { publicationId: number; searchId: number },
  { onProgress, signal }: { onProgress?: SearchTold; signal?: AbortSignal | undefined } = {},
): Promise<LikelySearchView | null> {
  const started = performance.now()
  const claimed = await ctx.db.run(
    `UPDATE likely_searches SET state = 'running', locked_until = :until, phase = 'reading', problem = NULL,
       last_reader_id = COALESCE((SELECT MAX(id) FROM readers WHERE publication_id = :publicationId), 0)
     WHERE id = :searchId AND publication_id = :publicationId AND state IN ('waiting', 'running')`,
    { searchId, publicationId, until: lockUntil(ctx) },
  )
  // Cancelled before it began, or done by another process.
  if (claimed === 0) return null
  const stop = new AbortController()
  const abort = () => stop.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  const keeper = keepAlive(ctx, searchId, stop)
  try {
    await ownPublication(ctx, { id: publicationId })
    // What a run that was killed had stored.
    await dropGroups(ctx, { publicationId, searchId: searchId + 1, from: searchId })
    const apart = await ctx.db.query<{ reader_a: number; reader_b: number }>(
      `SELECT reader_a, reader_b FROM readers_apart WHERE publication_id = :publicationId`,
      { publicationId },
    )
    const plan = { publicationId, apart: apart.map(({ reader_a, reader_b }) => [reader_a, reader_b] as const) }
    const watcher = {
      signal: stop.signal,
      progress(at: { phase: string; part: number; readers: number }) {
        keeper.at = at
        onProgress?.(at)
      },
    }
    let groups = 0
    await storeGroups(ctx, { publicationId, searchId }, counted(ctx.likelyReaders.find(plan, watcher)))
    const seconds = (performance.now() - started) / 1000
    const [row] = await ctx.db.transaction(() =>
      ctx.db.query<SearchRow>(
        `UPDATE likely_searches SET state = 'done', phase = '', part = 1, readers = :readers, groups_found = :groups, seconds = :seconds,
         locked_until = NULL, finished_at = :now WHERE id = :searchId RETURNING *`,
        { searchId, readers: keeper.at.readers, groups, seconds, now: ctx.now() },
      ),
    )
    return row ? searchView(row) : null

    async function* counted(found: AsyncIterable<FoundGroup[]>): AsyncGenerator<FoundGroup[]> {
      for await (const batch of found) {
        groups += batch.length
        yield batch
      }
    }
  } catch (error) {
    const isCancelled = stop.signal.aborted
    await ctx.db.run(
      `UPDATE likely_searches SET state = :state, locked_until = NULL, finished_at = :now, problem = :problem WHERE id = :searchId`,
      {
        searchId,
        state: isCancelled ? 'cancelled' : 'failed',
        now: ctx.now(),
        problem: isCancelled ? null : String((error as Error).message).slice(0, 500),
      },
    )
    if (isCancelled && !signal?.aborted) return null
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
    keeper.end()
  }
}

const lockUntil = (ctx: AppContext) => new Date(ctx.now().getTime() + searchLock)

/** Tells every second where the search is, and stops it when it was cancelled. */
function keepAlive(ctx: AppContext, searchId: number, stop: AbortController) {
  const keeper = { at: { phase: 'reading', part: 0, readers: 0 }, end: () => clearInterval(timer) }
  const timer = setInterval(() => {
    ctx.db
      .run(
        `UPDATE likely_searches SET phase = :phase, part = :part, readers = :readers, locked_until = :until
         WHERE id = :searchId AND state = 'running'`,
        { ...keeper.at, searchId, until: lockUntil(ctx) },
      )
      .then((kept) => {
        if (kept === 0) stop.abort(new Error('The search was cancelled'))
      })
      .catch(() => {})
  }, 1000)
  timer.unref()
  return keeper
}
