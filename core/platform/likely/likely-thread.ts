import { parentPort, workerData } from 'node:worker_threads'
import type { LikelyProgress } from '#core/data-quality/likely/likely-index.rules.ts'
import type { FoundGroup } from '#core/data-quality/likely-finder.ts'
import { openLikelySearch, type SearchPlan } from './likely-search.ts'

/** What the thread says: that it took a piece, how far it is, groups, or that it is done (null). */
export type ThreadWord = { taken: number } | { at: LikelyProgress } | { groups: FoundGroup[] } | null

/** The entry of the worker thread: reads pieces until there is none (null), then says what it found. */
const port = parentPort
if (port) {
  const say = (word: ThreadWord) => port.postMessage(word)
  const search = openLikelySearch(workerData as SearchPlan)
  port.on('message', (cells: string | null) => {
    if (cells !== null) {
      say({ taken: search.take(cells) })
      return
    }
    try {
      for (const groups of search.groups((at) => say({ at }))) say({ groups })
      say(null)
    } finally {
      search.close()
      port.close()
    }
  })
}
