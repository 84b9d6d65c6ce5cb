import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { setSeries, switchSeries } from '#core/series/series-settings.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { operator } from '#tests/support/factories.ts'
import { makeSeriesShop, paidOrder } from '#tests/support/series.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
let shop: Awaited<ReturnType<typeof makeSeriesShop>>
let otherShop: typeof shop
/** The command line uses the system clock, so the ends are counted from today. */
const today = dayOf(new Date(), 'Europe/London')

beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
  services.clock.now = new Date()
  shop = await makeSeriesShop(services)
  otherShop = await makeSeriesShop(services)
  const efforts = [
    { dayOffset: -60, channel: 'letter' },
    { dayOffset: -30, channel: 'mail' },
  ]
  await setSeries(services.as(operator), { publicationId: shop.id, efforts })
  await shop.reader(addDays(today, 60), { uniqueReference: 'L-1', postCode: 'LS10 1AA' })
  await shop.reader(addDays(today, 60), { uniqueReference: 'L-2', postCode: 'LS9 9ZZ' })
  await shop.reader(addDays(today, 30), { uniqueReference: 'M-1' })
  await shop.reader(addDays(today, 30), { uniqueReference: 'M-2', email: '' })
  await otherShop.reader(addDays(today, 30), { uniqueReference: 'O-1' })
})

const renewals = (...argv: string[]) => runCli(['renewals', ...argv], { env, cwd: services.dataDir })
const shownOn = (days: number) => formatDay(addDays(today, days))
const titleFlags = () => ['--publication', shop.urlKey]
const publisherEmailOf = async ({ publisherId: id }: typeof shop) => {
  const [row] = await services.db.query<{ email: string }>(`SELECT email FROM users WHERE id = :id`, { id })
  return row?.email ?? ''
}

async function runChangingNothing(...argv: string[]) {
  const before = await databaseChecksum(services.db)
  const result = await renewals(...argv)
  expect(await databaseChecksum(services.db)).toBe(before)
  return result
}

describe('renewals efforts', () => {
  it('shows what would be sent on a day and why other readers are left out, and changes nothing', async () => {
    const { exit, stdout, stderr } = await runChangingNothing('efforts', ...titleFlags())
    expect([exit, stdout]).toEqual([
      0,
      `-60\treminder\tletter\t2\tnobody\t${shop.id}\n-30\treminder\tmail\t1\t1 No email\t${shop.id}\n`,
    ])
    expect(stderr).toContain(`On ${shownOn(0)}: 3 efforts`)
    const ahead = JSON.parse(
      (await runChangingNothing('efforts', ...titleFlags(), '--on', shownOn(30), '--json')).stdout,
    )
    expect(ahead).toMatchObject({
      on: addDays(today, 30),
      isOn: true,
      efforts: [{ publicationId: shop.id, dayOffset: -30, channel: 'mail', readers: 2, excluded: [] }],
    })
  })

  it('filters by publisher, and shows a user no other title', async () => {
    const email = await publisherEmailOf(otherShop)
    for (const flag of ['--publisher', '--as']) {
      const own = JSON.parse((await renewals('efforts', flag, email, '--json')).stdout)
      expect(own.efforts).toMatchObject([{ publicationId: otherShop.id, dayOffset: -30, readers: 1 }])
    }
    expect(await renewals('efforts', '--as', email, ...titleFlags())).toMatchObject({ exit: 4 })
  })

  it('shows a series that is off, and says so', async () => {
    await switchSeries(services.as(operator), { publicationId: otherShop.id, isOn: false })
    const { exit, stdout, stderr } = await renewals('efforts', '--publication', otherShop.urlKey)
    await switchSeries(services.as(operator), { publicationId: otherShop.id, isOn: true })
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^-30\treminder\tmail\t1\t/)])
    expect(stderr).toContain('No series is switched on: nothing is sent')
  })
})

