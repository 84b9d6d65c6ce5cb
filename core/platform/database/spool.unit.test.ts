import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { spool } from './spool.ts'

const folder = mkdtempSync(join(tmpdir(), 'masthead-spool-'))
afterAll(() => rmSync(folder, { recursive: true }))

const blocks = Array.from({ length: 60 }, (_, n) => `${String(n).padEnd(100_000 + n, 'é')}\n`)

async function* source(onEnd: (count: number) => void, fails = false): AsyncGenerator<string> {
  let count = 0
  try {
    for (const block of blocks) {
      count++
      yield block
    }
    if (fails) throw new Error('the source failed')
  } finally {
    onEnd(count)
  }
}

it('reads its source to the end at once, and passes all of it on however slowly it is read', async () => {
  for (const encoding of ['utf8', 'latin1'] as const) {
    let count = 0
    const rows = spool(
      source((blockCount) => {
        count = blockCount
      }),
      { encoding, folder },
    )
    const read = [(await rows.next()).value]
    await expect.poll(() => count).toBe(blocks.length)
    for await (const block of rows) read.push(block)
    expect(read.join('') === blocks.join('')).toBe(true)
    expect(read).toHaveLength(blocks.length)
    expect(readdirSync(folder)).toEqual([])
  }
})

it('passes on a failure after the blocks that came before it', async () => {
  const read: string[] = []
  const rows = spool(
    source(() => {}, true),
    { encoding: 'utf8', folder },
  )
  await expect(
    (async () => {
      for await (const block of rows) read.push(block)
    })(),
  ).rejects.toThrow('the source failed')
  expect(read).toHaveLength(blocks.length)
})

it('ends its source when its reader stops', async () => {
  let endedCount = 0
  const endless = (async function* () {
    try {
      for (;;) {
        await new Promise(setImmediate)
        yield 'row\n'
      }
    } finally {
      endedCount++
    }
  })()
  for await (const _ of spool(endless, { encoding: 'utf8', folder })) break
  expect(endedCount).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})
