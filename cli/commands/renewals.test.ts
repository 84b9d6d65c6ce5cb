import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { chargeDueRenewals } from '#core/charging/charge-renewals.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
let shop: Awaited<ReturnType<typeof makeShop>>
let otherShop: typeof shop
/** The command line uses the system clock, so the due days are counted from today. */
const today = dayOf(new Date(), 'Europe/London')

beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
  services.clock.now = new Date()
  shop = await makeShop(services)
  otherShop = await makeShop(services)
  for (const { daysAhead, inShop } of [
    { daysAhead: 0, inShop: shop },
    { daysAhead: 20, inShop: shop },
    { daysAhead: 60, inShop: shop },
    { daysAhead: 0, inShop: otherShop },
  ]) {
    const form = orderForm(inShop, { plan: '1PR25.00' })
    expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
    const end = addDays(today, daysAhead)
    const [reader] = (await rowsOf(services, 'readers', inShop.id)).slice(-1)
    await services.db.run(`UPDATE readers SET sub_end_on = :end WHERE id = :id`, { end, id: Number(reader?.id) })
    await services.db.run(`UPDATE payment_agreements SET renews_on = :end WHERE reader_id = :id`, {
      end,
      id: Number(reader?.id),
    })
  }
  // The notice of today's renewal was sent in time.
  const announcedOn = addDays(today, -30)
  services.clock.now = new Date(`${announcedOn}T12:00:00Z`)
  await announceRenewals(services.as({ kind: 'system' }), announcedOn, { publicationId: shop.id })
})

const renewals = (...argv: string[]) => runCli(['renewals', ...argv], { env, cwd: services.dataDir })
const shownOn = (days: number) => formatDay(addDays(today, days))
const titleFlags = () => ['--publication', shop.urlKey]

async function runChangingNothing(...argv: string[]) {
  const before = await databaseChecksum(services.db)
  const result = await renewals(...argv)
  expect(await databaseChecksum(services.db)).toBe(before)
  return result
}

