import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { projectRoot } from '#core/platform/project-root.ts'
import { saveFiles } from './save-files.ts'

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

const { signal } = new AbortController()

it('stages the files inside the directory: beside a mounted or linked one is another disk', async () => {
  const directory = join(folder, 'post')
  mkdirSync(directory)
  symlinkSync(directory, join(folder, 'link'))
  let beside: string[] = []
  let other: unknown
  async function* pieces() {
    beside = readdirSync(folder)
    other = await saveFiles(directory, ['uk.csv'], noPieces(), signal).catch((error: unknown) => error)
    yield { file: 0, bytes: Buffer.from('a') }
  }
  await saveFiles(join(folder, 'link'), ['uk.csv'], pieces(), signal)
  expect(beside.toSorted()).toEqual(['link', 'post'])
  expect(other).toMatchObject({ code: 'busy' })
  expect(readdirSync(directory)).toEqual(['uk.csv'])
})

it('leaves no new directory behind when the files cannot be made', async () => {
  async function* pieces() {
    yield* noPieces()
    throw new Error('the rows ended early')
  }
  await expect(saveFiles(join(folder, 'post'), ['uk.csv'], pieces(), signal)).rejects.toThrow('ended early')
  expect(readdirSync(folder)).toEqual([])
})

async function* noPieces(): AsyncGenerator<{ file: number; bytes: Buffer }> {}
