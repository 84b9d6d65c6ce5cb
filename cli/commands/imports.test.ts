import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { deferred } from '#tests/support/deferred.ts'
import { makePublication } from '#tests/support/factories.ts'
import { setSmallCommits } from '#tests/support/small-commits.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { addTrigger } from '#tests/support/trigger.ts'

setSmallCommits()

let services: TestServices
let env: Record<string, string>
const cwd = mkdtempSync(join(tmpdir(), 'masthead-imports-'))
beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

let publicationCount = 0
let handle = ''
let publicationId = 0
beforeEach(async () => {
  handle = `imports-${++publicationCount}`
  publicationId = (await makePublication(services, { urlKey: handle })).id
})

const subscriptions = (argv: string[], more: Parameters<typeof runCli>[1] = {}) => runCli(argv, { env, cwd, ...more })

function saveFile(name: string, text: string): string {
  writeFileSync(join(cwd, name), text)
  return name
}

it('reports an unknown import number and names the command that lists the numbers', async () => {
  for (const command of ['show', 'wait', 'undo', 'cancel', 'backup', 'rejects'])
    expect(await subscriptions(['imports', command, '999999', ...(command === 'undo' ? ['--yes'] : [])])).toMatchObject(
      {
        exit: 4,
        stderr: expect.stringMatching(/error: There is no import 999999\nfix: see: subscriptions imports list/),
      },
    )
  expect(readdirSync(cwd)).toEqual([])
})

const importFile = (name: string, ...flags: string[]) =>
  subscriptions(['import', name, '--publication', handle, ...flags])

const listImports = () => subscriptions(['imports', 'list', '--publication', handle, '--json'])

const importThreeReaders = () =>
  importFile(saveFile('start.csv', 'UniqueReference,FullName,City\nR1,Ann,Fowey\nR2,Bo,Fowey\nR3,Cy,Fowey\n'))

const citiesOf = async () =>
  (
    await services.db.query<{ unique_reference: string; city: string }>(
      `SELECT unique_reference, city FROM readers WHERE publication_id = :publicationId ORDER BY unique_reference`,
      { publicationId },
    )
  )
    .map(({ unique_reference, city }) => `${unique_reference} ${city}`)
    .join(', ')

