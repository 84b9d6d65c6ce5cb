import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
let cwd: string
let handle = ''
let publicationCount = 0

beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
})
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'masthead-mailing-'))
  handle = `mailed-${++publicationCount}`
  const { id } = await makePublication(services, { urlKey: handle, publicationName: 'Harbour Light' })
  const makeOwnReader = (fields: Parameters<typeof makeReader>[2]) => makeReader(services, id, fields)
  await makeOwnReader({ fullName: 'Ann Łoś', addressOne: '1 Quay', city: 'Fowey', postCode: 'PL23 1AQ' })
  await makeOwnReader({ fullName: 'Ed Day', addressOne: '5 Gate', city: 'Oslo', postCode: '0150', country: 'NO' })
  await makeOwnReader({ fullName: 'Di Day', subType: 'digital' })
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const subscriptions = (argv: string[], more: Parameters<typeof runCli>[1] = {}) => runCli(argv, { env, cwd, ...more })
const mailing = (...flags: string[]) =>
  subscriptions(['mailing-file', '--publication', handle, '--on', '2026-11-21', ...flags])
const layouts = (command: string, ...args: string[]) =>
  subscriptions(['mailing-layouts', command, ...args, '--publication', handle])
const read = (name: string) => readFileSync(join(cwd, name))

