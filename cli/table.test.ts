import { PassThrough, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { makeCliOutput, sharedFlags } from './cli-output.ts'
import type { Out } from './io.ts'
import { makeProgress } from './progress.ts'
import { printTable } from './table.ts'

it('prints a table of any length', async () => {
  let lines = 0
  const stdout: Out = new Writable({
    write(_chunk, _encoding, done) {
      lines++
      done()
    },
  })
  stdout.isTTY = true
  const stdin = new PassThrough()
  const stderr = new PassThrough()
  const { signal } = new AbortController()
  const cliOutput = makeCliOutput(
    { stdin, stdout, stderr, signal, env: { NODE_ENV: 'test' }, cwd: '.' },
    sharedFlags([]),
  )
  const rows = Array.from({ length: 130_000 }, (_, n) => n)
  await printTable(cliOutput, rows, [{ header: 'Number', show: (n) => n }])
  expect(lines).toBe(130_001)
})

/** The output of a command on a terminal of this many columns, and the text written to it. */
function makeNarrowTerminal(columns: number) {
  let text = ''
  const stream: Out = new PassThrough()
  stream.isTTY = true
  stream.columns = columns
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
  })
  const io = { stdin: new PassThrough(), stdout: stream, stderr: stream, env: { NODE_ENV: 'test' as const }, cwd: '.' }
  const cliOutput = makeCliOutput({ ...io, signal: new AbortController().signal }, sharedFlags(['--no-color']))
  return { cliOutput, text: () => text }
}

it.each([10, 11, 12, 13])('cuts a cell and a progress line of %i columns between characters', async (columns) => {
  const { cliOutput, text } = makeNarrowTerminal(columns)
  await printTable(cliOutput, ['Flora 🌱🌱🌱🌱 monthly'], [{ header: 'Title', show: (title) => title }])
  makeProgress(cliOutput, 'Flora 🌱🌱🌱🌱 monthly', 'rows').update(1, 2)
  expect(text()).toContain('🌱')
  expect(text()).not.toContain('\ufffd')
})
