import { PassThrough, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { makeCliOutput, sharedFlags } from './cli-output.ts'
import type { Out } from './io.ts'
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
  const [stdin, stderr, { signal }] = [new PassThrough(), new PassThrough(), new AbortController()]
  const cliOutput = makeCliOutput(
    { stdin, stdout, stderr, signal, env: { NODE_ENV: 'test' }, cwd: '.' },
    sharedFlags([]),
  )
  const rows = Array.from({ length: 130_000 }, (_, n) => n)
  await printTable(cliOutput, rows, [{ header: 'Number', show: (n) => n }])
  expect(lines).toBe(130_001)
})
