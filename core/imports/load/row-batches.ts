import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { encodeRows } from './encode-rows.ts'
import type { EncodePlan, RowBatch } from './row-batch.ts'

/** Below this a thread costs more than it saves. */
const smallFile = 4_000_000
/** Batches the thread may be ahead of the database. */
const maxQueued = { sqlite: 12, postgres: 40 }

/** The batches of a file: from a worker thread when the file is big and the build exists, otherwise inline. */
export function rowBatches(plan: EncodePlan): AsyncIterable<RowBatch> {
  const thread = fileURLToPath(new URL('./row-encoder.js', import.meta.url))
  return plan.file.bytes < smallFile || !existsSync(thread) ? encodeRows(plan) : threadedBatches(thread, plan)
}

async function* threadedBatches(thread: string, plan: EncodePlan): AsyncGenerator<RowBatch> {
  // Long texts pass through the old space; by default V8 lets a hundred megabytes of them pile up before it sweeps. Costs 2% of the time.
  setFlagsFromString('--heap-growing-percent=10')
  const worker = new Worker(thread, { workerData: plan, resourceLimits: { maxYoungGenerationSizeMb: 16 } })
  const arrived: (RowBatch | null)[] = []
  let failure: unknown
  let wake: (() => void) | undefined
  worker.on('message', (batch: RowBatch | null) => {
    arrived.push(batch)
    wake?.()
  })
  worker.on('error', (error) => {
    failure = error
    wake?.()
  })
  worker.postMessage(maxQueued[plan.dialect])
  try {
    for (;;) {
      while (arrived.length === 0 && failure === undefined) await new Promise<void>((resolve) => (wake = resolve))
      if (failure !== undefined) throw failure
      const batch = arrived.shift()
      if (!batch) return
      worker.postMessage(1)
      yield batch
    }
  } finally {
    await worker.terminate()
  }
}
