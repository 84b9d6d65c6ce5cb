import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { makeCliOutput } from './cli-output.ts'
import type { Io, Out } from './io.ts'
import { makeProgress } from './progress.ts'

it('redraws one line on a terminal, at most ten times a second, with rows done, time left, rate and note', () => {
  const written: string[] = []
  const stderr: Out = new PassThrough()
  stderr.isTTY = true
  stderr.columns = 100
  stderr.on('data', (chunk: Buffer) => written.push(chunk.toString('utf8')))
  const stream = new PassThrough()
  const io: Io = {
    stdin: stream,
    stdout: stream,
    stderr,
    env: { NODE_ENV: 'test', TERM: 'xterm' },
    cwd: '.',
    signal: new AbortController().signal,
  }
  const noFlags = { json: false, quiet: false, dryRun: false, verbose: false, debug: false, color: false, input: false }
  let nowMs = 0
  const progress = makeProgress(
    makeCliOutput(io, { ...noFlags, settings: undefined }),
    'Importing a.csv',
    'rows',
    () => nowMs,
  )
  progress.update(0, 3_000)
  nowMs = 99
  progress.update(200, 3_000)
  nowMs = 1_000
  progress.update(1_000, 3_000, '1 rejected')
  nowMs = 2_000
  progress.update(3_000, 3_000)
  progress.end()
  expect(written.map((text) => text.trim())).toEqual([
    'Importing a.csv ...',
    'Importing a.csv: 0 of 3,000 rows',
    'Importing a.csv: 1,000 of 3,000 rows, about 2 s left, 1,000 a second, 1 rejected',
    'Importing a.csv: 3,000 of 3,000 rows, 1,500 a second',
    '',
  ])
  expect(written.every((text) => text.startsWith('\r') && !text.includes('\n'))).toBe(true)
})
