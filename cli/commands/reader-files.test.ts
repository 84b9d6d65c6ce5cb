import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { makePublication } from '#tests/support/factories.ts'
import { setSmallCommits } from '#tests/support/small-commits.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

setSmallCommits()

let services: TestServices
let env: Record<string, string>
const cwd = mkdtempSync(join(tmpdir(), 'masthead-files-'))
beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

let publicationCount = 0
let handle = ''
beforeEach(async () => {
  handle = `title-of-test-${++publicationCount}`
  await makePublication(services, { urlKey: handle, publicationName: `Gardener ${publicationCount}` })
})

const header = 'UniqueReference,FullName,Email,Address1,City,PostCode,Country,SubStart,SubExpiry,SubType,SubPaid'
const readerLine = (n: number, expiry = '31/12/2099') =>
  `R${n},Ann Reader ${n},ann${n}@example.test,${n} High Street,Leeds,LS1 4AP,GB,01/01/2020,${expiry},print,29.99`

function writeReaderFile(name: string, lines: readonly string[]): string {
  writeFileSync(join(cwd, name), `${[header, ...lines].join('\n')}\n`)
  return name
}

const subscriptions = (argv: string[], more: Parameters<typeof runCli>[1] = {}) => runCli(argv, { env, cwd, ...more })
const importFile = (file: string, ...flags: string[]) =>
  subscriptions(['import', file, '--publication', handle, ...flags])
const countReaders = async () =>
  (JSON.parse((await subscriptions(['publications', 'show', handle, '--json'])).stdout) as { readers: { all: number } })
    .readers.all