describe('invalid use', () => {
  it.each(['efforts', 'send', 'letters'])('%s refuses an invalid day and an unknown title', async (name) => {
    expect(await runChangingNothing(name, ...titleFlags(), '--on', '31/02/2027')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--on'),
    })
    expect(await runChangingNothing(name, '--publication', 'no-such-title')).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('no-such-title'),
    })
  })

  it.each(['send', 'letters'])('%s does nothing for a future day except in a dry run', async (name) => {
    expect(await runChangingNothing(name, ...titleFlags(), '--on', shownOn(1))).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('is in the future'),
    })
  })

  it('send refuses a publisher: only the worker and the operator plan efforts', async () => {
    expect(await runChangingNothing('send', '--as', await publisherEmailOf(shop), ...titleFlags())).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('do not have permission'),
    })
  })
})

describe('renewals letters', () => {
  const letters = (...argv: string[]) => renewals('letters', ...titleFlags(), ...argv)

  it('shows in a dry run how many letters it would make, even for a future day', async () => {
    expect(await runChangingNothing('letters', ...titleFlags(), '--dry-run')).toMatchObject({
      exit: 0,
      stdout: `Would make 2 letters of ${shop.urlKey} as of ${shownOn(0)}\n`,
    })
    const ahead = await runChangingNothing('letters', ...titleFlags(), '--dry-run', '--json', '--on', shownOn(1))
    // A run catches up on what the previous day missed.
    expect(JSON.parse(ahead.stdout)).toEqual({
      dryRun: true,
      publication: shop.urlKey,
      on: addDays(today, 1),
      layout: 'Standard',
      letters: 2,
      file: null,
    })
  })

  it('writes the same file for a day every time, and counts nothing twice', async () => {
    const first = await letters()
    expect(first.exit).toBe(0)
    const lines = first.stdout.split('\r\n')
    expect(lines[0]).toMatch(/,KeyLine,Effort,Text,GiftFor,Plan,Price,PromoCode,Link,LinkUntil,Subject,LetterText$/)
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['L-2', 'L-1', ''])
    expect(first.stderr).toContain(`2 letters of ${shop.urlKey} for ${shownOn(0)}`)
    const effortCounts = () =>
      services.db.query(
        `SELECT channel, state, COUNT(*) AS n FROM reader_efforts WHERE publication_id = :id GROUP BY 1, 2`,
        {
          id: shop.id,
        },
      )
    const after = await effortCounts()
    // The command sends no emails; the worker does.
    expect(after).toMatchObject([{ channel: 'letter', state: 'produced', n: expect.anything() }])
    const output = join(services.dataDir, 'again.csv')
    const again = await letters('--output', output, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ dryRun: false, letters: 2, file: output, on: today })
    // A file has the byte order mark that spreadsheets need.
    expect(readFileSync(output, 'utf8')).toBe(`\ufeff${first.stdout}`)
    expect(await effortCounts()).toEqual(after)
    expect((await letters('--on', shownOn(-1))).stdout.split('\r\n')).toHaveLength(2)
  })

  it('overwrites a file only with --output, accepts a key line, and uses the layouts', async () => {
    const output = join(services.dataDir, 'keyed.csv')
    expect(await letters('--key-line', 'K {reference} {effort}', '--output', output)).toMatchObject({ exit: 0 })
    expect(readFileSync(output, 'utf8')).toContain(',K L-2 -60A,60 days before the end,A,')
    expect(await runChangingNothing('letters', ...titleFlags(), '--layout', 'Nobody')).toMatchObject({ exit: 4 })
    expect(await runChangingNothing('letters', ...titleFlags(), '--key-line', '{nothing}')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--key-line'),
    })
    const onTerminal = () =>
      runCli(['renewals', 'letters', ...titleFlags()], { env, cwd: services.dataDir, terminal: ['stdout'] })
    const saved = /File\s+(\S+_letters\.csv)/.exec((await onTerminal()).stderr)?.[1] ?? ''
    writeFileSync(saved, 'mine')
    expect(await onTerminal()).toMatchObject({ exit: 5, stderr: expect.stringContaining('already exists') })
    expect(readFileSync(saved, 'utf8')).toBe('mine')
  })
})

