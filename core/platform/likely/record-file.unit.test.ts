import { mkdtempSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openRecordFile } from './record-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'masthead-records-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('continues after a partial write, and fails when the disk accepts no more', () => {
  let room = 12
  const file = openRecordFile(folder, {
    write(fd, bytes, from, length) {
      if (room === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      const taken = Math.min(length, 4, room)
      room -= taken
      return writeSync(fd, bytes, from, taken)
    },
  })
  file.add(Buffer.from('abc\x1efghi\x1e'))
  expect([file.get(0), file.get(1)]).toEqual(['abc', 'fghi'])
  expect(() => file.add(Buffer.from('klmno\x1e'))).toThrow('ENOSPC')
  file.close()
})