describe('import', () => {
  it.runIf(process.platform !== 'win32')('refuses a named pipe, and says how to pipe a file in', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    expect(await importFile('pipe')).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/is a pipe[\s\S]*write - instead/),
    })
  })

  it('prints a summary on stdout and the next command on stderr', async () => {
    const file = writeReaderFile('good.csv', [readerLine(1), readerLine(2)])
    const { exit, stdout, stderr } = await importFile(file)
    expect(exit).toBe(0)
    expect(stdout).toMatch(new RegExp(`^✓ Imported 2 readers into ${handle}\n  Added +2\n  Rejected +0\n`))
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(`Next: subscriptions mailing-file --publication ${handle}`)
    expect(await countReaders()).toBe(2)
  })

  it('imports the valid rows, exits 3, groups the reasons and writes a file of rejected rows to correct', async () => {
    const file = writeReaderFile('mixed.csv', [
      readerLine(1),
      readerLine(2, '31/02/2026'),
      readerLine(3, '30/02/2026'),
      readerLine(4),
    ])
    const { exit, stdout, stderr } = await importFile(file)
    expect(exit).toBe(3)
    expect(stdout).toContain('Imported 2 readers')
    expect(stdout).toMatch(/^ {2}2 × SubExpiry is not a day .* \(first on line 3\)$/m)
    expect(stderr).toContain(`then: subscriptions import mixed.rejected.csv --publication ${handle}`)
    const rejected = readFileSync(join(cwd, 'mixed.rejected.csv'), 'utf8')
    writeFileSync(join(cwd, 'mixed.rejected.csv'), rejected.replaceAll(/3[01]\/02\/2026/g, '28/02/2027'))
    const corrected = await importFile('mixed.rejected.csv')
    expect(corrected).toMatchObject({ exit: 0, stdout: expect.stringContaining('Imported 2 readers') })
    expect(await countReaders()).toBe(4)
  })

  it('never overwrites an existing file with the rejected rows, least of all the imported file', async () => {
    const file = writeReaderFile('again.csv', [readerLine(1, 'nonsense'), readerLine(2)])
    writeFileSync(join(cwd, 'again.rejected.csv'), 'being corrected')
    await importFile(file)
    expect(readFileSync(join(cwd, 'again.rejected.csv'), 'utf8')).toBe('being corrected')
    expect(existsSync(join(cwd, 'again.rejected-2.csv'))).toBe(true)
    await expect(importFile(file, '--rejects', './again.csv')).resolves.toMatchObject({ exit: 2 })
    await importFile(file, '--again', '--rejects', 'bad rows.csv')
    expect(existsSync(join(cwd, 'bad rows.csv'))).toBe(true)
  })

  it('reads stdin and leaves no temporary file', async () => {
    const stdin = `${header}\n${readerLine(1)}\n`
    const piped = await subscriptions(['import', '-', '--publication', handle, '--json'], { stdin })
    expect(piped.exit).toBe(0)
    expect(JSON.parse(piped.stdout)).toMatchObject({
      publication: { urlKey: handle },
      mode: 'add',
      added: 1,
      failed: 0,
      resumedAt: null,
      reasons: [],
      rejectsFile: null,
    })
    expect(readdirSync(join(services.dataDir, 'uploads'))).toEqual([])
    const byFlag = await subscriptions(['import', '--file', '-', '--publication', handle], {
      stdin: `${header}\n${readerLine(2)}\n`,
    })
    expect(byFlag.exit).toBe(0)
  })

  it('changes nothing in a dry run, and counts the same rows as the import', async () => {
    const file = writeReaderFile('dry.csv', [readerLine(1), readerLine(2, 'nonsense')])
    const before = await databaseChecksum(services.db)
    const dry = await importFile(file, '--dry-run', '--json')
    expect(dry.exit).toBe(3)
    expect(await databaseChecksum(services.db)).toBe(before)
    const real = await importFile(file, '--json')
    const counts = ({ added, failed, reasons }: { added: number; failed: number; reasons: unknown }) => ({
      added,
      failed,
      reasons,
    })
    expect(counts(JSON.parse(dry.stdout))).toEqual(counts(JSON.parse(real.stdout)))
    expect(await importFile(file, '--dry-run')).toMatchObject({
      stdout: expect.stringContaining('nothing was changed'),
    })
  })

  it('refuses a file that is not a reader file or was imported before, each with its exit code', async () => {
    const file = writeReaderFile('twice.csv', [readerLine(1)])
    await importFile(file)
    await expect(importFile(file)).resolves.toMatchObject({ exit: 5, stderr: expect.stringContaining('--again') })
    writeFileSync(join(cwd, 'empty.csv'), '')
    await expect(importFile('empty.csv')).resolves.toMatchObject({ exit: 2, stdout: '' })
    writeFileSync(join(cwd, 'other.csv'), 'Colour,Shape\nred,round\n')
    await expect(importFile('other.csv')).resolves.toMatchObject({ exit: 2, stdout: '' })
    writeFileSync(
      join(cwd, 'picture.csv'),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0, 1, 2, 3]),
    )
    await expect(importFile('picture.csv')).resolves.toMatchObject({ exit: 2, stdout: '' })
    const unknown = await subscriptions(['import', file, '--publication', `${handle}x`, '--json'])
    expect(unknown.exit).toBe(4)
    expect(JSON.parse(unknown.stdout).error).toMatchObject({
      code: 'notFound',
      hint: expect.stringContaining(`did you mean "${handle}"?`),
    })
  })

  it('stops at a checkpoint on Ctrl-C and resumes from there, adding nobody twice', async () => {
    const rows = 6_000
    const file = writeReaderFile(
      'long.csv',
      Array.from({ length: rows }, (_, n) => readerLine(n)),
    )
    const stop = new AbortController()
    // Presses Ctrl-C at the first sign of progress.
    const onStderr = (text: string) => (text.includes('Importing') ? stop.abort() : undefined)
    const argv = ['import', file, '--publication', handle, '--json']
    const stopped = await subscriptions(argv, { signal: stop.signal, onStderr, terminal: ['stderr'] })
    expect(stopped.exit).toBe(130)
    const report = JSON.parse(stopped.stdout)
    expect(report.error).toMatchObject({
      code: 'interrupted',
      hint: `subscriptions import --resume --publication ${handle}`,
    })
    expect(report.rows).toBeGreaterThan(0)
    expect(report.rows).toBeLessThan(rows)
    expect(await countReaders()).toBe(report.added)
    const rest = JSON.parse((await importFile(file, '--json')).stdout)
    expect(rest).toMatchObject({ resumedAt: report.rows, rows, added: rows })
    expect(await countReaders()).toBe(rows)
  })

  it('suggests a next command with the same options for reading the file', async () => {
    const otherHeader = header.replace('UniqueReference', 'No').replaceAll(',', ';')
    const lines = [readerLine(1), readerLine(2, 'nonsense')].map((line) => line.replaceAll(',', ';'))
    writeFileSync(join(cwd, 'mapped.csv'), `${[otherHeader, ...lines].join('\n')}\n`)
    writeFileSync(join(cwd, 'my map.json'), '{"No":"UniqueReference"}')
    const flags = ['--map', 'my map.json', '--encoding', 'windows-1250', '--delimiter', 'semicolon', '--lenient']
    const dry = await importFile('mapped.csv', ...flags, '--again', '--dry-run')
    const options = `--map 'my map.json' --encoding windows-1250 --delimiter semicolon --lenient --again`
    expect(dry.stderr).toContain(`Next: subscriptions import mapped.csv --publication ${handle} ${options}\n`)
    const imported = await importFile('mapped.csv', ...flags)
    expect(imported.stderr).toContain(
      `then: subscriptions import mapped.rejected.csv --publication ${handle} --map 'my map.json' --lenient\n`,
    )
  })

  it('refuses, before it imports, to write rejected rows into a directory that does not exist', async () => {
    const file = writeReaderFile('nowhere.csv', [readerLine(1), readerLine(2, 'nonsense')])
    expect(await importFile(file, '--rejects', 'nowhere/bad.csv')).toMatchObject({
      exit: 4,
      stdout: '',
      stderr: expect.stringMatching(/There is no directory .*nowhere\n.*--rejects/),
    })
    expect(await countReaders()).toBe(0)
  })

  it('reports a finished import whose rejected rows cannot be written, and where they are', async () => {
    const file = writeReaderFile('full.csv', [readerLine(1), readerLine(2, 'nonsense')])
    const full = await importFile(file, '--rejects', '/dev/full')
    expect(full).toMatchObject({ exit: 3, stdout: expect.stringContaining('Imported 1 reader') })
    expect(full.stderr).toMatch(
      /The rejected rows could not be written: The disk is full\..* subscriptions imports rejects \d+/,
    )
    expect(full.stderr).toContain('Next: subscriptions imports rejects')
    const again = await importFile(file, '--again', '--json', '--rejects', '/dev/full')
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, failed: 2, rejectsFile: null })
  })

  it('shows progress on one line of a terminal, a line for each tenth elsewhere, and nothing with --quiet', async () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => readerLine(n, n === 5 ? 'nonsense' : undefined))
    const live = await subscriptions(
      ['import', writeReaderFile('live.csv', lines), '--publication', handle, '--no-color'],
      {
        terminal: ['stderr'],
      },
    )
    expect(live.stderr).toMatch(/\rImporting live\.csv: 0 of 3,000 rows/)
    expect(live.stderr).not.toContain(String.fromCharCode(27))
    const plain = await importFile(writeReaderFile('plain.csv', [...lines, readerLine(3_000)]))
    expect(plain.stderr).toMatch(/^Importing plain\.csv: 100% \(3,001 of 3,001 rows, .*rejected\)$/m)
    expect(plain.stderr).not.toContain('\r')
    const quiet = await importFile(
      writeReaderFile('quiet.csv', [...lines, readerLine(3_001), readerLine(3_002)]),
      '--quiet',
    )
    expect(quiet).toMatchObject({ exit: 3, stdout: '' })
    expect(quiet.stderr).toMatch(/^! [\d,]+ rows of quiet\.csv rejected; they are in quiet\.rejected\.csv\n/)
    expect(await importFile(writeReaderFile('well.csv', [readerLine(3_003)]), '--quiet')).toEqual({
      exit: 0,
      stdout: '',
      stderr: '',
    })
    const dry = await importFile(writeReaderFile('tried.csv', [readerLine(3_004)]), '--quiet', '--dry-run')
    expect(dry).toMatchObject({ exit: 0, stdout: expect.stringContaining('Would import 1 reader') })
  })
})

