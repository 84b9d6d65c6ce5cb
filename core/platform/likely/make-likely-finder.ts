import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { Database } from '#core/database.ts'
import type { FoundGroup, LikelyFinder, LikelyPlan, LikelyWatcher } from '#core/ports/likely-finder.ts'
import { likelyCells } from '../database/likely-cells.ts'
import { openLikelySearch, type SearchPlan } from './likely-search.ts'
import type { ThreadMessage } from './likely-thread.ts'

/** How many chunks the database may be ahead of the thread. */
const maxInFlight = 6

/** The search for likely duplicates on a database: in a worker thread if there is a build, else inline. */
export function makeLikelyFinder(db: Database, dataDir: string): LikelyFinder {
  const thread = fileURLToPath(new URL('./likely-search.js', import.meta.url))
  return {
    async *find(plan, watcher) {
      const [row] = await db.query<{ n: number }>(
        `SELECT COUNT(*) AS n FROM readers WHERE publication_id = :publicationId`,
        {
          publicationId: plan.publicationId,
        },
      )
      const search = {
        differentPairs: plan.differentPairs,
        folder: join(dataDir, 'tmp'),
        expected: Number(row?.n ?? 0),
      }
      yield* existsSync(thread) ? inThread(thread, db, plan, search, watcher) : inMainThread(db, plan, search, watcher)
    },
  }
}

async function* inMainThread(
  db: Database,
  { publicationId }: LikelyPlan,
  plan: SearchPlan,
  { progress, signal }: LikelyWatcher,
): AsyncGenerator<FoundGroup[]> {
  const search = openLikelySearch(plan)
  let readers = 0
  try {
    for await (const cells of likelyCells(db, publicationId)) {
      signal?.throwIfAborted()
      readers = await search.take(cells)
      progress({ phase: 'reading', part: 0, readers })
    }
    for await (const groups of search.groups((at) => progress({ ...at, readers }))) {
      signal?.throwIfAborted()
      yield groups
    }
  } finally {
    await search.close()
  }
}

async function* inThread(
  thread: string,
  db: Database,
  { publicationId }: LikelyPlan,
  plan: SearchPlan,
  { progress, signal }: LikelyWatcher,
): AsyncGenerator<FoundGroup[]> {
  // By default V8 lets a hundred megabytes of short-lived strings accumulate before it collects them.
  setFlagsFromString('--heap-growing-percent=10')
  const worker = new Worker(thread, { workerData: plan, resourceLimits: { maxYoungGenerationSizeMb: 16 } })
  const batches: FoundGroup[][] = []
  let readers = 0
  let sent = 0
  let taken = 0
  let isDone = false
  let failure: unknown
  let wake: (() => void) | undefined
  const nextEvent = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  worker.on('message', (message: ThreadMessage) => {
    if (message === null) isDone = true
    else if ('taken' in message) {
      readers = message.taken
      taken++
    } else if ('at' in message) progress({ ...message.at, readers })
    else batches.push(message.groups)
    wake?.()
  })
  worker.on('error', (error) => {
    failure = error
    wake?.()
  })
  worker.on('exit', (code) => {
    if (!isDone) failure ??= new Error(`The search for likely duplicates ended with ${code}`)
    wake?.()
  })
  const stop = () => {
    failure = signal?.reason
    wake?.()
  }
  signal?.addEventListener('abort', stop)
  try {
    signal?.throwIfAborted()
    for await (const cells of likelyCells(db, publicationId)) {
      worker.postMessage(cells)
      sent++
      while (sent - taken >= maxInFlight && failure === undefined) await nextEvent()
      if (failure !== undefined) throw failure
      progress({ phase: 'reading', part: 0, readers })
    }
    worker.postMessage(null)
    for (;;) {
      if (failure !== undefined) throw failure
      const groups = batches.shift()
      if (groups) {
        // The thread prepares the next batch while this one is stored.
        worker.postMessage(null)
        yield groups
      } else if (isDone) return
      else await nextEvent()
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
