import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { printDay } from '#core/kernel/dates.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { planDay } from '#core/renewals/plan-renewals.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
let shop: Awaited<ReturnType<typeof makeShop>>
let other: typeof shop
/** The command line reads the real clock: what is due counts from today. */
const today = dayOf(new Date(), 'Europe/London')

beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
  services.clock.now = new Date()
  shop = await makeShop(services)
  other = await makeShop(services)
  for (const { daysAhead, of } of [
    { daysAhead: 0, of: shop },
    { daysAhead: 20, of: shop },
    { daysAhead: 60, of: shop },
    { daysAhead: 0, of: other },
  ]) {
    const form = orderForm(of, { plan: '1PR25.00' })
    expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
    const end = addDays(today, daysAhead)
    const [last] = (await rowsOf(services, 'readers', of.id)).slice(-1)
    await services.db.run(`UPDATE readers SET sub_end_on = :end WHERE id = :id`, { end, id: Number(last?.id) })
    await services.db.run(`UPDATE payment_agreements SET renews_on = :end WHERE reader_id = :id`, {
      end,
      id: Number(last?.id),
    })
  }
  // The notice of what is due today went in time.
  const before = addDays(today, -30)
  services.clock.now = new Date(`${before}T12:00:00Z`)
  await planDay(services.as({ kind: 'system' }), before, { publicationId: shop.id })
})

const renewals = (...argv: string[]) => runCli(['renewals', ...argv], { env, cwd: services.dataDir })
const shownOn = (days: number) => printDay(addDays(today, days))
const title = () => ['--publication', shop.urlKey]

async function changesNothing(...argv: string[]) {
  const before = await databaseChecksum(services.db)
  const done = await renewals(...argv)
  expect(await databaseChecksum(services.db)).toBe(before)
  return done
}

describe('renewals', () => {
  it('lists what would be charged until a day, with totals', async () => {
    const { exit, stdout, stderr } = await changesNothing('due', ...title())
    expect(exit).toBe(0)
    const [first, ...rest] = stdout.split('\n')
    expect(rest).toEqual([''])
    expect(first?.split('\t')).toEqual([
      today,
      expect.stringMatching(/./),
      shop.urlKey,
      expect.stringContaining('Print'),
      '25.00',
      'GBP',
      'planned',
      expect.stringMatching(/^\d+$/),
    ])
    expect(stderr).toContain(`Until ${shownOn(0)}: 1 renewal, £25.00`)
    const later = JSON.parse((await renewals('due', ...title(), '--on', shownOn(30), '--limit', '1', '--json')).stdout)
    expect(later).toMatchObject({
      on: addDays(today, 30),
      renewals: [{ on: today, amount: 2500, state: 'planned' }],
      totals: [{ currency: 'GBP', renewals: 2, amount: 5000 }],
    })
    const all = JSON.parse((await renewals('due', '--json')).stdout)
    expect(all.totals).toEqual([{ currency: 'GBP', renewals: 2, amount: 5000 }])
    const [publisher] = await services.db.query<{ email: string }>(`SELECT email FROM users WHERE id = :id`, {
      id: other.publisherId,
    })
    for (const who of ['--publisher', '--as']) {
      const own = JSON.parse((await renewals('due', who, publisher?.email ?? '', '--json')).stdout)
      expect(own.renewals).toMatchObject([{ publication: other.urlKey }])
    }
    expect(await renewals('due', '--on', 'June')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--on') })
  })

  it('says what it would do, and does nothing ahead of its day', async () => {
    expect(await changesNothing('plan', '--dry-run', ...title())).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('Would plan 1 renewal'),
    })
    expect(await changesNothing('plan', '--dry-run', '--quiet', '--on', shownOn(40), ...title())).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('Would plan 2 renewals'),
    })
    expect(await changesNothing('charge', '--dry-run', '--on', shownOn(30), ...title())).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('2 renewals, £50.00'),
    })
    for (const command of ['plan', 'charge']) {
      expect(await changesNothing(command, '--on', shownOn(1))).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('is still to come'),
      })
    }
  })

  it('plans and charges a title once, and leaves others alone', async () => {
    expect(await renewals('plan', ...title())).toMatchObject({ exit: 0, stdout: expect.stringContaining('1 renewal') })
    const charge = () => renewals('charge', ...title(), '--json')
    expect(JSON.parse((await charge()).stdout)).toMatchObject({ dryRun: false, charged: 1, paid: 1, failed: 0 })
    expect(JSON.parse((await charge()).stdout)).toMatchObject({ charged: 0 })
    expect(await renewals('charge', ...title(), '--quiet')).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect((await rowsOf(services, 'renewals', shop.id)).map(({ state }) => state)).toEqual(['paid', 'planned'])
    expect(await rowsOf(services, 'renewals', other.id)).toEqual([])
  })
})
