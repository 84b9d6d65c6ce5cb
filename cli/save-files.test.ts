import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { projectRoot } from '#core/platform/project-root.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'masthead-pieces-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Saves chunks of these sizes as one file, in a process whose files may have at most this many blocks (of 512 bytes or 1 KB, depending on
 * the shell). A write beyond that is cut short or refused, as on a full disk.
 */
async function saveWithin(blocks: number, sizes: number[]): Promise<string> {
  const program = `
    import { saveFiles } from '#cli/save-files.ts'
    async function* pieces() {
      for (const size of ${JSON.stringify(sizes)}) yield { file: 0, bytes: Buffer.alloc(size, 'a') }
    }
    await saveFiles(${JSON.stringify(join(folder, 'post'))}, ['uk.csv'], pieces(), new AbortController().signal)
      .then(() => console.log('saved'), ({ code, path }) => console.log(code, path ?? ''))
  `
  const node = `'${process.execPath}' --import tsx --input-type=module`
  const { stdout } = await execa('/bin/sh', ['-c', `ulimit -f ${blocks}; exec ${node} -e "$PROGRAM"`], {
    cwd: projectRoot(),
    env: { PROGRAM: program, TSX_DISABLE_CACHE: '1' },
  })
  return stdout
}

it('saves all files or none when the last chunk does not fit', async () => {
  expect(await saveWithin(64, [20_000, 10_000])).toBe('saved')
  expect(readFileSync(join(folder, 'post/uk.csv'))).toHaveLength(30_000)
  expect(await saveWithin(64, [20_000, 200_000])).toContain('EFBIG')
  expect(readFileSync(join(folder, 'post/uk.csv'))).toHaveLength(30_000)
  expect(readdirSync(folder)).toEqual(['post'])
})

it('removes a lock file that could not be written', async () => {
  mkdirSync(join(folder, 'post'))
  expect(await saveWithin(0, [10])).toBe(`EFBIG ${join(folder, 'post')}`)
  expect(readdirSync(folder)).toEqual(['post'])
})
