#!/usr/bin/env node
import { processIo } from './io.ts'
import { run } from './run.ts'

const interruption = new AbortController()
let isAwaited = false
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // A command that never read the signal would run on to its end. The second one does not wait for a checkpoint.
    if (!isAwaited || interruption.signal.aborted) process.exit(130)
    interruption.abort()
  })
}

// Silences warnings of libraries, such as about a failed commit: the program reports the failure itself.
if (!process.argv.includes('--debug')) console.warn = () => {}

const io = processIo(() => {
  isAwaited = true
  return interruption.signal
})
process.exitCode = await run(process.argv.slice(2), io)