describe('import -', () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => `R${n},Ann ${n},Fowey`)
  const stdin = `${['UniqueReference,FullName,City', ...rows].join('\n')}\n`
  const copies = () => readdirSync(join(services.dataDir, 'uploads'))
  const importPiped = (text: string, flags: string[] = [], more: Parameters<typeof runCli>[1] = {}) =>
    subscriptions(['import', '-', '--publication', handle, ...flags], { stdin: text, ...more })
  /** Presses Ctrl-C at the first sign of progress. Returns the number of the import. */
  const interruptImport = async () => {
    const stop = new AbortController()
    const onStderr = (text: string) => (text.includes('Importing') ? stop.abort() : undefined)
    const result = await importPiped(stdin, ['--json'], { signal: stop.signal, onStderr, terminal: ['stderr'] })
    expect(result).toMatchObject({ exit: 130 })
    return JSON.parse(result.stdout).uploadId as number
  }

  it('keeps no copy of a file that is refused, only checked, imported, or imported before', async () => {
    expect(await importPiped('Colour,Shape\nred,round\n')).toMatchObject({ exit: 2 })
    expect(await importPiped(stdin, ['--dry-run'])).toMatchObject({ exit: 0 })
    expect(await importPiped(stdin)).toMatchObject({ exit: 0 })
    expect(await importPiped(stdin)).toMatchObject({ exit: 5 })
    expect(copies()).toEqual([])
  })

  it('calls a refused file stdin, not by the name of its copy', async () => {
    const { exit, stderr } = await importPiped('UniqueReference,FullName\0\nA,Ann\n')
    expect(exit).toBe(2)
    expect(stderr).toContain('error: stdin is not a CSV file')
    expect(stderr).not.toContain(services.dataDir)
  })

  it('says what a run has changed when it is stopped', async () => {
    const stopAt = (word: string, flags: string[], text = stdin) => {
      const stop = new AbortController()
      const onStderr = (shown: string) => (shown.includes(word) ? stop.abort() : undefined)
      return importPiped(text, ['--no-color', ...flags], { signal: stop.signal, onStderr, terminal: ['stderr'] })
    }
    const messageOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).error.message as string
    const dryRun = await stopAt('Checking', ['--dry-run'])
    expect(dryRun).toMatchObject({ exit: 130 })
    expect(dryRun.stdout.split('\n')[0]).toBe('! Stopped; nothing was changed')
    expect(messageOf(await stopAt('Checking', ['--dry-run', '--json']))).toBe('Stopped; nothing was changed')
    const added = await stopAt('Importing', [])
    expect(added.stdout).toMatch(new RegExp(`^! Stopped at a checkpoint: [\\d,]+ readers added in ${handle}\n`))
    await subscriptions(['import', '--resume', '--publication', handle])
    const combined = stdin.replaceAll('Fowey', 'Leeds')
    const changed = await stopAt('Importing', ['--mode', 'combine'], combined)
    expect(changed.stdout).toMatch(new RegExp(`^! Stopped at a checkpoint: [\\d,]+ readers changed in ${handle}\n`))
    await subscriptions(['import', '--resume', '--publication', handle])
    const replaced = ['--mode', 'replace', '--confirm', handle, '--json']
    expect(messageOf(await stopAt('Reading', replaced))).toBe('Stopped; nothing was changed')
    await subscriptions(['import', '--resume', '--publication', handle])
  })

  it('offers no undo of an import that was cancelled before it changed anything', async () => {
    const dropTrigger = await addTrigger(services.db, {
      after: 'UPDATE OF state ON tasks',
      when: `NEW.state = 'running'`,
      sql: 'UPDATE tasks SET stop_asked_at = started_at WHERE id = NEW.id',
    })
    try {
      const replaced = ['--mode', 'replace', '--confirm', handle]
      const shown = await importPiped(stdin, [...replaced, '--no-color'])
      expect(shown).toMatchObject({ exit: 130, stdout: expect.stringMatching(/^! Cancelled; nothing was changed\n/) })
      expect(shown.stderr).toContain('Next: the same command again')
      const { error } = JSON.parse((await importPiped(stdin, [...replaced, '--json'])).stdout)
      const hint = 'the same command again'
      expect(error).toEqual({ code: 'cancelled', message: 'Cancelled; nothing was changed', hint })
    } finally {
      await dropTrigger()
    }
  })

  it('keeps the copy of an interrupted import until it is resumed or cancelled', async () => {
    await interruptImport()
    expect(copies()).toHaveLength(1)
    expect(await subscriptions(['import', '--resume', '--publication', handle])).toMatchObject({ exit: 0 })
    expect(copies()).toEqual([])
    await subscriptions(['imports', 'undo', String(JSON.parse((await listImports()).stdout)[0].id), '--yes'])
    const id = await interruptImport()
    // Piping the same file again resumes the import from the first copy.
    expect(await importPiped(stdin)).toMatchObject({ exit: 0 })
    expect(copies()).toEqual([])
    await subscriptions(['imports', 'undo', String(id), '--yes'])
    expect(await subscriptions(['imports', 'cancel', String(await interruptImport())])).toMatchObject({ exit: 0 })
    expect(copies()).toEqual([])
  })
})

