import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { leftMails, sending } from '#tests/support/mails.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { noticeSql } from '../agreements/notice-days.query.ts'
import { type ComingCharge, noticeOf } from '../agreements/notice-days.rules.ts'
import { planDay, planRenewals } from './plan-renewals.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const system = () => services.as({ kind: 'system' })

async function plan(day: string) {
  services.clock.now = new Date(`${day}T05:00:00Z`)
  return planDay(system(), day)
}

/** A year of print that renews, bought on 22/11/2026, with what is said otherwise of its agreement. */
async function subscribed(agreement: Record<string, string | number | null> = {}) {
  services.clock.now = new Date('2026-11-22T10:00:00Z')
  const shop = await makeShop(services)
  expect(await placeOrder(services.as(visitor), orderForm(shop, { plan: '1PR25.00' }))).toMatchObject({ state: 'paid' })
  for (const [column, value] of Object.entries(agreement)) {
    await services.db.run(`UPDATE payment_agreements SET ${column} = :value WHERE publication_id = :id`, {
      value,
      id: shop.id,
    })
    if (column !== 'renews_on') continue
    await services.db.run(`UPDATE readers SET sub_end_on = :value WHERE publication_id = :id`, { value, id: shop.id })
  }
  return shop
}

const renewalsOf = (shop: { id: number }) => rowsOf(services, 'renewals', shop.id)

async function noticesOf(shop: { id: number }) {
  const ids = (await renewalsOf(shop)).map(({ id }) => id)
  return (await leftMails(services, 'renewal-notice')).filter(({ about }) => ids.includes(about.renewalId as number))
}

describe('the notice of a renewal', () => {
  it('is left 30 days before the charge of a year, once', async () => {
    const shop = await subscribed()
    await plan('2027-10-22')
    expect(await renewalsOf(shop)).toEqual([])
    await plan('2027-10-23')
    await plan('2027-10-23')
    await plan('2027-10-24')
    expect(await renewalsOf(shop)).toMatchObject([
      { state: 'planned', cycle_on: '2027-11-22', charge_on: '2027-11-22', noticed_on: '2027-10-23', amount: 2500 },
    ])
    expect(await noticesOf(shop)).toMatchObject([{ publisherId: shop.publisherId }])
  })

  it('goes to the buyer with the amount, the day and the card, under one Message-ID', async () => {
    const shop = await subscribed({ last_four: '4242' })
    await plan('2027-10-23')
    const [{ about } = { about: {} }] = await noticesOf(shop)
    expect(await sending('renewal-notice')(system(), about)).toBe(true)
    expect(await sending('renewal-notice')(system(), about)).toBe(false)
    const sent = await rowsOf(services, 'emails', shop.id)
    expect(sent.filter(({ template }) => template === 'renewal-notice')).toMatchObject([
      { state: 'sent', subject: expect.stringContaining('renews on 22/11/2027') },
    ])
  })

  it('is not sent any more when the reader has turned the renewal off', async () => {
    const shop = await subscribed()
    await plan('2027-10-23')
    const [{ about } = { about: {} }] = await noticesOf(shop)
    await services.db.run(`UPDATE payment_agreements SET state = 'ended' WHERE publication_id = :id`, { id: shop.id })
    expect(await sending('renewal-notice')(system(), about)).toBe(false)
  })

  it('is in time after three missed days, and puts the charge off when it is late', async () => {
    const missed = await subscribed()
    await plan('2027-10-26')
    expect(await renewalsOf(missed)).toMatchObject([{ charge_on: '2027-11-22', noticed_on: '2027-10-26' }])
    const late = await subscribed()
    await plan('2027-11-20')
    expect(await renewalsOf(late)).toMatchObject([
      {
        ...{ cycle_on: '2027-11-22', noticed_on: '2027-11-20' },
        ...{ charge_on: '2027-12-04', next_try_on: '2027-12-04', grace_until: '2027-12-25' },
      },
    ])
  })

  it('is followed by no earlier charge and no second one when the clock is set back', async () => {
    const shop = await subscribed()
    await plan('2027-10-25')
    await plan('2027-10-01')
    await plan('2027-10-23')
    expect(await renewalsOf(shop)).toMatchObject([{ noticed_on: '2027-10-25', charge_on: '2027-11-22' }])
    expect(await noticesOf(shop)).toHaveLength(1)
  })

  it('goes once when two plan at once', async () => {
    const shop = await subscribed()
    services.clock.now = new Date('2027-10-23T05:00:00Z')
    await Promise.all([planDay(system(), '2027-10-23'), planDay(system(), '2027-10-23')])
    expect(await renewalsOf(shop)).toHaveLength(1)
    expect(await noticesOf(shop)).toHaveLength(1)
  })

  it.each([
    ['29 February', '2028-02-29', '2028-01-30'],
    ['the 31st', '2027-08-31', '2027-08-01'],
    ['the day the clocks go forward', '2028-03-26', '2028-02-25'],
    ['the day the clocks go back', '2027-10-31', '2027-10-01'],
  ])('of a term that ends on %s is left 30 days before', async (_, renewsOn, noticedOn) => {
    const shop = await subscribed({ renews_on: renewsOn })
    await plan(noticedOn)
    expect(await renewalsOf(shop)).toMatchObject([{ charge_on: renewsOn, noticed_on: noticedOn }])
  })

  it('is left on the business day around midnight, where the clocks are an hour ahead', async () => {
    const shop = await subscribed({ renews_on: '2027-07-31' })
    services.clock.now = new Date('2027-06-30T22:30:00Z')
    await planRenewals(system(), {})
    expect(await renewalsOf(shop)).toEqual([])
    services.clock.now = new Date('2027-06-30T23:00:00Z')
    await planRenewals(system(), {})
    expect(await renewalsOf(shop)).toMatchObject([{ noticed_on: '2027-07-01' }])
  })

  it('cannot go to a reader without email: nothing is charged', async () => {
    const shop = await subscribed()
    await services.db.run(`UPDATE buyers SET email = '' WHERE publication_id = :id`, { id: shop.id })
    await plan('2027-10-23')
    expect(await renewalsOf(shop)).toMatchObject([{ state: 'waiting', next_try_on: null, noticed_on: null }])
    expect(await noticesOf(shop)).toEqual([])
  })

  it('is none for a month, which is planned all the same', async () => {
    const shop = await subscribed({ term_months: 1, renews_on: '2026-12-22' })
    await plan('2026-12-15')
    expect(await renewalsOf(shop)).toMatchObject([{ state: 'planned', noticed_on: null, charge_on: '2026-12-22' }])
    expect(await noticesOf(shop)).toEqual([])
  })
})

