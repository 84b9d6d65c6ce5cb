import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { conflict } from '#core/kernel/errors.ts'
import type { InspectedFile } from '#core/ports/upload-files.ts'
import { encodeRows } from './encode-rows.ts'
import type { EncodePlan, RowBatch } from './row-batch.ts'

/** In bytes: below this a thread costs more than it saves. */
const smallFile = 4_000_000
/** Batches the thread may be ahead of the database. */
const maxQueued = { sqlite: 12, postgres: 40 }

/**
 * The batches of a file: from a worker thread when the file is big and the build exists, otherwise inline. Throws before the first or after the
 * last batch when the file has changed since it was inspected; a caller that stops earlier calls `expectUnchanged` itself.
 */
export async function* rowBatches(plan: EncodePlan): AsyncGenerator<RowBatch> {
  await expectUnchanged(plan.file)
  const thread = fileURLToPath(new URL('./row-encoder.js', import.meta.url))
  yield* plan.file.bytes < smallFile || !existsSync(thread) ? encodeRows(plan) : threadedBatches(thread, plan)
  await expectUnchanged(plan.file)
}

/** Throws when a file that is read in place was replaced since it was inspected: its columns may now be in another order. */
export async function expectUnchanged({ path, stat: before }: InspectedFile): Promise<void> {
  const current = await stat(path).catch(() => undefined)
  if (current?.ino !== before.ino || current.size !== before.size || current.mtimeMs !== before.mtimeMs)
    throw fileChanged()
}

export function fileChanged() {
  return conflict('The file has changed since it was opened', { hint: 'Run the import again.' })
}

async function* threadedBatches(thread: string, plan: EncodePlan): AsyncGenerator<RowBatch> {
  // Long texts land in V8's old space: by default a hundred megabytes of them pile up before they are collected.
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
      while (arrived.length === 0 && failure === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
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
