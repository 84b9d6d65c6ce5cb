import { beforeAll, describe, expect, it } from 'vitest'
import { openEnd } from '#core/kernel/dates.ts'
import { countMailing } from '#core/mailing/count-mailing.query.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { listedRecord } from './kept-record.ts'
import { allOptedOut } from './opt-outs.rules.ts'
import { type ReaderRow, Readers } from './readers.rows.ts'
import { renewReader } from './renew-reader.ts'
import { restoreTerm, reverseTerm } from './reverse-term.ts'
import { type BoughtSubscription, subscribeReader } from './subscribe-reader.ts'

const services = await openTestServices()
const ctx = services.as(operator)
const today = '2026-11-21'
let publicationId: number
let orderId = 0

beforeAll(async () => {
  publicationId = (await makePublication(services)).id
})

const address = {
  title: '',
  firstName: 'Nell',
  lastName: 'Gwynne',
  companyName: '',
  addressOne: '1 Quay',
  addressTwo: '',
  addressThree: '',
  city: 'Fowey',
  state: '',
  postCode: 'PL23 1AT',
  country: 'GB',
}

const inTransaction = <Result>(work: () => Promise<Result>) => services.db.transaction(work)

const termColumns = [
  'sub_type',
  'sub_start_on',
  'sub_end_on',
  'sub_renew_on',
  'sub_paid',
  'sub_currency',
  'sub_anchor_day',
]
async function termOf(readerId: number) {
  const row = await readerRow(services, readerId)
  return Object.fromEntries(termColumns.map((column) => [column, row?.[column]]))
}

/** Orders a year of a product for £29.99 for this record. Returns what the reversal of the order needs. */
async function orderYear(readerId: number, product: 'print' | 'bundle', extra: Partial<BoughtSubscription> = {}) {
  orderId++
  const bought: BoughtSubscription = {
    publicationId,
    readerId,
    keepsRecord: true,
    buyerId: 1,
    isNewRecord: false,
    today,
    email: '',
    telephone: '',
    address,
    optOuts: allOptedOut(),
    answers: {},
    plan: { product, termMonths: 12 },
    orderId,
    orderNumber: `OD-${orderId}`,
    productName: 'One year',
    money: { amount: 2999, currency: 'GBP' },
    ...extra,
  }
  const { startOn, endOn } = await inTransaction(() => subscribeReader(ctx, bought))
  const { orderNumber } = bought
  return { readerId, publicationId, orderId, orderNumber, product, startOn, endOn, today, reason: 'refunded' }
}

const cases: [string, Partial<ReaderRow>, 'print' | 'bundle', Partial<BoughtSubscription>?][] = [
  ['a running paid term', { subPaid: 4500, subCurrency: 'EUR', subAnchorDay: 31 }, 'print'],
  ['an imported print reader who bought a bundle', { subPaid: 2500, subRenewOn: '2026-11-30' }, 'bundle'],
  ['a digital reader until further notice who bought a bundle', { subType: 'digital', subEndOn: openEnd }, 'bundle'],
  ['a term that runs until after the order, which begins later', {}, 'print', { startOn: '2027-03-01' }],
]

