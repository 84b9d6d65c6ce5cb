import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { postCopies } from '#core/orders/post-copies.ts'
import { actorOf, makeBackIssue, operator } from '#tests/support/factories.ts'
import { issueForm, makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { getOrderInvoice } from '../invoices/order-invoice.query.ts'
import { placeBackIssueOrder } from '../orders/place-back-issue-order.ts'
import { placeOrder } from '../orders/place-order.ts'
import { refundOrder } from '../orders/refund-order.ts'
import { takeStaffOrder } from '../orders/take-staff-order.ts'
import { exportVat } from '../vat/export-vat.ts'
import { vatLinesOf } from '../vat/vat-lines.rows.ts'
import { vatReport } from '../vat/vat-report.query.ts'
import { getVatSettings, removeVatRate, setVatExchangeRate, setVatRate, setVatSettings } from '../vat/vat-settings.ts'
import { closeMonth, reopenMonth } from './close-month.ts'
import { fillVat } from './fill-vat.ts'
import { enterReversal, enterUndone } from './ledger-entries.rows.ts'
import { makeJournal } from './make-journal.ts'
import { ledgerSchedule } from './schedule.query.ts'
import { closedMonthDifferences } from './verify-closed-months.ts'
import { checkLedgerTotals, verifyLedger } from './verify-ledger.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

afterAll(async () => {
  // The stored totals have the same VAT as the entries, for everything sold, refunded and filled in these tests.
  expect(await verifyLedger(services.as(operator), {})).toMatchObject({ different: 0 })
  expect(await checkLedgerTotals(services)).toEqual([])
})

let shop: Awaited<ReturnType<typeof makeShop>>
let staff: ReturnType<TestServices['as']>
let publisher: Actor
beforeEach(async () => {
  services.clock.now = new Date('2026-01-01T10:00:00Z')
  shop = await makeShop(services, { sellsBackIssues: true })
  publisher = await actorOf(services, 'publisher', shop.publisherId)
  staff = services.as(publisher)
})

const buy = async (fields: object = {}) =>
  (await placeOrder(services.as(visitor), orderForm(shop, { ...fields }))).orderId
const usAddress = { addressOne: '1 Main', city: 'Reno', state: 'NV', postCode: '89501' }
const register = (fields: object = {}) =>
  setVatSettings(staff, { isRegistered: 'true', vatNumber: 'GB 123 4567 89', bundlePrint: '70', ...fields })
const setRate = (supply: string, percent: string, country = 'GB', fromOn = '01/01/2020') =>
  setVatRate(staff, { country, supply, fromOn, rate: percent, scheme: country === 'GB' ? 'uk' : 'none' })
const lines = async (orderId: number) =>
  (await vatLinesOf(staff, orderId)).map(({ kind, supply, gross, vat, problem }) => [kind, supply, gross, vat, problem])
const sumOf = async (orderId: number, name: 'vat' | 'amount') => {
  const rows = await services.db.query<{ sum: number }>(
    `SELECT SUM(${name}) AS sum FROM ledger_entries WHERE order_id = :orderId`,
    { orderId },
  )
  return Number(rows[0]?.sum)
}

describe('the VAT of an order', () => {
  it('is written with the sale, with its tax point, its country and the evidence', async () => {
    await register()
    await setRate('digital', '20')
    const id = await buy({ plan: '1BN39.99' })
    expect(await vatLinesOf(staff, id)).toMatchObject([
      {
        kind: 'sale',
        cause: '',
        taxPoint: '2026-01-01',
        supply: 'print',
        scheme: 'uk',
        rate: 0,
        country: 'GB',
        billingCountry: 'GB',
        shippingCountry: '',
        decidedBy: 'billing',
        customer: 'consumer',
        currency: 'GBP',
        gross: 2799,
        net: 2799,
        vat: 0,
        netGbp: 2799,
        vatGbp: 0,
        problem: '',
      },
      { supply: 'digital', rate: 2000, gross: 1200, net: 1000, vat: 200, vatGbp: 200 },
    ])
    expect(await sumOf(id, 'vat')).toBe(200)
  })

  it('treats postage as a separate supply, not set until its rate is', async () => {
    await register()
    const issue = await makeBackIssue(services, shop.id, { price: 600, postage: 200, stock: 9 })
    const { orderId } = await placeBackIssueOrder(services.as(visitor), issueForm(shop, [issue.id]))
    expect(await lines(orderId)).toEqual([
      ['sale', 'back-issue', 600, 0, ''],
      ['sale', 'shipping', 200, null, 'rate'],
    ])
    await setRate('shipping', '20')
    expect(await lines(orderId)).toHaveLength(2)
    expect(await fillVat(staff, {})).toEqual({ orders: 1, after: null })
    expect(await lines(orderId)).toEqual([
      ['sale', 'back-issue', 600, 0, ''],
      ['sale', 'shipping', 200, 33, ''],
    ])
    expect(await sumOf(orderId, 'vat')).toBe(33)
    // Existing VAT is unchanged.
    await setRate('shipping', '10')
    expect(await fillVat(staff, {})).toEqual({ orders: 0, after: null })
    expect(await sumOf(orderId, 'vat')).toBe(33)
  })

  it('stays as reported in a closed month, until it is reopened', async () => {
    const id = await buy()
    services.clock.now = new Date('2026-02-10T10:00:00Z')
    await closeMonth(staff, { month: '2026-01' })
    await register()
    await setRate('print', '20')
    expect(await fillVat(staff, {})).toEqual({ orders: 0, after: null })
    expect(await lines(id)).toEqual([['sale', 'print', 2999, null, 'settings']])
    expect(await closedMonthDifferences(staff, { publisherId: shop.publisherId })).toEqual([])
    // Sales from before VAT was stored have no VAT lines.
    await services.db.run('DELETE FROM vat_lines WHERE publication_id = :id', { id: shop.id })
    await services.db.run('UPDATE ledger_entries SET vat = NULL WHERE publication_id = :id', { id: shop.id })
    await fillVat(staff, {})
    await refundOrder(staff, { id, scope: 'amount', amount: '10.00', method: 'hand', key: 'vat-closed-refund' })
    expect(await closedMonthDifferences(staff, { publisherId: shop.publisherId })).toEqual([])
    // The refund is in an open month: it is listed there, and not counted as a refund without VAT.
    expect(await vatReport(staff, { from: '01/02/2026', until: '28/02/2026' })).toMatchObject({
      rows: [],
      boxes: { isComplete: false },
      notSetCount: 1,
      notSet: [{ orderId: id, gross: -1000, problem: 'not-worked-out' }],
    })
    await reopenMonth(staff, { month: '2026-01', reason: 'VAT was not set' })
    expect(await fillVat(staff, {})).toEqual({ orders: 1, after: null })
    expect(await lines(id)).toEqual([
      ['sale', 'print', 2999, 500, ''],
      ['refund', 'print', -1000, -167, ''],
    ])
  })

  it('is reversed with each refund, never beyond the VAT of the sale, and completely by a full refund', async () => {
    await register()
    await setRate('print', '20')
    const id = await buy()
    services.clock.now = new Date('2026-04-20T10:00:00Z')
    await refundOrder(staff, { id, scope: 'amount', amount: '10.00', method: 'hand', key: 'vat-refund-1' })
    expect(await lines(id)).toEqual([
      ['sale', 'print', 2999, 500, ''],
      ['refund', 'print', -1000, -167, ''],
    ])
    await refundOrder(staff, { id, scope: 'whole', method: 'hand', key: 'vat-refund-2' })
    expect((await lines(id)).at(-1)).toEqual(['refund', 'print', -1999, -333, ''])
    expect([await sumOf(id, 'vat'), await sumOf(id, 'amount')]).toEqual([0, 0])
  })

  it('of an EU business is reverse charged for digital supplies, and the invoice says so', async () => {
    await register({ usesOss: 'true', ossNumber: 'EU372012345' })
    await setRate('print', '0', 'EU')
    await setVatRate(staff, { country: 'EU', supply: 'digital', fromOn: '01/01/2020', rate: '21', scheme: 'eu-oss' })
    await services.db.run(
      `INSERT INTO publication_prices (publication_id, product, term_months, band, is_recurring, amount)
       VALUES (:id, 'bundle', 12, 'EU', FALSE, 5000)`,
      { id: shop.id },
    )
    const order = (fields: object) =>
      takeStaffOrder(staff, {
        publicationId: shop.id,
        plan: '1BN50.00',
        country: 'DE',
        firstName: 'Anna',
        lastName: 'Lang',
        method: 'invoice',
        billing: { addressOne: 'Hauptstr. 1', city: 'Bonn', postCode: '53111' },
        idempotencyKey: randomUUID(),
        email: `${randomUUID()}@example.test`,
        ...fields,
      })
    await expect(order({ vatNumber: 'DE 1234' })).rejects.toMatchObject({
      fields: { vatNumber: 'That is not a VAT number of this country: check its digits after DE' },
    })
    const business = await order({ vatNumber: 'de 123 456 789' })
    const consumer = await order({})
    const linesWith = async (orderId: number) =>
      (await vatLinesOf(staff, orderId)).map(({ kind, supply, scheme, vat, customer, buyerVatNumber }) => [
        kind,
        supply,
        scheme,
        vat,
        customer,
        buyerVatNumber,
      ])
    expect(await linesWith(business.orderId)).toEqual([
      ['sale', 'print', 'none', 0, 'business', 'DE123456789'],
      ['sale', 'digital', 'reverse', 0, 'business', 'DE123456789'],
    ])
    expect(await linesWith(consumer.orderId)).toEqual([
      ['sale', 'print', 'none', 0, 'consumer', ''],
      ['sale', 'digital', 'eu-oss', 260, 'consumer', ''],
    ])
    expect((await getOrderInvoice(staff, { orderId: business.orderId }))?.vat).toMatchObject({
      isReverseCharged: true,
      buyerVatNumber: 'DE123456789',
    })
    expect(
      (await vatReport(staff, { quarter: '2026-Q1' })).rows.map(({ scheme, supply, vat }) => [scheme, supply, vat]),
    ).toEqual(expect.arrayContaining([['reverse', 'digital', 0]]))
    await refundOrder(staff, {
      id: business.orderId,
      scope: 'whole',
      method: 'hand',
      key: 'vat-business-1',
      reason: 'x',
    })
    expect((await linesWith(business.orderId)).slice(2)).toEqual([
      ['refund', 'print', 'none', 0, 'business', 'DE123456789'],
      ['refund', 'digital', 'reverse', 0, 'business', 'DE123456789'],
    ])
  })

  it('is restored when a dispute is won', async () => {
    await register()
    await setRate('print', '20')
    const id = await buy()
    const cause = { orderId: id, kind: 'dispute', cause: 'dispute:d1', today: '2026-06-10' } as const
    await services.db.transaction(() => enterReversal(staff, { ...cause, amount: 2999 }))
    expect(await sumOf(id, 'vat')).toBe(0)
    await services.db.transaction(() => enterUndone(staff, { ...cause, by: 'dispute-won' }))
    expect((await lines(id)).map(([kind, , gross, vat]) => [kind, gross, vat])).toEqual([
      ['sale', 2999, 500],
      ['dispute', -2999, -500],
      ['dispute-won', 2999, 500],
    ])
    expect(await sumOf(id, 'vat')).toBe(500)
  })

  it('of older sales is computed on demand, in as many runs as needed', async () => {
    const ids = [await buy(), await buy({ plan: '1BN39.99' })]
    await services.db.run('DELETE FROM vat_lines WHERE publication_id = :id', { id: shop.id })
    await services.db.run('UPDATE ledger_entries SET vat = NULL WHERE publication_id = :id', { id: shop.id })
    await register({ isRegistered: 'false' })
    expect(await fillVat(staff, { maxOrders: 1 })).toEqual({ orders: 1, after: ids[0] })
    expect(await fillVat(staff, { maxOrders: 1 })).toEqual({ orders: 1, after: null })
    expect(await Promise.all(ids.map(lines))).toEqual([
      [['sale', 'print', 2999, 0, '']],
      [['sale', 'bundle', 3999, 0, '']],
    ])
  })

  it('is filled in even after older orders that cannot be filled, and skips orders of closed months', async () => {
    await register()
    const closed = await buy()
    services.clock.now = new Date('2026-02-10T10:00:00Z')
    await closeMonth(staff, { month: '2026-01' })
    await services.db.run('DELETE FROM vat_lines WHERE publication_id = :id', { id: shop.id })
    await services.db.run('UPDATE ledger_entries SET vat = NULL WHERE publication_id = :id', { id: shop.id })
    await buy({ country: 'US', plan: '1PN49.99', billing: usAddress })
    const issue = await makeBackIssue(services, shop.id, { price: 600, postage: 200, stock: 9 })
    const { orderId: fillable } = await placeBackIssueOrder(services.as(visitor), issueForm(shop, [issue.id]))
    await setRate('shipping', '20')
    expect(await fillVat(staff, { maxOrders: 1 })).toEqual({ orders: 1, after: null })
    expect((await lines(fillable)).map(([, , , , problem]) => problem)).toEqual(['', ''])
    expect(await lines(closed)).toEqual([])
  })

  it('is filled in by runs that look at a limited number of orders, each from where the last one stopped', async () => {
    await register()
    const unfillable = { country: 'US', plan: '1PN49.99', billing: usAddress }
    const ids = [await buy(unfillable), await buy(unfillable)]
    const issue = await makeBackIssue(services, shop.id, { price: 600, postage: 200, stock: 9 })
    const { orderId: fillable } = await placeBackIssueOrder(services.as(visitor), issueForm(shop, [issue.id]))
    await setRate('shipping', '20')
    const firstRun = await fillVat(staff, { maxRead: 1 })
    expect(firstRun).toEqual({ orders: 0, after: ids[0] })
    expect(await fillVat(staff, { maxRead: 1 })).toEqual(firstRun)
    expect(await fillVat(staff, { maxRead: 1, after: ids[0] })).toEqual({ orders: 0, after: ids[1] })
    expect(await fillVat(staff, { maxRead: 1, after: ids[1] })).toEqual({ orders: 1, after: null })
    expect((await lines(fillable)).map(([, , , , problem]) => problem)).toEqual(['', ''])
  })

  it('never changes more orders than a run may, also after parts with orders that cannot be filled in', async () => {
    await register()
    const unfillable = await buy({ country: 'US', plan: '1PN49.99', billing: usAddress })
    const ids = [await buy(), await buy({ plan: '1BN39.99' }), await buy()]
    await services.db.run('DELETE FROM vat_lines WHERE order_id IN (:ids)', { ids })
    await services.db.run('UPDATE ledger_entries SET vat = NULL WHERE order_id IN (:ids)', { ids })
    // Of the first two orders that are read, one cannot be filled in: one more may be, not two.
    expect(await fillVat(staff, { maxOrders: 2 })).toEqual({ orders: 2, after: ids[1] })
    expect(unfillable).toBeLessThan(ids[0] ?? 0)
    expect(await fillVat(staff, {})).toEqual({ orders: 1, after: null })
  })

  it('lists what is missing, and is hidden from other publishers and user types', async () => {
    const id = await buy({ country: 'US', plan: '1PN49.99', billing: usAddress })
    expect(await lines(id)).toEqual([['sale', 'print', 4999, null, 'settings']])
    await register()
    await fillVat(staff, {})
    expect(await lines(id)).toEqual([['sale', 'print', 4999, null, 'rate']])
    await setRate('print', '0', 'XX')
    await fillVat(staff, {})
    expect(await lines(id)).toEqual([['sale', 'print', 4999, 0, 'exchange']])
    await setVatExchangeRate(staff, { month: '2026-01', currency: 'USD', exchangeRate: '1.25' })
    await fillVat(staff, {})
    expect((await vatLinesOf(staff, id))[0]).toMatchObject({
      problem: '',
      netGbp: 3999,
      vatGbp: 0,
      exchangeRate: 1_250_000,
    })
    const otherShop = await makeShop(services)
    const stranger = services.as(await actorOf(services, 'publisher', otherShop.publisherId))
    const [ownRate] = (await getVatSettings(staff, {})).rates
    await removeVatRate(stranger, { id: ownRate?.id })
    expect((await getVatSettings(staff, {})).rates).toHaveLength(1)
    expect(await getVatSettings(stranger, {})).toMatchObject({ settings: null, rates: [], exchangeRates: [] })
    const mailer = services.as(await actorOf(services, 'mailer', shop.publisherId))
    await expect(getVatSettings(mailer, {})).rejects.toMatchObject({ kind: 'denied' })
  })
})

describe('settings', () => {
  it('are refused when invalid, each with its field', async () => {
    const fieldsOf = (attempt: Promise<unknown>) =>
      attempt.then(
        () => [],
        (error: { fields?: object }) => Object.keys(error.fields ?? {}),
      )
    const rateOf = (fields: object) =>
      setVatRate(staff, {
        country: 'FR',
        supply: 'digital',
        fromOn: '2026-01-01',
        rate: '20',
        scheme: 'eu-oss',
        ...fields,
      })
    expect(await fieldsOf(setVatSettings(staff, { isRegistered: 'true', bundlePrint: '101' }))).toEqual(['bundlePrint'])
    expect(await fieldsOf(setVatSettings(staff, { isRegistered: 'true', usesOss: 'true' }))).toEqual([
      'vatNumber',
      'ossNumber',
    ])
    expect(await fieldsOf(setVatSettings(staff, {}))).toEqual(['isRegistered'])
    expect(await fieldsOf(rateOf({ country: 'ZZ' }))).toEqual(['country'])
    expect(await fieldsOf(rateOf({ country: 'US' }))).toEqual(['scheme'])
    expect(await fieldsOf(rateOf({ supply: 'bundle' }))).toEqual(['supply'])
    expect(await fieldsOf(rateOf({ fromOn: '31/02/2026' }))).toEqual(['fromOn'])
    expect(await fieldsOf(rateOf({ fromOn: '' }))).toEqual(['fromOn'])
    expect(await fieldsOf(rateOf({ rate: '5.555' }))).toEqual(['rate'])
    expect(await fieldsOf(rateOf({ scheme: 'none' }))).toEqual(['rate'])
    expect(await fieldsOf(setVatExchangeRate(staff, { month: '2026-13', currency: 'USD', exchangeRate: '1' }))).toEqual(
      ['month'],
    )
    expect(await fieldsOf(setVatExchangeRate(staff, { month: '2026-12', currency: 'GBP', exchangeRate: '0' }))).toEqual(
      ['currency'],
    )
    await rateOf({ rate: '5.5' })
    await rateOf({ rate: '20' })
    expect((await getVatSettings(staff, {})).rates).toMatchObject([{ country: 'FR', rate: 2000, scheme: 'eu-oss' }])
  })
})

describe('the journal and the schedule', () => {
  it('do not defer VAT: it is owed in the month of the sale, and returned in that of the refund', async () => {
    await register()
    await setRate('print', '20')
    await setRate('digital', '5')
    const issue = await makeBackIssue(services, shop.id, { price: 600, postage: 120 })
    await setRate('back-issue', '20')
    await setRate('shipping', '20')
    const refundedId = await buy()
    await buy({ plan: '1BN39.99' })
    const copies = await placeBackIssueOrder(services.as(visitor), issueForm(shop, [issue.id]))
    services.clock.now = new Date('2026-04-20T10:00:00Z')
    await refundOrder(staff, {
      id: refundedId,
      scope: 'amount',
      amount: '7.77',
      method: 'hand',
      key: 'journal-refund-1',
    })
    await postCopies(staff, { orderIds: [copies.orderId] })
    services.clock.now = new Date('2026-08-20T10:00:00Z')
    await refundOrder(staff, { id: refundedId, scope: 'whole', method: 'hand', key: 'journal-refund-2' })
    services.clock.now = new Date('2027-03-10T10:00:00Z')
    const { rows, months } = await ledgerSchedule(staff, { from: '2026-01', until: '2027-02' })
    const totals = new Map<string, number>()
    let opening = 0
    for (const month of months) {
      const { journals } = await makeJournal(staff, { month })
      const posted = journals.flatMap((journal) => journal.lines)
      expect(posted.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
      for (const { account, amount } of posted) totals.set(account, (totals.get(account) ?? 0) + amount)
      const monthRows = rows.filter((row) => row.month === month)
      const total = (part: 'opening' | 'closing' | 'sold' | 'refunded' | 'earned') =>
        monthRows.reduce((sum, row) => sum + row[part], 0)
      expect(total('opening')).toBe(opening)
      opening = total('closing')
      expect(total('opening') + total('sold') - total('refunded') - total('earned')).toBe(opening)
      expect(0 - (totals.get('deferred') ?? 0)).toBe(opening)
      if (month === '2026-01') expect(0 - (totals.get('vat') ?? 0)).toBe(500 + 467 + 57 + 120)
    }
    // The final balance: £39.99 and £7.20 with VAT, all earned, nothing owed.
    expect(opening).toBe(0)
    expect(Object.fromEntries(totals)).toEqual({
      'receivable:demo': 4719,
      vat: -(467 + 57 + 120),
      deferred: 0,
      sales: -(4719 - 467 - 57 - 120),
    })
  })
})

describe('the report of a quarter', () => {
  it('sums sales and refunds on their own days, lists what is not set, and matches its file', async () => {
    await register({ quarterMonth: '2' })
    await setRate('print', '20')
    services.clock.now = new Date('2026-01-31T10:00:00Z')
    const refundedId = await buy()
    services.clock.now = new Date('2026-02-01T10:00:00Z')
    await buy()
    await refundOrder(staff, {
      id: refundedId,
      scope: 'amount',
      amount: '6.00',
      method: 'hand',
      key: 'report-refund-1',
    })
    const frenchOrder = {
      country: 'FR',
      plan: '1PN39.99',
      billing: { addressOne: '1 rue', city: 'Paris', postCode: '75001' },
    }
    await buy(frenchOrder)
    const report = await vatReport(staff, { quarter: '2026-Q1' })
    expect(report).toMatchObject({ from: '2026-02-01', until: '2026-04-30', notSetCount: 1 })
    const sums = { count: 2, gross: 2399, net: 1999, vat: 400, netGbp: 1999, vatGbp: 400 }
    expect(report.rows).toEqual([
      { scheme: 'uk', country: 'GB', rate: 2000, supply: 'print', currency: 'GBP', ...sums },
    ])
    expect(report.boxes).toEqual({ box1: 400, box6: 1999, isComplete: false })
    expect(report.notSet).toMatchObject([
      { country: 'FR', supply: 'print', gross: 3999, problem: 'rate', currency: 'EUR' },
    ])
    const { fileName, chunks } = await exportVat(staff, { quarter: '2026-Q1' })
    const text = await textOf(chunks)
    expect([fileName, text.split('\r\n')[1]]).toEqual([
      'VAT_2026-Q1.csv',
      'UK,GB,20,Print,GBP,2,19.99,4.00,23.99,19.99,4.00',
    ])
    expect(report.missingRates).toEqual([{ country: 'FR', supply: 'print', count: 1 }])
    expect(await vatReport(staff, { quarter: '2025-Q4' })).toMatchObject({
      boxes: { box1: 500, isComplete: true },
      missingRates: [],
    })
    expect(await vatReport(staff, { from: '01/01/2026', until: '31/01/2026' })).toMatchObject({
      quarter: null,
      rows: [{ count: 1 }],
    })
    for (const invalidInput of [
      { quarter: '2026-Q7' },
      { from: '02/01/2026', until: '01/01/2026' },
      { until: '01/01/2026' },
      { quarter: '2026-Q1', from: '01/01/2026' },
      { quarter: '2026-Q1', until: '31/03/2026' },
    ])
      await expect(vatReport(staff, invalidInput)).rejects.toMatchObject({ kind: 'invalid' })
    const stranger = services.as(await actorOf(services, 'publisher', (await makeShop(services)).publisherId))
    expect(await vatReport(stranger, { quarter: '2026-Q1' })).toMatchObject({ rows: [], notSetCount: 0 })
  })
})