describe('mailing-file', () => {
  it('splits into files in a directory, with counts, writes all of them or none, and replaces existing files', async () => {
    const names = ['europe', 'uk', 'world'].map((zone) => `Harbour_Light_21112026_${zone}.csv`)
    for (const _ of [1, 2]) {
      const split = await mailing('--split', '--output', 'post', '--counts', 'post/counts.json', '--json')
      expect(split.exit).toBe(0)
      const result = JSON.parse(split.stdout)
      expect(result).toMatchObject({ directory: join(cwd, 'post'), file: null, included: 2, readers: 3 })
      expect(readdirSync(join(cwd, 'post')).sort()).toEqual([...names, 'counts.json'])
      const sheet = JSON.parse(String(read('post/counts.json')))
      for (const { name, bytes } of sheet.files) expect([name, read(`post/${name}`).length]).toEqual([name, bytes])
      expect(sheet.files.map(({ readers }: { readers: number }) => readers)).toEqual([1, 1, 0])
    }
    expect(readdirSync(cwd)).toEqual(['post'])
    const stop = new AbortController()
    stop.abort()
    const stopped = await subscriptions(['mailing-file', '-p', handle, '--split', '--output', 'none'], {
      signal: stop.signal,
    })
    expect(stopped.exit).toBe(130)
    expect(readdirSync(cwd)).toEqual(['post'])
    expect(await mailing('--dry-run', '--counts', 'counts.csv')).toMatchObject({ exit: 0 })
    expect(readdirSync(cwd)).toEqual(['post'])
    expect(await mailing('--split')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--output <directory>') })
    for (const flags of [
      ['--output', 'one.csv'],
      ['--split', '--output', 'zones'],
    ])
      expect(await mailing(...flags, '--counts', 'none/counts.csv')).toMatchObject({
        exit: 4,
        stderr: expect.stringContaining('name another file with --counts'),
      })
    expect(readdirSync(cwd)).toEqual(['post'])
    writeFileSync(join(cwd, 'file'), '')
    expect(await mailing('--split', '--output', 'file')).toMatchObject({ exit: 2 })
  })

  it('writes even a single zone into the directory, never beside it or to stdout', async () => {
    const split = await mailing('--split', '--zones', 'uk', '--output', 'post', '--json')
    expect(JSON.parse(split.stdout)).toMatchObject({ directory: join(cwd, 'post'), file: null })
    expect(readdirSync(cwd)).toEqual(['post'])
    expect(readdirSync(join(cwd, 'post'))).toEqual(['Harbour_Light_21112026_uk.csv'])
    for (const output of [['--output', '-'], []])
      expect(await mailing('--split', '--zones', 'uk', ...output)).toMatchObject({
        exit: 2,
        stdout: '',
        stderr: expect.stringContaining('--output <directory>'),
      })
    expect(readdirSync(cwd)).toEqual(['post'])
  })

  it('writes Windows-1252 and counts the replaced and lost characters', async () => {
    const result = await mailing('--encoding', 'windows-1252', '--zones', 'uk', '--output', 'uk.csv')
    expect(result).toMatchObject({ exit: 0, stderr: expect.stringContaining('2 characters replaced by similar ones') })
    expect(result.stderr).toContain('1  In a zone that was not chosen')
    expect(read('uk.csv').toString('latin1')).toContain('Ann Los')
    expect(read('uk.csv')[0]).toBe('U'.charCodeAt(0))
  })

  it('refuses an unknown layout, zone or key line, naming the flag', async () => {
    expect(await mailing('--layout', 'Nobody', '--output', 'x.csv')).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('Available layouts: Standard'),
    })
    expect(await mailing('--zones', 'mars')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--zones') })
    expect(await mailing('--key-line', '{x}')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--key-line') })
    expect(existsSync(join(cwd, 'x.csv'))).toBe(false)
  })

  it('locks a file against a second run, and takes over a lock whose process died', async () => {
    for (const [owner, name] of [
      [`${hostname()} ${process.ppid} a`, `process ${process.ppid}`],
      ['elsewhere 4194399 a', 'process 4194399 on elsewhere'],
    ]) {
      writeFileSync(join(cwd, '.post.csv.lock'), owner ?? '')
      expect(await mailing('--output', 'post.csv')).toMatchObject({
        exit: 5,
        stderr: expect.stringContaining(`another run (${name})`),
      })
      expect(existsSync(join(cwd, 'post.csv'))).toBe(false)
    }
    const [, , suffix, start] = services.processes.self.split(' ')
    // The process id of the second lock has been reused by another process, which only Linux can detect.
    const reused = start === undefined ? [] : [`${hostname()} ${process.ppid} ${suffix} ${start}`]
    for (const owner of [`${hostname()} 4194399 a`, ...reused]) {
      writeFileSync(join(cwd, '.post.csv.lock'), owner)
      writeFileSync(join(cwd, '.post.csv.partial'), 'half of it')
      expect(await mailing('--output', 'post.csv')).toMatchObject({ exit: 0 })
      rmSync(join(cwd, 'post.csv'))
    }
    // A run creates its lock empty and then writes its owner to it: an empty lock counts as held until it is so old that its run must have
    // been killed.
    writeFileSync(join(cwd, '.post.csv.lock'), '')
    expect(await mailing('--output', 'post.csv')).toMatchObject({ exit: 5 })
    utimesSync(join(cwd, '.post.csv.lock'), new Date(0), new Date(0))
    expect(await mailing('--output', 'post.csv')).toMatchObject({ exit: 0 })
    expect(readdirSync(cwd)).toEqual(['post.csv'])
    // A lock that cannot be read does not count as empty. Here it is a directory, because root may read any file.
    mkdirSync(join(cwd, '.post.csv.lock'))
    utimesSync(join(cwd, '.post.csv.lock'), new Date(0), new Date(0))
    expect(await mailing('--output', 'post.csv')).toMatchObject({ exit: 5 })
  })
})

it('a dry run suggests the command that makes the file it counted', async () => {
  const { stderr } = await mailing('--zones', 'uk', '--no-split', '--key-line', '{publication} {expiry}', '--dry-run')
  expect(stderr).toContain(
    `Next: subscriptions mailing-file --publication ${handle} --on 2026-11-21 --zones uk --no-split --key-line '{publication} {expiry}'\n`,
  )
  expect((await subscriptions(['mailing-file', '-p', handle, '--dry-run'])).stderr).toContain(
    `Next: subscriptions mailing-file --publication ${handle}\n`,
  )
})

describe('mailing-layouts', () => {
  it('are exported as JSON and imported again: saved, listed, used, changed and removed', async () => {
    const standard = await layouts('show', 'standard')
    const layout = { ...JSON.parse(standard.stdout), columns: [{ column: 'Addressee', header: 'Name' }], isSplit: true }
    writeFileSync(join(cwd, 'acme.json'), JSON.stringify(layout))
    const before = await databaseChecksum(services.db)
    expect(await layouts('save', 'Acme', '--file', 'acme.json', '--dry-run')).toMatchObject({ exit: 0 })
    expect(await databaseChecksum(services.db)).toBe(before)
    expect(await layouts('save', 'Acme', '--file', 'acme.json')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('Saved the layout Acme'),
    })
    const again = await subscriptions(['mailing-layouts', 'save', 'ACME', '-p', handle, '--file', '-', '--json'], {
      stdin: JSON.stringify(layout),
    })
    expect(JSON.parse(again.stdout)).toMatchObject({ name: 'ACME', isNew: false })
    expect((await layouts('list')).stdout).toMatch(/^Standard\t17\t.*\nACME\t1\t/)
    const split = await mailing('--layout', 'acme', '--output', 'post', '--json')
    expect(JSON.parse(split.stdout)).toMatchObject({
      directory: join(cwd, 'post'),
      layout: expect.stringMatching(/acme/i),
    })
    expect(String(read('post/Harbour_Light_21112026_uk.csv'))).toBe('\ufeffName\r\nAnn Łoś\r\n')
    expect(await mailing('--layout', 'acme', '--zones', 'uk', '--output', 'post')).toMatchObject({ exit: 0 })
    await mailing('--layout', 'acme', '--no-split', '--output', 'one.csv')
    expect(String(read('one.csv'))).toBe('\ufeffName\r\nAnn Łoś\r\nEd Day\r\n')
    expect(await layouts('remove', 'acme')).toMatchObject({ exit: 2 })
    expect(await layouts('remove', 'acme', '--yes')).toMatchObject({ exit: 0 })
    expect(await layouts('show', 'acme')).toMatchObject({ exit: 4 })
  })

  it('with a name that the shell would split or expand are quoted in the suggested command', async () => {
    writeFileSync(join(cwd, 'acme.json'), '{"columns":[{"column":"Addressee"}]}')
    for (const [name, word] of [
      ['Acme', 'Acme'],
      ['Acme "A4" $HOME', `'Acme "A4" $HOME'`],
      ["Printer's", `'Printer'\\''s'`],
    ] as const) {
      const saved = await layouts('save', name, '--file', 'acme.json')
      expect(saved.stderr).toBe(`Next: subscriptions mailing-file --publication ${handle} --layout ${word}\n`)
    }
  })

  it('are refused when invalid, saying what to correct', async () => {
    writeFileSync(join(cwd, 'bad.json'), '{"columns":[{"column":"Shoe size"}]}')
    const bad = await layouts('save', 'Bad', '--file', 'bad.json')
    expect(bad.exit).toBe(2)
    expect(bad.stderr).toContain('Choose a column from the list')
    writeFileSync(join(cwd, 'worse.json'), '{')
    expect(await layouts('save', 'Bad', '--file', 'worse.json')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('is not JSON'),
    })
    expect(await layouts('save', 'Standard', '--file', 'bad.json')).toMatchObject({ exit: 2 })
  })
})