describe('import --mode combine', () => {
  it('updates existing readers, adds the rest, and counts the rows by result', async () => {
    await importThreeReaders()
    const { exit, stdout } = await importFile(
      saveFile('more.csv', 'UniqueReference,City\nR1,Leeds\nR2,Fowey\nR9,Ely\n'),
      '--mode',
      'combine',
    )
    expect(exit).toBe(0)
    expect(stdout).toMatch(
      new RegExp(`^✓ Combined 3 readers into ${handle}\n  Added +1\n  Updated +1\n  Unchanged +1\n  Rejected +0\n`),
    )
    expect(await citiesOf()).toBe('R1 Leeds, R2 Fowey, R3 Fowey, R9 Ely')
  })

  it('reads columns with other names by a column map', async () => {
    await importThreeReaders()
    const otherNames = saveFile('odd.csv', 'Customer No,Town,Shoe size\nR1,Leeds,44\n')
    const map = saveFile('map.json', '{"Customer No":"UniqueReference","Town":"City","Shoe size":""}')
    expect(await importFile(otherNames, '--mode', 'combine', '--map', map)).toMatchObject({ exit: 0 })
    expect(await citiesOf()).toContain('R1 Leeds')
    for (const invalidMap of [saveFile('list.json', '["City"]'), saveFile('broken.json', '{'), 'nowhere.json'])
      expect(await importFile(otherNames, '--mode', 'combine', '--map', invalidMap)).toMatchObject({
        exit: 2,
        stdout: '',
      })
  })
})

describe('import --mode replace', () => {
  it('requires the handle as confirmation, and shows in a dry run what it would do', async () => {
    await importThreeReaders()
    const next = saveFile('next.csv', 'UniqueReference,FullName,City\nR1,Ann,Leeds\nN1,New,Ely\n')
    expect(await importFile(next, '--mode', 'replace')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(`--confirm ${handle}`),
    })
    expect(await importFile(next, '--mode', 'replace', '--confirm', 'another')).toMatchObject({ exit: 2 })
    const dry = await importFile(next, '--mode', 'replace', '--dry-run', '--json')
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, added: 1, updated: 1, removed: 2 })
    expect(await citiesOf()).toBe('R1 Fowey, R2 Fowey, R3 Fowey')
    const { exit, stdout } = await importFile(next, '--mode', 'replace', '--confirm', handle)
    expect(exit).toBe(0)
    expect(stdout).toContain(`Replaced the readers of ${handle} with 2 readers`)
    expect(stdout).toMatch(/Removed +2/)
    expect(await citiesOf()).toBe('N1 Ely, R1 Leeds')
  })

  it('asks for the handle on a terminal and shows the counts first', async () => {
    await importThreeReaders()
    const next = saveFile('asked.csv', 'UniqueReference,FullName\nR1,Ann\n')
    const refused = await subscriptions(['import', next, '--publication', handle, '--mode', 'replace', '--no-color'], {
      stdin: 'something else\n',
      terminal: ['stdin', 'stdout', 'stderr'],
    })
    expect(refused.exit).toBe(130)
    expect(refused.stderr).toContain('2 removed')
    expect(await citiesOf()).toBe('R1 Fowey, R2 Fowey, R3 Fowey')
    const confirmed = await subscriptions(
      ['import', next, '--publication', handle, '--mode', 'replace', '--no-color'],
      {
        stdin: `${handle}\n`,
        terminal: ['stdin', 'stdout', 'stderr'],
      },
    )
    expect(confirmed.exit).toBe(0)
    expect(await citiesOf()).toBe('R1 ')
  })

  it('refuses to replace readers by a file that has changed since its preview', async () => {
    await importThreeReaders()
    const next = saveFile('previewed.csv', 'UniqueReference,FullName\nR1,Ann\n')
    const changedFile = saveFile('other.csv', 'UniqueReference,FullName\nR9,Zoe\n')
    const refused = await subscriptions(['import', next, '--publication', handle, '--mode', 'replace', '--no-color'], {
      stdin: `${handle}\n`,
      terminal: ['stdin', 'stdout', 'stderr'],
      onStderr: (text) =>
        text.includes('would be added') ? renameSync(join(cwd, changedFile), join(cwd, next)) : undefined,
    })
    expect(refused).toMatchObject({ exit: 5, stdout: '', stderr: expect.stringContaining('has changed') })
    expect(await citiesOf()).toBe('R1 Fowey, R2 Fowey, R3 Fowey')
  })

  it('asks for nothing when the preview was stopped', async () => {
    await importThreeReaders()
    const rows = Array.from({ length: 3_000 }, (_, n) => `P${n},Ann`)
    const next = saveFile('preview.csv', `UniqueReference,FullName\n${rows.join('\n')}\n`)
    const stop = new AbortController()
    const stopped = await subscriptions(['import', next, '--publication', handle, '--mode', 'replace', '--no-color'], {
      stdin: `${handle}\n`,
      terminal: ['stdin', 'stdout', 'stderr'],
      signal: stop.signal,
      onStderr: (text) => (text.includes('Reading') ? stop.abort() : undefined),
    })
    expect(stopped).toMatchObject({ exit: 130, stdout: '', stderr: expect.stringContaining('Nothing was changed') })
    expect(stopped.stderr).not.toContain('would be added')
    expect(JSON.parse((await listImports()).stdout)).toHaveLength(1)
  })

  it('accepts --target only with --mode replace', async () => {
    await expect(importFile(saveFile('t.csv', 'UniqueReference\nR1\n'), '--target', 'imported')).resolves.toMatchObject(
      {
        exit: 2,
      },
    )
  })
})

