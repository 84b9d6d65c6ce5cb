import { beforeAll, describe, expect, it } from 'vitest'
import { actorOf, operator, system } from '#tests/support/factories.ts'
import { makeSeriesShop, paidOrder } from '#tests/support/series.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { previewEfforts, previewReaders, seriesCalendar } from './preview-efforts.ts'
import { recordRenewedAfter } from './reader-efforts.rows.ts'
import { seriesResults } from './series-results.query.ts'
import { getSeries, resetSeries, setSeries, switchSeries } from './series-settings.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const asOperator = () => services.as(operator)

async function shopOn(day: string) {
  services.clock.now = new Date(`${day}T12:00:00Z`)
  return makeSeriesShop(services)
}

describe('the series of a title', () => {
  it('is the default until it has its own, and again after a reset', async () => {
    const { id: publicationId } = await shopOn('2027-05-01')
    const days = async () =>
      (await getSeries(asOperator(), { publicationId })).efforts.map(({ dayOffset }) => dayOffset)
    expect(await days()).toEqual([-60, -30, -14, -3, 7, 21])
    const efforts = [
      { dayOffset: '10', channel: 'letter', offerPercent: '15', offerTermMonths: '12', offerProduct: '' },
      { dayOffset: -20, subject: 'Stay', body: 'With us' },
      { dayOffset: 0, offerProduct: 'print', offerTermMonths: 6, offerPrices: { GBP: '9.99', USD: '' } },
    ]
    await setSeries(asOperator(), { publicationId, efforts })
    await setSeries(asOperator(), { publicationId, efforts })
    expect(await getSeries(asOperator(), { publicationId })).toMatchObject({
      isOn: true,
      hasOwnEfforts: true,
      isAccountOn: true,
      efforts: [
        { dayOffset: -20, kind: 'reminder', subject: 'Stay', offerPrices: null },
        { dayOffset: 0, kind: 'offer', offerPrices: { GBP: 999 } },
        { dayOffset: 10, kind: 'offer', channel: 'letter', offerPercent: 15, offerProduct: null, offerTermMonths: 12 },
      ],
    })
    await switchSeries(asOperator(), { publicationId, isOn: false })
    expect(await getSeries(asOperator(), { publicationId })).toMatchObject({ isOn: false })
    await resetSeries(asOperator(), { publicationId })
    expect(await days()).toEqual([-60, -30, -14, -3, 7, 21])
  })

  it.each([
    ['no efforts', [], { efforts: 'Enter at least one effort, or switch the series off' }],
    [
      'two efforts on one day',
      [{ dayOffset: -3 }, { dayOffset: -3 }],
      { 'efforts.1': 'Another effort is sent on this day' },
    ],
    [
      'efforts on consecutive days',
      [{ dayOffset: -3 }, { dayOffset: -2 }],
      { 'efforts.1': 'Leave at least 2 days between two efforts' },
    ],
    [
      'a day out of range',
      [{ dayOffset: 2000 }],
      { 'efforts.0': 'Enter whole days from 365 before the end to 1800 after it' },
    ],
    [
      'two win-backs in a month',
      [{ dayOffset: 40 }, { dayOffset: 60 }],
      { 'efforts.1': 'Leave 31 days between offers that are sent more than 30 days after the end' },
    ],
    [
      'more than twelve efforts',
      Array.from({ length: 13 }, (_, index) => ({ dayOffset: index * 2 - 40 })),
      { efforts: 'Enter at most 12 efforts' },
    ],
    [
      'a discount and a price',
      [{ dayOffset: 7, offerPercent: 10, offerProduct: 'print', offerTermMonths: 12, offerPrices: { GBP: '5' } }],
      { 'efforts.0': 'Choose a discount or a price, not both' },
    ],
    [
      'a price without a plan',
      [{ dayOffset: 7, offerPrices: { GBP: '5' } }],
      { 'efforts.0': 'Choose the plan that the price is for' },
    ],
    [
      'a discount on a term of one month',
      [{ dayOffset: 7, offerPercent: 10, offerTermMonths: 1 }],
      { 'efforts.0': 'A term of one month cannot have a discount' },
    ],
  ])('is refused with %s, and stays unchanged', async (_, efforts, fields) => {
    const { id: publicationId } = await shopOn('2027-05-01')
    await expect(setSeries(asOperator(), { publicationId, efforts })).rejects.toMatchObject({ kind: 'invalid', fields })
    expect(await getSeries(asOperator(), { publicationId })).toMatchObject({ hasOwnEfforts: false })
  })

  it('is hidden from other publishers', async () => {
    const { id: publicationId } = await shopOn('2027-05-01')
    const stranger = services.as(await actorOf(services, 'publisher'))
    for (const call of [
      () => getSeries(stranger, { publicationId }),
      () => setSeries(stranger, { publicationId, efforts: [{ dayOffset: -3 }] }),
      () => resetSeries(stranger, { publicationId }),
      () => switchSeries(stranger, { publicationId, isOn: false }),
      () => previewEfforts(stranger, { publicationId }),
      () => previewReaders(stranger, { publicationId }),
      () => seriesCalendar(stranger, { publicationId }),
      () => seriesResults(stranger, { publicationId }),
    ])
      await expect(call()).rejects.toMatchObject({ kind: 'notFound' })
    const mailer = services.as(await actorOf(services, 'mailer'))
    await expect(getSeries(mailer, { publicationId })).rejects.toMatchObject({ kind: 'denied' })
  })
})

