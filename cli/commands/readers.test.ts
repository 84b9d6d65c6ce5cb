import { beforeAll, describe, expect, it } from 'vitest'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { makePublication } from '#tests/support/factories.ts'
import { copyReader, makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
let readerId: number
beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
  const publication = await makePublication(services, { publicationName: 'Quay Life', urlKey: 'quay-life' })
  readerId = await makeReader(services, publication.id, {
    uniqueReference: 'QL1',
    firstName: 'Ida',
    lastName: 'Finch',
    email: 'ida@finch.test',
    postCode: 'CT11 8AB',
  })
  await makeReader(services, publication.id, { uniqueReference: 'QL2', lastName: 'Wren' })
  await makeReader(services, publication.id, { uniqueReference: 'QL3', lastName: 'Heron', subEndOn: '2100-01-01' })
})

const readers = (...argv: string[]) => runCli(['readers', ...argv, '--publication', 'quay-life'], { env })
const storedReader = () => readerRow(services, readerId)

describe('readers', () => {
  it('are searched by prefix and looked up one by one', async () => {
    const matches = await readers('search', '--last-name', 'FIN')
    expect(matches).toMatchObject({ exit: 0, stderr: '' })
    expect(matches.stdout).toBe('QL1\tIda Finch\t\tida@finch.test\tCT11 8AB\tprint\t2026-12-31\tcurrent\n')
    const onScreen = (name: string) =>
      runCli(['readers', 'search', '--publication', 'quay-life', '--last-name', name], {
        env,
        columns: 200,
        terminal: ['stdout'],
      })
    expect((await onScreen('finch')).stdout).toMatch(/ print +31\/12\/2026 +current\n/)
    expect((await onScreen('heron')).stdout).toMatch(/ print +until further notice +current\n/)
    expect((await readers('search', '--last-name', 'finch', '--postcode', 'LS', '--json')).stdout).toBe('[]\n')
    expect(await readers('search')).toMatchObject({ exit: 2, stdout: '' })
    const shown = await readers('show', 'QL1')
    expect(shown.stdout).toMatch(/Subscription\s+print, 01\/01\/2026 to 31\/12\/2026/)
    expect((await readers('show', 'QL3')).stdout).toMatch(/Subscription\s+print, 01\/01\/2026 until further notice/)
    expect(JSON.parse((await readers('show', 'QL1', '--json')).stdout)).toMatchObject({
      id: readerId,
      email: 'ida@finch.test',
    })
    expect(await readers('show', 'QL9')).toMatchObject({ exit: 4, stderr: expect.stringContaining('QL9') })
  })

  it('are all listed in a pipe; a terminal lists the first 200 and says how many more there are', async () => {
    const { id: publicationId } = await makePublication(services, { urlKey: 'long-list' })
    const first = await makeReader(services, publicationId, { uniqueReference: 'LL1', lastName: 'Moss' })
    await copyReader(services, first, 1_249)
    const search = (flags: string[], more: Parameters<typeof runCli>[1] = {}) =>
      runCli(['readers', 'search', '--publication', 'long-list', '--last-name', 'moss', ...flags], { env, ...more })
    const piped = await search([])
    expect(piped.stdout.trimEnd().split('\n')).toHaveLength(1_250)
    expect(JSON.parse((await search(['--json'])).stdout)).toHaveLength(1_250)
    const shown = await search([], { terminal: ['stdout'] })
    expect(shown.stdout.trimEnd().split('\n')).toHaveLength(201)
    expect(shown.stderr).toBe('... and 1,050 more readers; a pipe or --json lists all\n')
    const stop = new AbortController()
    stop.abort()
    expect(await search([], { signal: stop.signal })).toMatchObject({ exit: 130, stdout: '' })
  })

  it('are added and changed by the column names of reader files; a dry run changes nothing', async () => {
    const dry = await readers('add', '--set', 'LastName=Dry', '--dry-run')
    expect(dry.stdout).toMatch(/^Would add QL\d{7}\n$/)
    expect((await readers('search', '--last-name', 'dry', '--json')).stdout).toBe('[]\n')
    const added = await readers(
      'add',
      '--set',
      'lastname=Nightingale',
      'SubExpiry=31/12/2027',
      'Sub Type=print',
      '--json',
    )
    const { uniqueReference } = JSON.parse(added.stdout) as { uniqueReference: string }
    expect((await readers('show', uniqueReference)).stdout).toMatch(/to 31\/12\/2027/)
    expect((await readers('edit', 'QL1', '--set', 'City=Leeds', '--set', 'Fax=', '--dry-run')).stdout).toBe(
      'Would change City of QL1\n',
    )
    expect(await storedReader()).toMatchObject({ city: '', version: 1 })
    expect((await readers('edit', 'QL1', '--set', 'City=Leeds')).stdout).toContain('Changed City of QL1')
    expect((await readers('edit', 'QL1', '--set', 'City=Leeds')).stdout).toContain('QL1 already has these values')
    expect(await storedReader()).toMatchObject({ city: 'Leeds', version: 2 })
  })

  it('are refused with the flag of a wrong value, or with the readers they are similar to', async () => {
    const wrong = await readers('edit', 'QL1', '--set', 'SubExpiry=31/02/2026')
    expect(wrong).toMatchObject({ exit: 2, stdout: '' })
    expect(wrong.stderr).toContain('--set SubExpiry')
    const early = await readers('add', '--set', 'LastName=Early', 'SubExpiry=31/05/1969')
    expect(early).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('SubExpiry: Must not be before 01/01/1970'),
    })
    expect((await readers('add', '--set', 'LatName=x')).stderr).toContain('did you mean LastName?')
    const similar = await readers('add', '--set', 'Email=ida@finch.test', '--unless-similar')
    expect(similar).toMatchObject({ exit: 5, stdout: '' })
    expect(similar.stderr).toMatch(/QL1 .*same email/)
  })

  it('are deactivated, reactivated, removed after confirmation, and restored', async () => {
    expect((await readers('deactivate', 'QL1')).stdout).toContain('Deactivated QL1')
    expect((await readers('deactivate', 'QL1')).stdout).toContain('is already deactivated')
    expect((await readers('reactivate', 'QL1')).stdout).toContain('Reactivated QL1')
    const unconfirmed = await readers('remove', 'QL1')
    expect(unconfirmed).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') })
    expect((await readers('remove', 'QL1', '--yes')).stdout).toContain('Removed QL1')
    expect(await storedReader()).toBeUndefined()
    expect((await runCli(['readers', 'restore', String(readerId)], { env })).stdout).toContain(
      `Restored reader ${readerId}`,
    )
    expect(await storedReader()).toMatchObject({ unique_reference: 'QL1' })
  })
})
