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

// What libraries print themselves, such as of a commit that failed: the failure is reported in the program's own words.
if (!process.argv.includes('--debug')) console.warn = () => {}

process.exitCode = await run(process.argv.slice(2), processIo(interruption.signal))