describe('export', () => {
  const importReaders = (count: number) =>
    importFile(
      writeReaderFile(
        `fill-${handle}.csv`,
        Array.from({ length: count }, (_, n) => readerLine(n)),
      ),
    )

  it('writes to stdout when piped, without a byte order mark, and to a named file with one', async () => {
    await importReaders(3)
    const piped = await subscriptions(['export', '--publication', handle])
    expect(piped.exit).toBe(0)
    expect(piped.stdout.split('\r\n')).toHaveLength(5)
    expect(piped.stdout).toMatch(/^BuyerId,UniqueReference,/)
    const saved = await subscriptions(['export', '--publication', handle, '--output', 'all.csv', '--json'])
    expect(JSON.parse(saved.stdout)).toMatchObject({ publication: handle, file: join(cwd, 'all.csv'), readers: 3 })
    expect(readFileSync(join(cwd, 'all.csv'), 'utf8')).toBe(`\uFEFF${piped.stdout}`)
    await subscriptions(['export', '--publication', handle, '--output', 'all.csv', '--no-bom'])
    expect(readFileSync(join(cwd, 'all.csv'), 'utf8')).toBe(piped.stdout)
  })

  it('saves under its default name on a terminal, and does not overwrite that file without --output', async () => {
    await importReaders(1)
    const terminal: ('stdin' | 'stdout' | 'stderr')[] = ['stdout', 'stderr']
    const first = await subscriptions(['export', '--publication', handle, '--json'], { terminal })
    const { file } = JSON.parse(first.stdout) as { file: string }
    expect(existsSync(file)).toBe(true)
    const second = await subscriptions(['export', '--publication', handle, '--no-color'], { terminal })
    expect(second).toMatchObject({ exit: 5, stderr: expect.stringContaining('fix: to replace it: --output') })
  })

  it('refuses to write JSON and rows to the same stdout', async () => {
    await expect(subscriptions(['export', '--publication', handle, '--json', '--output', '-'])).resolves.toMatchObject({
      exit: 2,
    })
    const both = await subscriptions(['mailing-file', '--publication', handle, '--json'])
    expect(both.exit).toBe(2)
    expect(JSON.parse(both.stdout).error.hint).toContain('--output')
  })

  it('leaves the old file unchanged when it fails', async () => {
    await importReaders(1)
    writeFileSync(join(cwd, 'kept.csv'), 'old')
    const stop = new AbortController()
    stop.abort()
    const failed = await subscriptions(['export', '--publication', handle, '--output', 'kept.csv'], {
      signal: stop.signal,
    })
    expect(failed.exit).toBe(130)
    expect(readFileSync(join(cwd, 'kept.csv'), 'utf8')).toBe('old')
    expect(readdirSync(cwd).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('says that the disk is full and exits 1', async () => {
    await importReaders(1)
    const full = await subscriptions(['export', '--publication', handle, '--output', '/dev/full'])
    expect(full).toMatchObject({ exit: 1, stderr: expect.stringContaining('The disk is full') })
  })

  it.runIf(process.platform === 'linux')('names a file that cannot be created', async () => {
    await importReaders(1)
    for (const argv of [
      ['export', '--publication', handle, '--output', '/proc/x.csv'],
      ['mailing-file', '--publication', handle, '--output', '/proc/x.csv'],
    ]) {
      const { exit, stderr } = await subscriptions(argv)
      expect({ argv, exit }).toEqual({ argv, exit: 4 })
      expect(stderr).toContain('error: Could not create /proc/x.csv')
      expect(stderr).not.toContain('Internal error')
    }
  })

  it('can be imported again without changing any reader', async () => {
    await importReaders(20)
    const first = await subscriptions(['export', '--publication', handle])
    writeFileSync(join(cwd, 'round.csv'), first.stdout)
    handle = `${handle}-copy`
    await makePublication(services, { urlKey: handle })
    await expect(importFile('round.csv')).resolves.toMatchObject({ exit: 0 })
    const second = await subscriptions(['export', '--publication', handle])
    const withoutIds = (text: string) => text.split('\r\n').map((line) => line.slice(line.indexOf(',')))
    expect(withoutIds(second.stdout)).toEqual(withoutIds(first.stdout))
  })
})

describe('mailing-file', () => {
  it('writes the readers who get a copy, and counts the others by reason', async () => {
    const file = writeReaderFile('mailed.csv', [readerLine(1), readerLine(2, '31/12/2021'), readerLine(3)])
    await importFile(file)
    const mailing = await subscriptions([
      'mailing-file',
      '--publication',
      handle,
      '--on',
      '1/12/2026',
      '--output',
      'post.csv',
      '--json',
    ])
    expect(JSON.parse(mailing.stdout)).toMatchObject({
      publication: handle,
      dryRun: false,
      file: join(cwd, 'post.csv'),
      on: '2026-12-01',
      included: 2,
      excluded: expect.arrayContaining([{ reason: 'expired', label: 'Expired', count: 1 }]),
    })
    expect(readFileSync(join(cwd, 'post.csv'), 'utf8').trimEnd().split('\r\n')).toHaveLength(3)
    const result = await subscriptions(['mailing-file', '--publication', handle, '--on', '2026-12-01'])
    expect(result.stdout.trimEnd().split('\r\n')).toHaveLength(3)
    expect(result.stderr).toContain('for 01/12/2026: 2 readers')
    expect(result.stderr).toMatch(/Left out: 1\n +1 {2}Expired/)
  })

  it('counts the same in a dry run, and writes no file and no record', async () => {
    await importFile(writeReaderFile('counted.csv', [readerLine(1)]))
    const before = await databaseChecksum(services.db)
    const dry = await subscriptions(['mailing-file', '--publication', handle, '--dry-run', '--json'])
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, file: null, included: 1 })
    expect(await databaseChecksum(services.db)).toBe(before)
  })
})
