import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { undoMerges } from '#core/duplicates/undo-merges.ts'
import { countedKeys } from '#core/warnings/warnings.rules.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { copyReader, makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'

let services: TestServices
let env: Record<string, string>
beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
})

let handle = ''
let publicationCount = 0
let readers: Record<'ann' | 'anne' | 'bob' | 'jan' | 'gap', number>

beforeEach(async () => {
  handle = `checked-${++publicationCount}`
  const { id } = await makePublication(services, { urlKey: handle })
  const reader = (uniqueReference: string, fields: object) =>
    makeReader(services, id, { uniqueReference, subEndOn: '2028-01-01', addressOne: uniqueReference, ...fields })
  const ann = { fullName: 'Ann Lee', firstName: 'Ann', lastName: 'Lee', postCode: 'PL23 1AT', email: 'lee@example.org' }
  readers = {
    ann: await reader('A1', { ...ann, subPaid: 1200 }),
    anne: await reader('A2', ann),
    bob: await reader('A3', { ...ann, fullName: 'Bob Lee', firstName: 'Bob' }),
    jan: await reader('J1', { fullName: 'Dr Jan van der Berg', postCode: 'EX1 1AA' }),
    gap: await reader('G1', {
      firstName: 'Gus',
      lastName: 'Gap',
      addressOne: '',
      addressTwo: '2 Quay',
      postCode: 'EX1 1AB',
    }),
  }
})

const run = (...words: string[]) => runCli([words[0] as string, ...words.slice(1), '--publication', handle], { env })
const cells = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))

describe('check', () => {
  it('prints the count of every list, as text and as JSON', async () => {
    const { exit, stdout } = await run('check')
    expect(exit).toBe(0)
    const counts = Object.fromEntries(cells(stdout).map(([key, , count]) => [key, count]))
    expect(counts).toMatchObject({ nofullname: '1', nofirstname: '1', badaddressdata: '1', nopostcode: '0' })
    expect(counts).toMatchObject({ duplicatefullname: '1', duplicatelastname: '1', duplicateemails: '1' })
    const { lists } = JSON.parse((await run('check', '--json')).stdout)
    expect(lists.map(({ key }: { key: string }) => key)).toEqual(countedKeys)
    expect(lists[0]).toEqual({ key: 'nofullname', kind: 'warning', label: 'Empty Full Names', count: 1 })
  })

  it('writes the readers of one list, and refuses an unknown list', async () => {
    const file = join(services.dataDir, `${handle}.csv`)
    const { exit, stderr } = await run('check', '--list', 'badaddressdata', '--output', file)
    expect([exit, stderr]).toEqual([0, expect.stringContaining('Wrote 1 reader')])
    expect(readFileSync(file, 'utf8')).toContain('G1')
    expect(await run('check', '--list', 'moon')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('nopostcode'),
    })
    expect(await run('check', '--output', file)).toMatchObject({ exit: 2 })
  })
})

