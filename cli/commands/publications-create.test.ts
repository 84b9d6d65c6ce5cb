import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { makePublication, makeUser } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
  const { id } = await makeUser(services, { email: 'ann@example.test' })
  await services.db.run(`UPDATE accounts SET number_of_publications = 2 WHERE user_id = :id`, { id })
  await makeUser(services, { userType: 'pubadmin', email: 'staff@example.test', parentPublisherId: id })
})

const createArgs = (...more: string[]) => [
  'publications',
  'create',
  '--issues',
  '10',
  '--email',
  'hello@example.test',
  '--order-email',
  'orders@example.test',
  ...more,
]

function writePublicationFile(fields: unknown): string {
  const file = join(services.dataDir, 'publication.json')
  writeFileSync(file, typeof fields === 'string' ? fields : JSON.stringify(fields))
  return file
}

describe('publications rename', () => {
  it('previews in a dry run, renames, and refuses a handle that is taken', async () => {
    const { urlKey } = await makePublication(services)
    const { urlKey: taken } = await makePublication(services)
    const rename = (...argv: string[]) => runCli(['publications', 'rename', ...argv], { env })
    const before = await databaseChecksum(services.db)
    expect(await rename(urlKey, 'the-orchard', '--dry-run')).toMatchObject({
      exit: 0,
      stdout: `Would rename /${urlKey} to /the-orchard; nothing was changed\n`,
    })
    expect(await databaseChecksum(services.db)).toBe(before)
    const refused = await rename(urlKey, taken)
    expect(refused).toMatchObject({ exit: 5, stderr: expect.stringContaining('error: <new-handle>: That handle has') })
    expect(await rename('no-such-handle', 'the-orchard')).toMatchObject({ exit: 4 })
    expect(await rename(urlKey, 'the-orchard')).toMatchObject({ exit: 0, stdout: `✓ /${urlKey} is now /the-orchard\n` })
  })
})

describe('publications create', () => {
  it('previews in a dry run, then adds, with the handle made from the name', async () => {
    const args = createArgs('--publisher', 'ann@example.test', '--name', 'The Gardener & Co')
    const before = await databaseChecksum(services.db)
    const dryRun = await runCli([...args, '--dry-run'], { env })
    expect(dryRun).toMatchObject({ exit: 0, stdout: expect.stringContaining('Would add The Gardener & Co') })
    expect(await databaseChecksum(services.db)).toBe(before)
    const added = await runCli(args, { env })
    expect(added).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/Added The Gardener & Co[\s\S]*the-gardener-co/),
    })
    expect(added.stderr).toContain('subscriptions publications show the-gardener-co')
    const again = await runCli([...args, '--json'], { env })
    expect(again.exit).toBe(5)
    expect(JSON.parse(again.stdout).error.fields).toEqual({
      '--handle': 'That handle has already been taken. Please try another.',
    })
  })

  it('reads prices from a file under their API names, as a member of the publisher’s staff', async () => {
    const file = writePublicationFile({
      publicationName: 'The Angler',
      publicationPerYear: 4,
      urlKey: 'angler',
      emailAddress: 'a@example.test',
      orderEmailAddress: 'b@example.test',
      printPriceOneYear: '29.99',
      printSubFree: false,
      priceUS: 3.5,
    })
    const args = ['publications', 'create', '--as', 'staff@example.test', '--file', file]
    const wrong = await runCli(
      [
        'publications',
        'create',
        '--as',
        'staff@example.test',
        '--file',
        writePublicationFile({ printPriceOneYaer: 1 }),
      ],
      { env },
    )
    expect(wrong).toMatchObject({ exit: 2, stderr: expect.stringContaining('did you mean "printPriceOneYear"?') })
    writePublicationFile({
      publicationName: 'X',
      publicationPerYear: 1,
      emailAddress: 'a@b.test',
      orderEmailAddress: 'a@b.test',
      priceUS: '29,99',
    })
    const refused = await runCli([...args, '--json'], { env })
    expect(JSON.parse(refused.stdout).error.fields).toEqual({ priceUS: 'Must be an amount such as 29.99' })
    writePublicationFile({
      publicationName: 'The Angler',
      publicationPerYear: 4,
      urlKey: 'angler',
      emailAddress: 'a@example.test',
      orderEmailAddress: 'b@example.test',
      printPriceOneYear: '29.99',
      priceUS: 3.5,
    })
    const added = await runCli([...args, '--json'], { env })
    expect(JSON.parse(added.stdout)).toMatchObject({ dryRun: false, id: expect.any(Number), urlKey: 'angler' })
    const shown = JSON.parse((await runCli(['publications', 'show', 'angler', '--json'], { env })).stdout)
    expect(shown.prices.map(({ amount }: { amount: number }) => amount).sort()).toEqual([2999, 350])
    const listed = await runCli(['publications', 'list', '--as', 'staff@example.test'], { env })
    expect(listed.stderr).toContain('2 of 2 titles')
  })

  it('refuses missing fields, a user who is not a publisher, --as with --publisher, a full quota and a broken file', async () => {
    const missing = await runCli(['publications', 'create', '--name', 'X'], { env })
    expect(missing).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--publisher, --issues, --email, --order-email'),
    })
    const staff = await runCli(createArgs('--publisher', 'staff@example.test', '--name', 'X'), { env })
    expect(staff).toMatchObject({ exit: 2, stderr: expect.stringContaining('is not a publisher') })
    const both = await runCli(
      createArgs('--as', 'ann@example.test', '--publisher', 'ann@example.test', '--name', 'X'),
      {
        env,
      },
    )
    expect(both.exit).toBe(2)
    const full = await runCli(createArgs('--as', 'ann@example.test', '--name', 'One too many'), { env })
    expect(full).toMatchObject({ exit: 5, stderr: expect.stringContaining('Publication Quota Met') })
    const broken = await runCli(createArgs('--as', 'ann@example.test', '--file', writePublicationFile('{"a":')), {
      env,
    })
    expect(broken).toMatchObject({ exit: 2, stderr: expect.stringContaining('is not JSON') })
  })

  it('prompts on a terminal for required values', async () => {
    await makeUser(services, { email: 'ben@example.test' })
    const prompted = await runCli(['publications', 'create', '--no-color'], {
      env,
      terminal: ['stdin', 'stdout', 'stderr'],
      stdin: 'ben@example.test\nBen’s Own\n12\nben@example.test\nben@example.test\n',
    })
    expect(prompted).toMatchObject({ exit: 0, stdout: expect.stringContaining('bens-own') })
  })
})
