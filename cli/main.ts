#!/usr/bin/env node
import { processIo } from './io.ts'
import { run } from './run.ts'

const interruption = new AbortController()
process.on('SIGINT', () => {
  // The second Ctrl-C does not wait for a checkpoint.
  if (interruption.signal.aborted) process.exit(130)
  interruption.abort()
})
process.on('SIGTERM', () => interruption.abort())

// Silences warnings of libraries, such as about a failed commit: the program reports the failure itself.
if (!process.argv.includes('--debug')) console.warn = () => {}

process.exitCode = await run(process.argv.slice(2), processIo(interruption.signal))
