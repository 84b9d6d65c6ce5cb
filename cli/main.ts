#!/usr/bin/env node
import { processIo } from './io.ts'
import { run } from './run.ts'

const interruption = new AbortController()
let isSignalRead = false
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // A command that has not read the signal would not stop. A second Ctrl-C does not wait for a checkpoint.
    if (!isSignalRead || interruption.signal.aborted) process.exit(130)
    interruption.abort()
  })
}

// Silences warnings of libraries, such as about a failed commit: the program reports the failure itself.
if (!process.argv.includes('--debug')) console.warn = () => {}

const io = processIo(() => {
  isSignalRead = true
  return interruption.signal
})
process.exitCode = await run(process.argv.slice(2), io)
