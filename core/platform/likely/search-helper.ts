import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { SearchName, Sketches, TakenKeys } from '#core/likely/candidate-pairs.rules.ts'
import type { ReadReaders } from './read-readers.ts'

/** A search for candidates that threads share. */
interface SharedSearch {
  readers: Sketches
  search: SearchName
  taken: TakenKeys
}

export type HelperRequest = { cells: string } | SharedSearch

/** Does a part of a search in another thread. */
export interface SearchHelper {
  read(cells: string): Promise<ReadReaders>
  pairs(shared: SharedSearch): Promise<Float64Array>
  close(): Promise<void>
}

/** A helper thread, where there is a build and a second processor. An error in it is an error of the thread that started it. */
export function startSearchHelper(): SearchHelper | undefined {
  const thread = fileURLToPath(new URL('./likely-helper.js', import.meta.url))
  if (availableParallelism() < 2 || !existsSync(thread)) return
  const worker = new Worker(thread, { resourceLimits: { maxYoungGenerationSizeMb: 16 } })
  /** Requests are answered in their order. */
  const waiting: ((answer: unknown) => void)[] = []
  worker.on('message', (answer: unknown) => waiting.shift()?.(answer))
  const ask = <Answer>(request: HelperRequest) =>
    new Promise<Answer>((resolve) => {
      waiting.push((answer) => resolve(answer as Answer))
      worker.postMessage(request)
    })
  return {
    read: (cells) => ask({ cells }),
    pairs: (shared) => ask(shared),
    async close() {
      await worker.terminate()
    },
  }
}