describe('fix', () => {
  it('shows what it would do, then asks for confirmation, does it, and undoes it', async () => {
    const before = await databaseChecksum(services.db)
    const dry = await run('fix', 'names', '--dry-run')
    expect(dry).toMatchObject({ exit: 0, stdout: expect.stringContaining('Dr | Jan | van der Berg') })
    expect(dry.stderr).toContain('Would fix 1 of 1 reader')
    expect(await run('fix', 'names')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') })
    expect(await databaseChecksum(services.db)).toBe(before)
    const applied = await run('fix', 'names', '--yes')
    expect(applied).toMatchObject({ exit: 0, stderr: expect.stringContaining('Fixed 2 readers') })
    expect(await readerRow(services, readers.jan)).toMatchObject({
      title: 'Dr',
      first_name: 'Jan',
      last_name: 'van der Berg',
    })
    expect(await readerRow(services, readers.gap)).toMatchObject({ full_name: 'Gus Gap' })
    const fixNumber = /Undo name-fields: subscriptions fix --undo (\d+)/.exec(applied.stderr)?.[1] ?? ''
    const fixed = await databaseChecksum(services.db)
    expect(await runCli(['fix', '--undo', fixNumber, '--dry-run'], { env })).toMatchObject({
      exit: 0,
      stderr: 'Would undo: 1 reader restored; 0 not restored (changed since the fix)\n',
    })
    expect(await databaseChecksum(services.db)).toBe(fixed)
    expect(await runCli(['fix', '--undo', fixNumber, '--yes'], { env })).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('1 reader restored'),
    })
    expect(await readerRow(services, readers.jan)).toMatchObject({ first_name: '' })
    expect(await runCli(['fix', '--undo', fixNumber, '--yes'], { env })).toMatchObject({ exit: 5 })
  })

  it('fixes addresses and prints JSON', async () => {
    const { exit, stdout } = await run('fix', 'addresses', '--yes', '--json')
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      0,
      { left: 0, fixes: [{ kind: 'addresses', state: 'done', fixed: 1 }] },
    ])
    expect(await readerRow(services, readers.gap)).toMatchObject({ address_one: '2 Quay', address_two: '' })
  })

  it('prints how to resume a run that was stopped, and resumes it', async () => {
    const [{ id } = { id: 0 }] = await services.db.query<{ id: number }>(
      `SELECT id FROM publications WHERE url_key = :handle`,
      { handle },
    )
    await copyReader(services, await makeReader(services, id, { firstName: 'Kay', lastName: 'Ott' }), 510)
    // Interrupted before the first list: one JSON value on stdout, the reason on stderr.
    const early = new AbortController()
    const unfixed = await runCli(['fix', 'names', '--yes', '--publication', handle, '--json', '--verbose'], {
      env,
      signal: early.signal,
      onStderr: (text) => /previewing/.test(text) && early.abort(),
    })
    expect(unfixed).toMatchObject({
      exit: 130,
      stderr: expect.stringMatching(/error: Interrupted; \d lists? not fixed/),
    })
    expect(JSON.parse(unfixed.stdout)).toMatchObject({ fixes: [] })
    const stop = new AbortController()
    const stopped = await runCli(['fix', 'names', '--yes', '--publication', handle], {
      env,
      signal: stop.signal,
      onStderr: (text) => /500/.test(text) && stop.abort(),
    })
    expect(stopped).toMatchObject({
      exit: 130,
      stderr: expect.stringContaining('Interrupted after fixing 500 readers'),
    })
    const fixNumber = /subscriptions fix --resume (\d+)/.exec(stopped.stderr)?.[1] ?? ''
    const interrupted = await databaseChecksum(services.db)
    const dry = await runCli(['fix', '--resume', fixNumber, '--dry-run', '--json'], { env })
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, state: 'done', fixed: 512, left: 0 })
    expect(await databaseChecksum(services.db)).toBe(interrupted)
    expect(await runCli(['fix', '--resume', fixNumber, '--yes'], { env })).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('Fixed 512 readers'),
    })
    expect(await runCli(['fix', '--resume', fixNumber, '--yes'], { env })).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('cannot be resumed'),
    })
  })

  it('refuses unknown values', async () => {
    expect(await run('fix', 'moon')).toMatchObject({ exit: 2, stderr: expect.stringContaining('names or addresses') })
    expect(await run('fix')).toMatchObject({ exit: 2 })
    expect(await runCli(['fix', '--undo', 'one'], { env })).toMatchObject({ exit: 2 })
    expect(await runCli(['fix', '--undo', '99999', '--resume', '99998', '--yes'], { env })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--resume'),
    })
    expect(await runCli(['fix', '--undo', '99999', '--yes'], { env })).toMatchObject({ exit: 4 })
  })
})

describe('dedupe by exact duplicates', () => {
  const dedupe = (by: string, ...flags: string[]) => run('dedupe', '--by', by, ...flags)

  it.each([
    ['full-name', ['A1', 'A2']],
    ['surname', ['A1', 'A2', 'A3']],
    ['postcode', ['A1', 'A2', 'A3']],
    ['email', ['A1', 'A2', 'A3']],
  ])('lists the groups with the same %s', async (by, references) => {
    const { exit, stdout, stderr } = await dedupe(by)
    expect([exit, cells(stdout).map(([, reference]) => reference)]).toEqual([0, references])
    expect(stderr).toContain(`1 group of readers of ${handle} with the same ${by}`)
    const { groups } = JSON.parse((await dedupe(by, '--json')).stdout)
    expect(groups).toMatchObject([{ count: references.length }])
  })

  it('merges the same name at the same postcode, keeps the paid subscription, and can undo the run', async () => {
    const dry = await dedupe('full-name', '--apply', '--dry-run')
    expect(dry).toMatchObject({ exit: 0, stderr: expect.stringContaining('Would merge 1 group') })
    const argv = ['dedupe', '--publication', handle, '--by', 'full-name', '--apply', '--no-color']
    const refused = await runCli(argv, { env, terminal: ['stdin', 'stderr'], stdin: 'n\n' })
    expect(refused).toMatchObject({
      exit: 130,
      stderr: expect.stringContaining(`Merge 1 group of ${handle} with the same full-name, and remove 1 reader? (y/N)`),
    })
    expect(await readerRow(services, readers.anne)).toBeDefined()
    const { stdout } = await dedupe('full-name', '--apply', '--yes', '--json')
    const merge = JSON.parse(stdout)
    expect(merge).toMatchObject({ groups: 1, merged: 1, left: 0, removed: 1 })
    expect(await readerRow(services, readers.anne)).toBeUndefined()
    expect(await readerRow(services, readers.ann)).toMatchObject({ sub_paid: 1200 })
    await undoMerges(services.as(operator), { batchId: merge.batch })
    await runWorker(services)
    expect(await readerRow(services, readers.anne)).toMatchObject({ full_name: 'Ann Lee' })
  })

  it('does not merge two people who share a mailbox, nor a household or family', async () => {
    const { stdout } = await dedupe('email', '--apply', '--yes', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ groups: 1, merged: 0, left: 1, removed: 0 })
    expect(await readerRow(services, readers.bob)).toBeDefined()
    expect(await dedupe('surname', '--apply', '--yes')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('family'),
    })
    expect(await dedupe('email', '--min-confidence', '0.9')).toMatchObject({ exit: 2 })
  })

  it('does not merge readers marked as different people', async () => {
    const [{ id } = { id: 0 }] = await services.db.query<{ id: number }>(
      `SELECT id FROM publications WHERE url_key = :handle`,
      {
        handle,
      },
    )
    await services.db.run(
      `INSERT INTO readers_apart (publication_id, reader_a, reader_b, actor_kind, said_at) VALUES (:id, :a, :b, 'operator', :now)`,
      { id, a: readers.ann, b: readers.anne, now: new Date() },
    )
    expect(JSON.parse((await dedupe('full-name', '--apply', '--yes', '--json')).stdout)).toMatchObject({
      merged: 0,
      left: 1,
    })
  })
})

