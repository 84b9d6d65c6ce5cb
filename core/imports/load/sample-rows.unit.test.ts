import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { inspectFile } from './inspect-file.ts'
import { headRecords } from './sample-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'masthead-sample-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each([-1, 0])(
  'the sample of a file that ends there (%i bytes) includes its last record, without a line break',
  async (longer) => {
    const path = join(folder, 'readers.csv')
    const rows = Array.from({ length: 3 }, (_, n) => `Reader ${n},${'x'.repeat(30_000)}\n`).join('')
    const head = `FullName,Email\n${rows}Last,`
    writeFileSync(path, head + 'y'.repeat(128 * 1024 + longer - head.length))
    const records = await headRecords(await inspectFile(path), 10)
    expect(records.map(({ cells }) => cells[0])).toEqual(['Reader 0', 'Reader 1', 'Reader 2', 'Last'])
  },
)
