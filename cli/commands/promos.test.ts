import { beforeAll, describe, expect, it } from 'vitest'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { makePromo, makePublication, makeUser } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
let titleCount = 0
const terminal: ('stdin' | 'stdout' | 'stderr')[] = ['stdin', 'stdout', 'stderr']
beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
})

/** Makes a publication for one test. */
async function makeTitle(): Promise<{ handle: string; id: number; publisherId: number }> {
  const handle = `promo-title-${++titleCount}`
  const { id, publisherId } = await makePublication(services, { urlKey: handle })
  return { handle, id, publisherId }
}

const promos = (...argv: string[]) => runCli(['promos', ...argv], { env })
const listOf = async (handle: string) =>
  JSON.parse((await promos('list', '--publication', handle, '--json')).stdout) as Record<string, unknown>[]

describe('promos create', () => {
  it('creates a code from flags, and prints its effect and its link', async () => {
    const { handle } = await makeTitle()
    const flags = ['--code', 'SPRING25', '--name', 'Spring', '--discount', '25', '--ends', '31-12-2099', '--uses', '50']
    const { exit, stdout, stderr } = await promos(
      'create',
      '--publication',
      handle,
      ...flags,
      '--products',
      'print:12,6',
      'digital',
    )
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `Next: subscriptions promos list --publication ${handle}\n` })
    expect(stdout).toMatch(/^✓ Created SPRING25\n/)
    expect(stdout).toContain('print (one year and six months) and digital')
    expect(stdout).toContain(`/${handle}?promo=SPRING25\n`)
    expect(await listOf(handle)).toMatchObject([
      {
        code: 'SPRING25',
        status: 'live',
        discountPercent: 25,
        used: 0,
        uses: 50,
        endsOn: '2099-12-31',
        applicableProducts: {
          print: { priceOneYear: true, priceSixMonths: true, priceThreeMonths: false },
          digital: { priceThreeMonths: true },
          bundle: { priceOneYear: false },
        },
      },
    ])
  })

  it('prompts on a terminal for missing values, and elsewhere names every missing flag', async () => {
    const { handle } = await makeTitle()
    const prompted = await runCli(['promos', 'create', '--publication', handle, '--no-color'], {
      env,
      terminal,
      stdin: 'ASKED\nAsked for\n10\n',
    })
    expect(prompted).toMatchObject({ exit: 0, stdout: expect.stringContaining('Created ASKED') })
    expect(await listOf(handle)).toMatchObject([{ name: 'Asked for', discountPercent: 10, uses: 0 }])
    const silent = await promos('create', '--discount', '10')
    expect(silent.exit).toBe(2)
    for (const flag of ['--publication', '--code', '--name']) expect(silent.stderr).toContain(flag)
    expect(silent.stderr).not.toContain('--discount')
  })

  it('reports errors by flag, and changes nothing on an error or in a dry run', async () => {
    const { handle, id } = await makeTitle()
    await makePromo(services, id, 'TAKEN')
    const before = await databaseChecksum(services.db)
    const createTaken = (...more: string[]) =>
      promos('create', '--publication', handle, '--code', 'taken', '--name', 'Twice', '--discount', '25', ...more)
    const wrong = await createTaken('--ends', 'soon', '--uses', '-1')
    expect(wrong.exit).toBe(2)
    for (const message of ['--code: This code is already in use', '--ends: Must be a date', '--uses: Must be from 0'])
      expect(wrong.stderr).toContain(message)
    expect(await createTaken()).toMatchObject({ exit: 5, stderr: expect.stringContaining('is already in use') })
    const products = await createTaken('--products', 'papyrus:12')
    expect(products).toMatchObject({ exit: 2, stderr: expect.stringContaining('--products print:12,6 digital') })
    const dry = await promos(
      ...[
        'create',
        '--publication',
        handle,
        '--code',
        'DRY',
        '--name',
        'Dry',
        '--discount',
        '5',
        '--dry-run',
        '--json',
      ],
    )
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, id: null, code: 'DRY', discountPercent: 5 })
    expect(await databaseChecksum(services.db)).toBe(before)
  })
})

describe('promos list', () => {
  it('prints codes in the first column when piped, headers on a terminal, and nothing of other publishers', async () => {
    const { handle, id, publisherId } = await makeTitle()
    await makePromo(services, id, 'FIRST', { uses: 9 })
    await makePromo(services, id, 'SECOND', { endsOn: '31-12-2099' })
    const piped = await promos('list', '--publication', handle)
    expect(piped.stdout.split('\n').map((line) => line.split('\t').slice(0, 4))).toEqual([
      ['SECOND', 'live', '25', '0/0'],
      ['FIRST', 'live', '25', '0/9'],
      [''],
    ])
    const shown = await runCli(['promos', 'list', '-p', handle, '--no-color'], {
      env,
      terminal: ['stdout'],
      columns: 90,
    })
    expect(shown.stdout).toMatch(/^CODE +STATUS +DISCOUNT +USED +STARTS/)
    expect(shown.stdout).toContain('0, Unlimited')
    const otherPublisher = await makeUser(services, { email: `other-${handle}@example.test` })
    await expect(promos('list', '-p', handle, '--as', otherPublisher.email)).resolves.toMatchObject({
      exit: 4,
      stdout: '',
    })
    const mailer = await makeUser(services, {
      userType: 'mailer',
      email: `mailer-${handle}@example.test`,
      parentPublisherId: publisherId,
    })
    await expect(promos('list', '-p', handle, '--as', mailer.email)).resolves.toMatchObject({ exit: 4, stdout: '' })
    const empty = await makeTitle()
    expect(await promos('list', '-p', empty.handle, '--json')).toEqual({ exit: 0, stdout: '[]\n', stderr: '' })
  })
})

describe('promos delete', () => {
  it('asks for confirmation, accepts the code in any case, and suggests the nearest', async () => {
    const { handle, id } = await makeTitle()
    await makePromo(services, id, 'SPRING25')
    const before = await databaseChecksum(services.db)
    const deletePromo = (...argv: string[]) => promos('delete', ...argv, '--publication', handle)
    await expect(deletePromo('spring25')).resolves.toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') })
    await expect(deletePromo('SPRNG25', '--yes')).resolves.toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('did you mean "SPRING25"?'),
    })
    const oldName = await promos('disable', 'spring25', '--dry-run', '--publication', handle)
    expect(oldName.stdout).toBe(`Would delete SPRING25 of ${handle} (used 0 times)\n`)
    await expect(deletePromo('spring25', '--dry-run')).resolves.toMatchObject({
      exit: 0,
      stdout: `Would delete SPRING25 of ${handle} (used 0 times)\n`,
    })
    const deleteWithAnswer = (answer: string) =>
      runCli(['promos', 'delete', 'SPRING25', '-p', handle, '--no-color'], { env, terminal, stdin: `${answer}\n` })
    await expect(deleteWithAnswer('n')).resolves.toMatchObject({ exit: 130 })
    expect(await databaseChecksum(services.db)).toBe(before)
    await expect(deleteWithAnswer('y')).resolves.toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('✓ Deleted SPRING25'),
    })
    expect(await listOf(handle)).toEqual([])
    await expect(deletePromo('SPRING25', '--yes', '--json')).resolves.toMatchObject({ exit: 4 })
  })
})