describe('the reversal of an order', () => {
  it.each(cases)('restores %s, and a won dispute what was bought', async (_, former, product, extra) => {
    const readerId = await makeReader(services, publicationId, former)
    const before = await termOf(readerId)
    const bought = await orderYear(readerId, product, extra)
    const after = await termOf(readerId)
    expect(after).toMatchObject({ sub_type: product, sub_paid: 2999, sub_currency: 'GBP', sub_end_on: bought.endOn })
    await inTransaction(() => reverseTerm(ctx, bought))
    expect(await termOf(readerId)).toEqual(before)
    await inTransaction(() => restoreTerm(ctx, bought))
    expect(await termOf(readerId)).toEqual(after)
  })

  it.each([
    ['no subscription', { subType: '' as const }],
    ['one that was over', { subEndOn: '2026-10-31' }],
  ])('ends the first term today if the record had %s', async (_, former) => {
    const readerId = await makeReader(services, publicationId, { ...former, subPaid: 4500 })
    const bought = await orderYear(readerId, 'print')
    await inTransaction(() => reverseTerm(ctx, bought))
    expect(await termOf(readerId)).toMatchObject({ sub_type: 'print', sub_end_on: today, sub_paid: null })
  })

  it.each([
    ['no subscription', { subType: '' as const }],
    ['one that was over', { subEndOn: '2026-10-31' }],
  ])('restores a record that had %s if the bought term has not begun: none of it is posted', async (_, former) => {
    const { id } = await makePublication(services)
    const { lastName, addressOne, postCode } = address
    const readerId = await makeReader(services, id, { ...former, lastName, addressOne, postCode, subPaid: 4500 })
    const before = await termOf(readerId)
    const bought = await orderYear(readerId, 'print', { publicationId: id, startOn: '2027-01-01' })
    const includedOn = async (on: string) => (await countMailing(ctx, { publicationId: id, on })).included
    expect(await includedOn('2027-01-01')).toBe(1)
    await inTransaction(() => reverseTerm(ctx, { ...bought, publicationId: id }))
    expect([await includedOn('2026-12-31'), await includedOn('2027-01-01')]).toEqual([0, 0])
    expect(await termOf(readerId)).toEqual(before)
  })

  it('leaves a new record without a subscription if its term has not begun, and a won dispute restores it', async () => {
    const newRecord = { readerId: undefined, keepsRecord: false, isNewRecord: true, startOn: '2027-01-01' }
    const ordered = await orderYear(0, 'print', newRecord)
    const [{ id: readerId } = { id: 0 }] = await services.db.query<{ id: number }>(`SELECT MAX(id) AS id FROM readers`)
    const bought = { ...ordered, readerId }
    const asBought = await termOf(readerId)
    await inTransaction(() => reverseTerm(ctx, bought))
    expect(await termOf(readerId)).toMatchObject({ sub_type: '', sub_start_on: '1970-01-01', sub_end_on: openEnd })
    expect(String((await readerRow(services, readerId))?.history)).toMatch(/: reversed \(.*\), no subscription$/)
    await inTransaction(() => restoreTerm(ctx, bought))
    expect(await termOf(readerId)).toEqual(asBought)
  })

  it.each([
    ['in full', undefined, '2026-12-31'],
    ['of its later months', '2027-06-30', '2027-06-30'],
  ])('%s shortens a record that has more than the renewed product', async (_, keptUntil, subEndOn) => {
    const readerId = await makeReader(services, publicationId, { subType: 'bundle', subEndOn: '2026-12-31' })
    const startOn = '2027-01-01'
    const endOn = '2027-12-31'
    const renewal = {
      readerId,
      publicationId,
      orderId: ++orderId,
      orderNumber: `OD-${orderId}`,
      product: 'print',
    } as const
    await inTransaction(async () => {
      const reader = await Readers.find(ctx, { id: readerId })
      if (!reader) throw new Error('There is no such reader')
      const term = { startOn, endOn, reader: { subStartOn: reader.subStartOn, subEndOn: endOn, subAnchorDay: 31 } }
      const money = { amount: 2999, currency: 'GBP' } as const
      await renewReader(ctx, listedRecord(ctx, reader), { ...renewal, term, today, productName: 'One year', money })
    })
    expect(await termOf(readerId)).toMatchObject({ sub_type: 'bundle', sub_end_on: endOn })
    await inTransaction(() => reverseTerm(ctx, { ...renewal, startOn, endOn, today, reason: 'refunded', keptUntil }))
    expect(await termOf(readerId)).toMatchObject({ sub_type: 'bundle', sub_end_on: subEndOn })
  })

  it('of its later months keeps the amount', async () => {
    const readerId = await makeReader(services, publicationId, { subType: '' })
    const bought = await orderYear(readerId, 'print')
    await inTransaction(() => reverseTerm(ctx, { ...bought, keptUntil: '2027-01-31' }))
    expect(await termOf(readerId)).toMatchObject({ sub_end_on: '2027-01-31', sub_paid: 2999 })
    const [event] = await services.db.query<{ amount: number | null }>(
      `SELECT amount FROM reader_events WHERE reader_id = :readerId AND kind = 'reversed'`,
      { readerId },
    )
    expect(event).toEqual({ amount: 2999 })
  })
})
