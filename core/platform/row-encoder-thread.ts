import { parentPort, workerData } from 'node:worker_threads'
import { encodeRows } from '#core/imports/load/encode-rows.ts'
import type { EncodePlan } from '#core/imports/load/row-batch.ts'

/** The entry point of the worker thread: encodes ahead as far as its credit allows, so that a slow database never fills the memory. */
const port = parentPort
if (port) {
  let credit = 0
  let wake: (() => void) | undefined
  port.on('message', (more: number) => {
    credit += more
    wake?.()
  })
  const plan = workerData as EncodePlan
  for await (const batch of encodeRows(plan)) {
    while (credit === 0)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    credit--
    port.postMessage(batch, [
      batch.text.buffer,
      batch.raw.buffer,
      batch.starts.buffer,
      batch.lines.buffer,
    ] as ArrayBuffer[])
  }
  port.postMessage(null)
  port.close()
}