describe('a preview', () => {
  it('shows who would get what on a future day, and why others would not, even for a series that is off', async () => {
    const shop = await shopOn('2027-05-01')
    const publicationId = shop.id
    await shop.reader('2027-06-30', { fullName: 'Ann O’Brien' })
    await shop.reader('2027-06-30', { isDeleted: true })
    await shop.reader('2027-06-30', { email: '' })
    await shop.reader('2027-07-01')
    await switchSeries(asOperator(), { publicationId, isOn: false })
    const preview = await previewEfforts(asOperator(), { publicationId, on: '31/05/2027' })
    expect(preview).toMatchObject({ on: '2027-05-31', isOn: false })
    expect(preview.efforts).toMatchObject([
      {
        dayOffset: -30,
        kind: 'reminder',
        channel: 'mail',
        readers: 1,
        excluded: [
          { reason: 'inactive', readers: 1 },
          { reason: 'no-email', readers: 1 },
        ],
      },
    ])
    const page = await previewReaders(asOperator(), { publicationId, on: '31/05/2027' })
    expect(page.rows.map(({ name, exclusion }) => [name, exclusion])).toEqual([
      ['Ann O’Brien', null],
      [expect.any(String), 'Deactivated'],
      [expect.any(String), 'No email'],
    ])
    expect(page.total).toBe(3)
  })

  it('counts the efforts of the next 90 days by day', async () => {
    const shop = await shopOn('2027-05-01')
    await shop.reader('2027-06-30')
    await shop.reader('2027-06-30')
    const bought = await shop.reader('2027-07-24')
    await paidOrder(
      services,
      { readerId: bought, publicationId: shop.id, publisherId: shop.publisherId },
      { on: '2026-07-24' },
    )
    const days = await seriesCalendar(asOperator(), { publicationId: shop.id })
    expect(
      days.map(({ on, efforts }) => `${on} ${efforts.map(({ dayOffset, readers }) => `${dayOffset}:${readers}`)}`),
    ).toEqual([
      '2027-05-25 -60:1',
      '2027-05-31 -30:2',
      '2027-06-16 -14:2',
      '2027-06-24 -30:1',
      '2027-06-27 -3:2',
      '2027-07-10 -14:1',
      '2027-07-21 -3:1',
    ])
  })
})

describe('the results of the efforts', () => {
  it('are counted by month, effort and text, with money and the result of the test of two texts', async () => {
    const shop = await shopOn('2027-05-01')
    const recordOf = (readerId: number) => ({ readerId, publicationId: shop.id, publisherId: shop.publisherId })
    await setSeries(asOperator(), {
      publicationId: shop.id,
      efforts: [{ dayOffset: -30, subject: 'One', subjectB: 'Other' }],
    })
    const readers = []
    for (let index = 0; index < 12; index++) readers.push(await shop.reader('2027-06-30'))
    await shop.plan('2027-05-31')
    const orders = [
      await paidOrder(services, recordOf(readers[0] as number), { on: '2027-06-02' }),
      await paidOrder(services, recordOf(readers[1] as number), { on: '2027-06-03' }),
    ]
    for (const [index, orderId] of orders.entries())
      await recordRenewedAfter(services.as(system), {
        readerId: readers[index] as number,
        orderId,
        effortId: null,
        on: '2027-06-03',
      })
    // Refunded later: it no longer counts.
    await services.db.run(`UPDATE orders SET state = 'refunded' WHERE id = :id`, { id: orders[1] as number })
    const { efforts, tests } = await seriesResults(asOperator(), { publicationId: shop.id })
    const sum = (count: 'planned' | 'renewed') => efforts.reduce((total, effort) => total + effort[count], 0)
    expect([...new Set(efforts.map(({ month, dayOffset }) => `${month} ${dayOffset}`))]).toEqual(['2027-06 -30'])
    expect([sum('planned'), sum('renewed')]).toEqual([12, 1])
    expect(efforts.flatMap(({ money }) => money)).toEqual([{ currency: 'GBP', amount: 2999 }])
    expect(efforts.map(({ variant }) => variant)).toEqual(['a', 'b'])
    expect(tests).toMatchObject([{ dayOffset: -30, better: null }])
  })

  it('include every day of the third month ahead, and none after it', async () => {
    const shop = await shopOn('2027-01-01')
    await setSeries(asOperator(), { publicationId: shop.id, efforts: [{ dayOffset: -120, subject: 'Early' }] })
    for (const end of ['2027-04-29', '2027-04-30', '2027-05-01']) await shop.reader(end)
    for (const day of ['2026-12-30', '2026-12-31', '2027-01-01']) await shop.plan(day)
    const { efforts } = await seriesResults(asOperator(), { publicationId: shop.id })
    expect(efforts.map(({ month, planned }) => [month, planned])).toEqual([['2027-04', 2]])
  })
})