describe('renewals send', () => {
  it('shows in a dry run what it would plan, plans it once, and nothing the second time', async () => {
    const preview = await runChangingNothing('send', ...titleFlags(), '--dry-run')
    expect(preview).toMatchObject({ exit: 0, stdout: `Would plan 1 email and 0 letters as of ${shownOn(0)}\n` })
    const ahead = await runChangingNothing('send', ...titleFlags(), '--dry-run', '--on', shownOn(30), '--json')
    expect(JSON.parse(ahead.stdout)).toMatchObject({ dryRun: true, on: addDays(today, 30), emails: 2 })
    const sent = await renewals('send', ...titleFlags())
    expect(sent).toMatchObject({ exit: 0, stdout: expect.stringContaining('Planned 1 email and 0 letters') })
    expect(JSON.parse((await renewals('send', ...titleFlags(), '--json')).stdout)).toEqual({
      dryRun: false,
      on: today,
      emails: 0,
      letters: 0,
      skipped: 0,
    })
    const emails = await services.db.query(
      `SELECT e.id FROM reader_efforts e JOIN jobs j ON j.dedupe_key LIKE '%renewal-effort:' || e.id WHERE e.publication_id = :id`,
      { id: shop.id },
    )
    expect(emails).toHaveLength(1)
    // The other title was not requested.
    expect(
      await services.db.query(`SELECT id FROM reader_efforts WHERE publication_id = :id`, { id: otherShop.id }),
    ).toEqual([])
  })
})

describe('renewals offer', () => {
  const offer = (...argv: string[]) =>
    ['offer', ...titleFlags(), '--name', 'Back', '--valid-until', shownOn(30), '--percent', '20', ...argv] as const

  it('shows who would get the offer, sends it once to each, and names the flag that has a wrong value', async () => {
    const formerReader = await shop.reader(addDays(today, -100))
    await paidOrder(services, { ...shop, publicationId: shop.id, readerId: formerReader }, { on: addDays(today, -465) })
    await shop.reader(addDays(today, -100))
    expect(await runChangingNothing(...offer('--dry-run'))).toMatchObject({
      exit: 0,
      stdout: `Would send it to 1 reader of ${shop.urlKey}\n`,
      stderr: expect.stringContaining('Left out: 1 Never bought here'),
    })
    const wrong = await runChangingNothing(
      ...offer('--ends-from', 'soon', '--ends-to', 'late', '--country', 'Atlantis', '--text', 'Dear {{nmae}}'),
    )
    expect(wrong).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/--ends-from[\s\S]*--ends-to[\s\S]*--country/),
    })
    // The former spellings.
    const former = ['--name', 'Back', '--percent', '20', '--good-until', 'soon', '--ends-until', 'late']
    const refused = await runChangingNothing('offer', ...titleFlags(), ...former)
    expect(refused.exit).toBe(2)
    for (const flag of ['--valid-until', '--ends-to']) expect(refused.stderr).toContain(flag)
    for (const price of ['19.00', 'EURO=19.00', 'GBP='])
      expect(await runChangingNothing(...offer('--price', price))).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining(`"${price}" is not a price with its currency`),
      })
    const priced = ['--offer-product', 'print', '--offer-term', '12', '--price', 'gbp=soon'] as const
    expect(await runChangingNothing(...offer(...priced))).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--price'),
    })
    const stopped = await runCli(['renewals', ...offer('--subject', 'Come back')], {
      env,
      cwd: services.dataDir,
      signal: AbortSignal.abort(),
    })
    expect(stopped).toMatchObject({
      exit: 130,
      stdout: '',
      stderr: expect.stringMatching(/was stopped after 0 readers\n.*Renewals, Offers/),
    })
    const sent = await renewals(...offer('--subject', 'Come back', '--json'))
    expect(JSON.parse(sent.stdout)).toMatchObject({ dryRun: false, publication: shop.urlKey, planned: 1, renewed: 0 })
    expect(JSON.parse((await renewals(...offer('--json'))).stdout)).toMatchObject({ planned: 0 })
    expect(await shop.effortsOf(formerReader)).toEqual(['100 due'])
  })
})