describe('renewals', () => {
  it('lists what would be charged up to a day, with totals', async () => {
    const { exit, stdout, stderr } = await runChangingNothing('due', ...titleFlags())
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
    const later = JSON.parse(
      (await renewals('due', ...titleFlags(), '--on', shownOn(30), '--limit', '1', '--json')).stdout,
    )
    expect(later).toMatchObject({
      on: addDays(today, 30),
      renewals: [{ on: today, amount: 2500, state: 'planned' }],
      totals: [{ currency: 'GBP', renewals: 2, amount: 5000 }],
    })
    const all = JSON.parse((await renewals('due', '--json')).stdout)
    expect(all.totals).toEqual([{ currency: 'GBP', renewals: 2, amount: 5000 }])
    const [publisher] = await services.db.query<{ email: string }>(`SELECT email FROM users WHERE id = :id`, {
      id: otherShop.publisherId,
    })
    for (const flag of ['--publisher', '--as']) {
      const own = JSON.parse((await renewals('due', flag, publisher?.email ?? '', '--json')).stdout)
      expect(own.renewals).toMatchObject([{ publication: otherShop.urlKey }])
    }
    expect(await renewals('due', '--on', 'June')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--on') })
  })

  it('previews planning and charging in a dry run, and does neither for a future day', async () => {
    expect(await runChangingNothing('plan', '--dry-run', ...titleFlags())).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('Would plan 1 renewal'),
    })
    expect(
      await runChangingNothing('plan', '--dry-run', '--quiet', '--on', shownOn(40), ...titleFlags()),
    ).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('Would plan 2 renewals'),
    })
    expect(await runChangingNothing('charge', '--dry-run', '--on', shownOn(30), ...titleFlags())).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('2 renewals, £50.00'),
    })
    for (const command of ['plan', 'charge']) {
      expect(await runChangingNothing(command, '--on', shownOn(1))).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('is in the future'),
      })
    }
  })

  it('charges nothing more once it is stopped, and says so', async () => {
    const stopped = (...argv: string[]) =>
      runCli(['renewals', ...argv, ...titleFlags()], { env, cwd: services.dataDir, signal: AbortSignal.abort() })
    const before = await rowsOf(services, 'renewals', shop.id)
    expect(await stopped('charge')).toMatchObject({
      exit: 130,
      stdout: expect.stringContaining('Charged 0 renewals'),
      stderr: expect.stringContaining('the rest stays due'),
    })
    expect(await stopped('retry')).toMatchObject({ exit: 130 })
    expect(await rowsOf(services, 'renewals', shop.id)).toEqual(before)
  })

  it('plans and charges one title once, and leaves the others alone', async () => {
    expect(await renewals('plan', ...titleFlags())).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('1 renewal'),
    })
    const charge = () => renewals('charge', ...titleFlags(), '--json')
    expect(JSON.parse((await charge()).stdout)).toMatchObject({ dryRun: false, charged: 1, paid: 1, failed: 0 })
    expect(JSON.parse((await charge()).stdout)).toMatchObject({ charged: 0 })
    expect(await renewals('charge', ...titleFlags(), '--quiet')).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect((await rowsOf(services, 'renewals', shop.id)).map(({ state }) => state)).toEqual(['paid', 'planned'])
    expect(await rowsOf(services, 'renewals', otherShop.id)).toEqual([])
  })

  it('retries declined renewals once a day, and says why one cannot be retried', async () => {
    const ownShop = await makeShop(services)
    const ownTitle = ['--publication', ownShop.urlKey]
    services.clock.now = new Date()
    for (const card of [demoCards.declinedLater, demoCards.declinedLater, demoCards.lostLater]) {
      const form = orderForm(ownShop, { plan: '1PR25.00', payment: { details: { cardNumber: card } } })
      expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
    }
    const due = addDays(today, -2)
    const ids = { end: due, id: ownShop.id }
    await services.db.run(`UPDATE readers SET sub_end_on = :end WHERE publication_id = :id`, ids)
    await services.db.run(`UPDATE payment_agreements SET renews_on = :end WHERE publication_id = :id`, ids)
    const system = () => services.as({ kind: 'system' })
    services.clock.now = new Date(`${addDays(due, -30)}T12:00:00Z`)
    await announceRenewals(system(), addDays(due, -30), { publicationId: ownShop.id })
    services.clock.now = new Date(`${due}T12:00:00Z`)
    expect(await chargeDueRenewals(system(), due, { publicationId: ownShop.id })).toMatchObject({ charged: 3, paid: 0 })
    await services.db.run(
      `UPDATE payment_agreements SET method_reference = 'demo_card_${demoCards.paid}' WHERE id = (
         SELECT MIN(id) FROM payment_agreements WHERE publication_id = :id)`,
      { id: ownShop.id },
    )
    const [first, second, lost] = (await rowsOf(services, 'renewals', ownShop.id)).map((row) => String(row.id))

    for (const argv of [
      [],
      [first ?? '', '--all'],
      ['x'],
      [first ?? '', '--on', shownOn(0)],
      [...ownTitle, '--on', shownOn(1)],
    ])
      expect(await runChangingNothing('retry', ...argv)).toMatchObject({ exit: 2 })
    expect(await runChangingNothing('retry', ...ownTitle, '--dry-run')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('2 renewals, £50.00'),
    })
    expect(await runChangingNothing('retry', ...ownTitle, '--dry-run', '--on', shownOn(-2))).toMatchObject({
      stdout: expect.stringContaining('nothing'),
    })
    expect(await runChangingNothing('retry', first ?? '', '--dry-run')).toMatchObject({ exit: 0 })
    expect(await runChangingNothing('retry', lost ?? '')).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('reported lost'),
    })
    expect(JSON.parse((await renewals('retry', ...ownTitle, '--json')).stdout)).toMatchObject({
      retried: 2,
      paid: 1,
      failed: 0,
    })
    expect(await runChangingNothing('retry', '--all', '--quiet')).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect(await renewals('retry', second ?? '')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('not paid: Not enough money in the account'),
    })
    expect(await runChangingNothing('retry', first ?? '')).toMatchObject({
      exit: 5,
      stderr: expect.not.stringContaining('page'),
    })
    expect((await rowsOf(services, 'renewals', ownShop.id)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['paid', 2],
      ['retrying', 3],
      ['waiting', 1],
    ])

    // Nothing is due any more, and two renewals have to lapse. A signal stops the lapsing too; when nothing is left to lapse, the command
    // succeeds despite the signal.
    await services.db.run(`UPDATE renewals SET grace_until = :due, told_on = NULL WHERE publication_id = :id`, {
      due,
      id: ownShop.id,
    })
    const states = async () => (await rowsOf(services, 'renewals', ownShop.id)).map(({ state }) => state)
    const stopped = () =>
      runCli(['renewals', 'charge', ...ownTitle], { env, cwd: services.dataDir, signal: AbortSignal.abort() })
    expect(await stopped()).toMatchObject({
      exit: 130,
      stdout: expect.stringContaining('0 lapsed'),
      stderr: expect.stringContaining('Nothing stays due, but not all unpaid renewals have lapsed'),
    })
    expect(await states()).toEqual(['paid', 'retrying', 'waiting'])
    expect(await renewals('charge', ...ownTitle)).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('2 lapsed'),
    })
    expect(await states()).toEqual(['paid', 'lapsed', 'lapsed'])
    expect(await stopped()).toMatchObject({ exit: 0, stderr: '' })
  })

  it('simulates years on a temporary copy, with the same result for the same seed, and changes nothing', async () => {
    const ownShop = await makeShop(services)
    services.clock.now = new Date()
    for (let reader = 0; reader < 12; reader++) {
      const form = orderForm(ownShop, { plan: reader < 9 ? '1PR25.00' : '1PN29.99' })
      expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
    }
    for (const [table, column] of [
      ['readers', 'sub_end_on'],
      ['payment_agreements', 'renews_on'],
    ])
      await services.db.run(`UPDATE ${table} SET ${column} = :end WHERE publication_id = :id`, {
        end: addDays(today, 40),
        id: ownShop.id,
      })
    const simulate = (...argv: string[]) =>
      runChangingNothing('simulate', '--publication', ownShop.urlKey, '--years', '1', ...argv)
    const remainingCopies = () =>
      readdirSync(join(services.dataDir, 'tmp')).filter((name) => name.startsWith('title-copy-'))

    const byDefault = JSON.parse((await simulate('--json')).stdout)
    const paid = byDefault.months.reduce((sum: number, month: { paid: number }) => sum + month.paid, 0)
    const notices = byDefault.months.reduce((sum: number, month: { notices: number }) => sum + month.notices, 0)
    expect({ paid, notices, rates: byDefault.rates }).toEqual({
      paid: 9,
      notices: 9,
      rates: { declines: 0, declinesAgain: 50 },
    })
    expect(byDefault.months.at(0).readers).toBe(12)
    // Readers who do not renew are no longer counted after their term.
    expect(byDefault.months.at(-1).readers).toBe(9)

    // The random draw depends on the readers' references, which differ in each run: the chance that none of nine lapses is one in two
    // million.
    const manyDeclines = ['--declines', '80', '--declines-again', '100', '--seed', '7']
    const declined = await simulate(...manyDeclines, '--json')
    type Months = {
      charged: number
      retried: number
      declined: number
      paid: number
      lapsed: number
      readers: number
    }[]
    const { months } = JSON.parse(declined.stdout) as { months: Months }
    const sum = (name: keyof Months[number]) => months.reduce((total, month) => total + month[name], 0)
    expect(sum('charged') + sum('retried')).toBe(sum('declined') + sum('paid'))
    expect(sum('charged')).toBe(9)
    expect(sum('lapsed')).toBeGreaterThan(0)
    expect(sum('paid') + sum('lapsed')).toBe(9)
    expect(months.at(-1)?.readers).toBe(sum('paid'))
    expect(remainingCopies()).toEqual([])

    const table = await simulate(...manyDeclines, '--quiet')
    expect(table).toMatchObject({ exit: 0, stderr: '' })
    const lines = table.stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split('\t').slice(4, 10).map(Number))).toEqual(
      months.map(({ charged, retried, declined, paid, lapsed, readers }) => [
        charged,
        retried,
        declined,
        paid,
        lapsed,
        readers,
      ]),
    )
    expect(lines[0]?.split('\t')).toHaveLength(14)
    expect(await simulate('--declines', '101')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--declines'),
    })
    expect(await simulate('--from', shownOn(-1))).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('is in the past'),
    })
    // The three subscriptions without automatic renewal end in 40 days. Once renewed, they end 40 days after the simulated year, but the
    // effort falls within it.
    await services.db.run(`UPDATE accounts SET automated_renewal_emails = :yes WHERE user_id = :id`, {
      yes: true,
      id: ownShop.publisherId,
    })
    const all = JSON.parse((await simulate('--answers', '100', '--json')).stdout)
    const renewed = { sent: 3, renewed: 3, money: [{ currency: 'GBP', taken: 3 * 2999 }] }
    expect(all.efforts).toEqual(
      [-60, -30].map((dayOffset) => ({ dayOffset, kind: 'reminder', channel: 'mail', ...renewed })),
    )
    expect(all.ended).toBe(0)
    const none = JSON.parse((await simulate('--answers', '0', '--json')).stdout)
    type Efforts = { dayOffset: number; sent: number; renewed: number }[]
    // Buyers at a storefront decline offers by default: nothing is sent after the end.
    expect((none.efforts as Efforts).map(({ dayOffset, sent, renewed }) => [dayOffset, sent, renewed])).toEqual([
      [-30, 3, 0],
      [-14, 3, 0],
      [-3, 3, 0],
    ])
    expect(none.ended).toBe(3)
    const half = () => simulate('--answers', '50', '--seed', '3', '--efforts')
    const shown = await half()
    expect(shown.stdout).toMatch(/^-30\treminder\tmail\t3\t/m)
    expect(await half()).toEqual(shown)
    const stop = new AbortController()
    const stopped = runCli(['renewals', 'simulate', '--publication', ownShop.urlKey], {
      env,
      cwd: services.dataDir,
      signal: stop.signal,
      onStderr: () => stop.abort(),
    })
    expect(await stopped).toMatchObject({ exit: 130 })
    expect(remainingCopies()).toEqual([])
  })
})
