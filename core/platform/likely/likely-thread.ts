import { parentPort, workerData } from 'node:worker_threads'
import type { FoundGroup, LikelyProgress } from '#core/ports/likely-finder.ts'
import { openLikelySearch, type SearchPlan } from './likely-search.ts'
import { startSearchHelper } from './search-helper.ts'

/** Messages of the thread: a chunk was taken, progress, the requested groups, or no more (null). */
export type ThreadMessage = { taken: number } | { at: LikelyProgress } | { groups: FoundGroup[] } | null

/** The entry point of the worker thread: takes chunks, then sends a batch of groups on each request (null), so that few are buffered. */
const port = parentPort
if (port) {
  const post = (message: ThreadMessage) => port.postMessage(message)
  const search = openLikelySearch(workerData as SearchPlan, startSearchHelper())
  let groups: AsyncGenerator<FoundGroup[]> | undefined
  port.on('message', async (cells: string | null) => {
    if (cells !== null) {
      post({ taken: await search.take(cells) })
      return
    }
    groups ??= search.groups((at) => post({ at }))
    const { value, done } = await groups.next()
    if (!done) {
      post({ groups: value })
      return
    }
    post(null)
    await search.close()
    port.close()
  })
}
