import { PassThrough, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { makeCliOutput, sharedFlags } from './cli-output.ts'

/** The output of a command whose reader ends after the first lines. */
function pipeToHead() {
  const written: string[] = []
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (written.length > 0) return done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
      written.push(chunk.toString())
      done()
    },
  })
  stdout.on('error', () => {})
  const stderr = new PassThrough()
  const io = {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: { NODE_ENV: 'test' as const },
    cwd: '.',
    signal: new AbortController().signal,
  }
  return { written, output: makeCliOutput(io, sharedFlags(['--json'])) }
}

it('a closed pipe ends a JSON list as quietly as any other result', async () => {
  const { written, output } = pipeToHead()
  async function* parts() {
    yield [{ id: 1 }]
    expect(output.isClosed()).toBe(false)
    yield [{ id: 2 }]
    expect(output.isClosed()).toBe(true)
  }
  await output.jsonList(parts())
  await output.json({ done: true })
  expect(written).toEqual(['[\n  {\n    "id": 1\n  }'])
})