describe('imports', () => {
  const newest = async () => {
    const { stdout } = await subscriptions(['imports', 'list', '--publication', handle])
    return stdout.split('\t')[0] ?? ''
  }

  it('lists, shows, backs up and undoes', async () => {
    await importThreeReaders()
    await importFile(
      saveFile('c.csv', 'UniqueReference,City,Email\nR1,Leeds,\nR2,,bad\nN1,Ely,\n'),
      '--mode',
      'combine',
    )
    const listed = await subscriptions(['imports', 'list', '--publication', handle])
    expect(
      listed.stdout
        .trim()
        .split('\n')
        .map((line) => line.split('\t').slice(1, 3).join(' ')),
    ).toEqual(['done combine', 'done add'])
    const number = await newest()
    const lastImport = async () =>
      /Last import +(.*)/.exec((await subscriptions(['publications', 'show', handle])).stdout)?.[1]
    expect(await lastImport()).toMatch(/^c\.csv, [\d-]{10} \d\d:\d\d UTC: 1 added, 1 rejected$/)
    const shown = await subscriptions(['imports', 'show', number])
    expect(shown.stdout).toMatch(/Started +[\d-]{10} \d\d:\d\d UTC\n/)
    expect(shown.stdout).toMatch(/Updated +1\n/)
    expect(shown.stdout).toContain('Email is not an email address')
    const backup = await subscriptions(['imports', 'backup', number])
    expect(backup.stdout.trim().split('\r\n')[1]).toContain('R1,,,,Ann,,,,,,,,Fowey')
    const rejects = await subscriptions(['imports', 'rejects', number, '--output', 'bad.csv'])
    expect(rejects.exit).toBe(0)
    expect(readFileSync(join(cwd, 'bad.csv'), 'utf8')).toContain('R2,,bad,3,Email')
    const dry = await subscriptions(['imports', 'undo', number, '--dry-run', '--json'])
    expect(JSON.parse(dry.stdout)).toMatchObject({ removed: 1, restored: 1, broughtBack: 0, leftAlone: 0 })
    expect(await citiesOf()).toContain('R1 Leeds')
    await expect(subscriptions(['imports', 'undo', number])).resolves.toMatchObject({ exit: 2, stdout: '' })
    const undone = await subscriptions(['imports', 'undo', number, '--yes'])
    expect(undone).toMatchObject({ exit: 0, stdout: expect.stringContaining('for 2 readers') })
    expect(await citiesOf()).toBe('R1 Fowey, R2 Fowey, R3 Fowey')
    expect(await lastImport()).toMatch(/: 1 added, 1 rejected \(undone\)$/)
    await expect(subscriptions(['imports', 'undo', number, '--yes'])).resolves.toMatchObject({ exit: 5 })
    await expect(subscriptions(['imports', 'backup', number])).resolves.toMatchObject({ exit: 4, stdout: '' })
  })

  it('refuses a file for rejected rows that cannot be written before it reads anything', async () => {
    const name = saveFile('half.csv', 'UniqueReference,FullName,Email\nH1,Ann,\nH2,Bo,nonsense\n')
    // No directory that even root may write to.
    const refused = await importFile(name, '--rejects', '/proc/half.rejected.csv')
    expect([0, 3]).not.toContain(refused.exit)
    expect(refused.stderr).toContain('/proc/half.rejected.csv')
    expect(await citiesOf()).toBe('')
    expect(JSON.parse((await listImports()).stdout)).toEqual([])
    expect(await importFile(name, '--rejects', 'half.rejected.csv')).toMatchObject({ exit: 3 })
    expect(readFileSync(join(cwd, 'half.rejected.csv'), 'utf8')).toContain('nonsense')
  })

  it('prints commands with the options that an import was started with', async () => {
    mkdirSync(join(cwd, 'maps'), { recursive: true })
    saveFile('maps/my map.json', '{"No":"UniqueReference"}')
    const lines = Array.from({ length: 3_000 }, (_, n) => `M${n},Reader ${n},${n === 2_999 ? 'nonsense' : ''}`).join(
      '\n',
    )
    saveFile('mapped.csv', `No,FullName,Email\n${lines}\n`)
    const stop = new AbortController()
    const stopped = await subscriptions(
      [
        'import',
        'mapped.csv',
        '--publication',
        handle,
        '--mode',
        'combine',
        '--map',
        'maps/my map.json',
        '--rejects',
        'out.csv',
      ],
      {
        signal: stop.signal,
        onStderr: (text) => (text.includes('Importing') ? stop.abort() : undefined),
        terminal: ['stderr'],
      },
    )
    expect(stopped).toMatchObject({ exit: 130 })
    expect(stopped.stderr).toContain(`subscriptions import --resume --publication ${handle} --rejects out.csv\n`)
    const resumed = await subscriptions(['import', '--resume', '--publication', handle, '--rejects', 'out.csv'])
    expect(resumed).toMatchObject({ exit: 3 })
    const next = `subscriptions import out.csv --publication ${handle} --mode combine --map 'maps/my map.json'\n`
    expect(resumed.stderr).toContain(`correct out.csv, then: ${next}`)
  })

  it('resumes a stopped import, and cancels one', async () => {
    const lines = Array.from({ length: 1_200 }, (_, n) => `S${n},Reader ${n}`).join('\n')
    const big = saveFile('big.csv', `UniqueReference,FullName\n${lines}\n`)
    await expect(subscriptions(['import', '--resume', '--publication', handle])).resolves.toMatchObject({ exit: 4 })
    // The settings are those that it was started with.
    for (const given of [['--mode', 'add'], ['--map', 'map.json'], ['--lenient'], ['--dry-run'], ['--file', big]]) {
      const refused = await subscriptions(['import', '--resume', '--publication', handle, ...given])
      expect([refused.exit, refused.stderr]).toEqual([
        2,
        expect.stringContaining('flag "--resume" cannot be used with'),
      ])
    }
    const interruptTask = () =>
      services.db.run(
        `UPDATE tasks SET state = 'interrupted', finished_at = NULL WHERE kind = 'import-readers'
           AND subject_id IN (SELECT id FROM uploads WHERE publication_id = :publicationId AND file_name = 'big.csv')`,
        { publicationId },
      )
    await importFile(big, '--mode', 'combine')
    await interruptTask()
    const shown = await subscriptions(['imports', 'show', await newest()])
    for (const command of ['import --resume', 'imports cancel', 'imports undo']) expect(shown.stderr).toContain(command)
    await expect(importFile(saveFile('other.csv', 'FullName\nAnn\n'))).resolves.toMatchObject({ exit: 0 })
    const resumed = await subscriptions(['import', '--resume', '--publication', handle, '--json'])
    expect(JSON.parse(resumed.stdout)).toMatchObject({ mode: 'combine', rows: 1_200, added: 1_200, resumedAt: 1_200 })
    await interruptTask()
    const number = String(JSON.parse(resumed.stdout).uploadId)
    const before = await databaseChecksum(services.db)
    expect(await subscriptions(['imports', 'cancel', number, '--dry-run'])).toMatchObject({
      exit: 0,
      stdout: `Would cancel import ${number}, which is interrupted, at row 1,200\n`,
    })
    expect(await databaseChecksum(services.db)).toBe(before)
    const cancelled = await subscriptions(['imports', 'cancel', number])
    expect(cancelled).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('cancelled; 1,200 readers added from 1,200 rows'),
      stderr: expect.stringContaining(`imports undo ${number}`),
    })
    expect(await subscriptions(['imports', 'cancel', number])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining(`fix: see what it did: subscriptions imports show ${number}`),
    })
    await expect(importFile(saveFile('third.csv', 'FullName\nBen\n'))).resolves.toMatchObject({ exit: 0 })
  })

  it('waits for an import to end and exits with its result', async () => {
    await importFile(saveFile('w.csv', 'UniqueReference,Email\nW1,\nW2,\n'))
    const number = await newest()
    const setTask = (state: string, failed: number, owner = `${hostname()} ${process.ppid} a`) =>
      services.db.transaction(async () => {
        await services.db.run('UPDATE uploads SET failed = :failed WHERE id = :number', { failed, number })
        await services.db.run(
          `UPDATE tasks SET state = :state, owner = :owner, lease_until = :leaseUntil WHERE kind = 'import-readers' AND subject_id = :number`,
          { state, owner, number, leaseUntil: new Date(Date.now() + 3_600_000) },
        )
      })
    for (const [state, failed, exit] of [
      ['done', 0, 0],
      ['done', 2, 3],
      ['cancelled', 0, 1],
      ['failed', 0, 1],
    ] as const) {
      await setTask('running', 0)
      const progressShown = deferred()
      const waiting = subscriptions(['imports', 'wait', number, '--no-color'], {
        terminal: ['stderr'],
        onStderr: (text) => {
          if (text.includes('2 of 2 rows')) progressShown.resolve()
        },
      })
      await progressShown.promise
      await setTask(state, failed)
      expect((await waiting).exit).toBe(exit)
    }
    await setTask('running', 0, `${hostname()} 4194399 a`)
    expect(await subscriptions(['imports', 'wait', number])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining(`Import ${number} is interrupted`),
    })
    await setTask('done', 0)
    expect(await subscriptions(['imports', 'wait', number, '--quiet'])).toEqual({ exit: 0, stdout: '', stderr: '' })
  })

  it('does not count an import as done while its undo is interrupted, and says how to resume the undo', async () => {
    await importFile(saveFile('u.csv', 'UniqueReference,FullName\nU1,Ann\n'))
    const number = await newest()
    await subscriptions(['imports', 'undo', number, '--yes'])
    const wait = () => subscriptions(['imports', 'wait', number, '--quiet'])
    expect(await wait()).toMatchObject({ exit: 0 })
    await services.db.run(
      `UPDATE tasks SET state = 'interrupted', finished_at = NULL WHERE kind = 'undo-import' AND subject_id = :number`,
      { number },
    )
    expect(await wait()).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining(`fix: resume the undo: subscriptions imports undo ${number}`),
    })
  })

  it('refuses a value that is not a number', async () => {
    for (const command of ['show', 'wait', 'undo', 'cancel', 'backup', 'rejects']) {
      await expect(subscriptions(['imports', command, 'twelve'])).resolves.toMatchObject({ exit: 2, stdout: '' })
      await expect(subscriptions(['imports', command])).resolves.toMatchObject({ exit: 2 })
    }
  })
})