describe('readers remove --list', () => {
  const remove = (...words: string[]) => run('readers', 'remove', ...words)
  const restore = (...words: string[]) => runCli(['readers', 'restore', ...words], { env })

  it('shows who would be removed, removes them after confirmation, and restores them by the number', async () => {
    const before = await databaseChecksum(services.db)
    const preview = await remove('--list', 'nofullname', '--dry-run')
    expect(preview).toMatchObject({ exit: 0, stdout: expect.stringContaining('G1\tGus Gap') })
    expect(preview.stderr).toContain(`Would remove 1 reader of ${handle}`)
    expect(
      JSON.parse((await remove('--list', 'all', '--filter', 'nobody', '--dry-run', '--json')).stdout),
    ).toMatchObject({
      readers: 0,
      references: [],
    })
    expect(JSON.parse((await remove('--list', 'all', '--filter', 'ann', '--dry-run', '--json')).stdout)).toEqual({
      publication: handle,
      list: 'all',
      dryRun: true,
      readers: 2,
      references: expect.arrayContaining(['A1', 'A2']),
    })
    expect((await remove('--list', 'nofullname')).stderr).toContain('--yes')
    expect(await databaseChecksum(services.db)).toBe(before)
    const removed = await remove('--list', 'all', '--filter', 'ann', '--yes')
    expect(removed).toMatchObject({ exit: 0, stderr: expect.stringContaining('Removed 2 readers') })
    const number = removed.stderr.match(/restore --removal (\d+)/)?.[1] ?? ''
    expect(await readerRow(services, readers.ann)).toBeUndefined()
    expect(await readerRow(services, readers.bob)).toBeDefined()
    expect((await restore('--removal', number, '--dry-run')).stderr).toContain('Would restore 2 readers')
    expect(await readerRow(services, readers.ann)).toBeUndefined()
    expect((await restore('--removal', number)).stderr).toContain('Restored 2 readers')
    expect(await readerRow(services, readers.ann)).toMatchObject({ unique_reference: 'A1' })
    expect(await restore('--removal', number)).toMatchObject({ exit: 4 })
  })

  it('removes a long list while the terminal waits', async () => {
    await copyReader(services, readers.gap, 2100)
    const { exit, stdout } = await remove('--list', 'nofullname', '--yes', '--json')
    expect(exit).toBe(0)
    const { id, ...removal } = JSON.parse(stdout)
    expect(removal).toEqual({ dryRun: false, state: 'done', removed: 2101, left: 0 })
    expect(JSON.parse((await restore('--removal', String(id), '--json')).stdout)).toEqual({
      id,
      dryRun: false,
      restored: 2101,
      left: 0,
    })
    expect(await remove('--list', 'nofullname', '--dry-run')).toMatchObject({
      stderr: expect.stringContaining('Would remove 2,101 readers'),
    })
  })

  it('says what is wrong with its flags', async () => {
    const wrong: [string[], string][] = [
      [['--list', 'nobody'], 'choose one of: nofullname'],
      [['--filter', 'x'], '--filter needs --list'],
      [['A1', '--list', 'all'], 'a reader and a list cannot be combined'],
      [['--resume', 'x'], '--resume x is not a number'],
      [['--resume', '1', '--list', 'all'], 'use --resume alone'],
    ]
    for (const [words, message] of wrong)
      expect(await remove(...words)).toMatchObject({ exit: 2, stderr: expect.stringContaining(message) })
    expect(await restore('7', '--removal', '8')).toMatchObject({ exit: 2 })
    expect(await remove('--resume', '999999', '--yes')).toMatchObject({ exit: 4 })
  })
})
