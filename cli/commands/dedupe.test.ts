import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findLikelyDuplicates } from '#core/duplicates/find-likely-duplicates.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
})

let handle = ''
let publicationCount = 0
let readers: number[] = []
beforeEach(async () => {
  handle = `deduped-${++publicationCount}`
  const { id } = await makePublication(services, { urlKey: handle })
  const robert = {
    firstName: 'Robert',
    lastName: 'Thompson',
    addressOne: '14 Mill Street',
    city: 'Fowey',
    postCode: 'PL23 1AQ',
  }
  readers = [
    await makeReader(services, id, { ...robert, uniqueReference: 'A1', email: 'bob@example.org' }),
    await makeReader(services, id, { ...robert, uniqueReference: 'A2', lastName: 'Thomson', email: 'bob@example.org' }),
    await makeReader(services, id, { ...robert, uniqueReference: 'A3', title: 'Mrs', firstName: 'Joan' }),
  ]
})

const dedupe = (...flags: string[]) => runCli(['dedupe', '--publication', handle, '--by', 'likely', ...flags], { env })

describe('dedupe --by likely', () => {
  it('lists the groups with their reasons, a line for each reader, and changes nothing', async () => {
    const { exit, stdout, stderr } = await dedupe()
    expect(exit).toBe(0)
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(lines.map(([group, , reference]) => [group, reference])).toEqual([
      ['1', 'A1'],
      ['1', 'A2'],
    ])
    expect(stdout).toContain('similar surname: Thompson / Thomson')
    expect(stderr).toContain('1 group of likely duplicates among 3 readers')
    expect(await readerRow(services, readers[1] as number)).toMatchObject({ version: 1 })
  })

  it('prints the same as JSON', async () => {
    const { stdout } = await dedupe('--json')
    expect(JSON.parse(stdout)).toMatchObject({
      publication: handle,
      readers: 3,
      groups: [{ confidence: expect.any(Number), readers: [{ uniqueReference: 'A1' }, { uniqueReference: 'A2' }] }],
    })
  })

  it('prints what it learned from the list', async () => {
    const [first] = readers
    const row = await readerRow(services, first as number)
    const publicationId = Number(row?.publication_id)
    for (let index = 0; index < 14; index++) {
      await makeReader(services, publicationId, {
        firstName: `Ida${index}`,
        lastName: 'Finch',
        email: 'office@example.org',
      })
    }
    const ignoredEmail = 'an email that many readers share is ignored'
    expect((await dedupe()).stderr).toContain(ignoredEmail)
    const { learned } = JSON.parse((await dedupe('--json')).stdout) as { learned: string[] }
    expect(learned).toEqual(expect.arrayContaining([expect.stringContaining(ignoredEmail)]))
  })

  it('shows what it would merge, asks for confirmation, and merges', async () => {
    const dry = await dedupe('--apply', '--dry-run')
    expect(dry).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining(`Would merge 1 group of ${handle} and remove 1 reader`),
    })
    expect(dry.stderr).not.toContain('groups, searching')
    expect(await dedupe('--apply')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') })
    const terminal: ('stdin' | 'stderr')[] = ['stdin', 'stderr']
    const refused = await runCli(['dedupe', '--publication', handle, '--by', 'likely', '--apply', '--no-color'], {
      env,
      terminal,
      stdin: 'n\n',
    })
    expect(refused).toMatchObject({
      exit: 130,
      stderr: expect.stringMatching(/Merge 1 group of .*, and remove 1 reader\? \(y\/N\)/),
    })
    expect(await readerRow(services, readers[1] as number)).toBeDefined()
    const { exit, stdout } = await dedupe('--apply', '--yes', '--json')
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { groups: 1, merged: 1, removed: 1, left: 0 }])
    expect(await readerRow(services, readers[1] as number)).toBeUndefined()
    const again = await dedupe('--apply', '--yes')
    expect(again).toMatchObject({ exit: 0, stderr: expect.stringContaining('high enough confidence') })
  })

  it('rejects invalid values, and reports a search that is running', async () => {
    expect(await dedupe('--min-confidence', '0.2', '--apply')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('not between 0.5 and 1'),
    })
    expect(await dedupe('--min-confidence', '0.1')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('not between 0.2 and 1'),
    })
    expect(await dedupe('--min-confidence', '97')).toMatchObject({ exit: 2, stderr: expect.stringContaining('0.97') })
    expect(await runCli(['dedupe', '--publication', handle, '--by', 'moon'], { env })).toMatchObject({ exit: 2 })
    const [{ id } = { id: 0 }] = await services.db.query<{ id: number }>(
      `SELECT id FROM publications WHERE url_key = :handle`,
      { handle },
    )
    await findLikelyDuplicates(services.as(operator), { publicationId: id })
    expect(await dedupe()).toMatchObject({ exit: 5, stderr: expect.stringContaining('is running') })
  })
})