describe('an agreement', () => {
  it('whose day is past grace lapses without a charge', async () => {
    const shop = await subscribed()
    await plan('2027-12-14')
    expect(await renewalsOf(shop)).toMatchObject([
      { state: 'lapsed', noticed_on: null, next_try_on: null, attempts: 0 },
    ])
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { state: 'ended', end_reason: 'lapsed' },
    ])
    expect(await noticesOf(shop)).toEqual([])
  })

  it('whose reader has paid further follows the new end', async () => {
    const shop = await subscribed()
    await services.db.run(`UPDATE readers SET sub_end_on = '2028-11-22' WHERE publication_id = :id`, { id: shop.id })
    await plan('2027-10-23')
    expect(await renewalsOf(shop)).toEqual([])
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([{ renews_on: '2028-11-22' }])
  })

  it.each([
    ['reader was removed', `UPDATE readers SET is_deleted = TRUE WHERE publication_id = :id`],
    ['title was removed', `UPDATE publications SET removed_at = '2027-01-01T00:00:00Z' WHERE id = :id`],
    ['publisher is deactivated', `UPDATE users SET is_active = FALSE WHERE id = :publisherId`],
  ])('is not planned when its %s', async (_, sql) => {
    const shop = await subscribed()
    await services.db.run(sql, { id: shop.id, publisherId: shop.publisherId })
    await plan('2027-10-23')
    expect(await renewalsOf(shop)).toEqual([])
  })
})

it('the days of a notice are the same in SQL', async () => {
  const countries = ['GB', 'US', 'FR', '']
  const terms = [1, 3, 6, 12] as const
  const contracts = ['2026-01-31', '2026-03-05', null]
  const cycles = ['2026-03-05', '2026-07-31', '2026-09-05', '2027-01-31', '2028-02-29']
  const flags = [true, false]
  const charges: ComingCharge[] = countries.flatMap((country) =>
    terms.flatMap((termMonths) =>
      contracts.flatMap((contractOn) =>
        cycles.flatMap((cycleOn) =>
          flags.flatMap((isDebit) =>
            flags.map((isPriceChange) => ({ country, termMonths, contractOn, cycleOn, isDebit, isPriceChange })),
          ),
        ),
      ),
    ),
  )
  const { db } = services
  const day = (value: string | null) => (value === null ? 'CAST(NULL AS DATE)' : typed(`'${value}'`))
  const typed = (value: string) => (db.dialect === 'postgres' ? `CAST(${value} AS DATE)` : value)
  const lists = charges.map((charge) => {
    const sql = {
      country: `'${charge.country}'`,
      termMonths: String(charge.termMonths),
      isDebit: charge.isDebit ? '1 = 1' : '1 = 0',
      isPriceChange: charge.isPriceChange ? '1 = 1' : '1 = 0',
      contractOn: day(charge.contractOn),
      cycleOn: day(charge.cycleOn),
    }
    return `SELECT ${noticeSql(db, sql, 'usual')} AS usual, ${noticeSql(db, sql, 'least')} AS least`
  })
  for (const [at, sql] of lists.entries()) {
    const [row] = await db.query(sql)
    const charge = charges[at] as ComingCharge
    expect(row, JSON.stringify(charge)).toEqual(noticeOf(charge) ?? { usual: -1, least: -1 })
  }
})
