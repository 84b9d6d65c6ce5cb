import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { closeMonth, reopenMonth } from '#core/ledger/close-month.ts'
import type { JournalAccount } from '#core/ledger/journal.rules.ts'
import { makeJournal } from '#core/ledger/make-journal.ts'
import { payoutRows } from '#core/ledger/payouts.query.ts'
import { actorOf } from '#tests/support/factories.ts'
import {
  type PayPalCells,
  paypalReport,
  type StripeCells,
  soldBy,
  stripeReport,
} from '#tests/support/provider-reports.ts'
import { makeShop } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { readReportFile } from './store-report.ts'

/** What the journals post for payouts if a report adds lines after their month was closed. */

let services: TestServices
const folder = mkdtempSync(join(tmpdir(), 'closed-payouts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(async () => {
  services = await openTestServices()
})
const setDay = (day: string) => {
  services.clock.now = new Date(`${day}T09:30:00Z`)
}
beforeEach(() => setDay('2026-10-05'))

let counter = 0
async function makeFixture() {
  const shop = await makeShop(services)
  const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const fixtureId = ++counter
  const sell = (provider: 'stripe-card' | 'paypal', name: string) =>
    soldBy(services, shop, { provider, reference: `pi_${fixtureId}_${name}`, charge: `ch_${fixtureId}_${name}` })
  const readReport = (text: string) => {
    const file = join(folder, `report-${fixtureId}-${Math.random()}.csv`)
    writeFileSync(file, text)
    return readReportFile(staff, { file, fileName: 'report.csv' })
  }
  const journals = async (month: string) =>
    (await makeJournal(staff, { month })).journals.filter(({ publicationName }) => publicationName.endsWith('payouts'))
  const posted = async (month: string, account: JournalAccount) =>
    (await journals(month))
      .flatMap(({ lines }) => lines)
      .reduce((sum, line) => sum + (line.account === account ? line.amount : 0), 0)
  const close = (month: string) => closeMonth(staff, { month })
  return { staff, fixtureId, sell, readReport, journals, posted, close, publisherId: shop.publisherId }
}

/** A charge of £29.99 with a fee of 65p, in a payout of October. */
const charge = (fixtureId: number, name: string, fields: StripeCells = {}): StripeCells => ({
  automatic_payout_id: `po_${fixtureId}`,
  automatic_payout_effective_at: '2026-10-08 00:00:00',
  balance_transaction_id: `txn_${fixtureId}_${name}`,
  gross: '29.99',
  fee: '0.65',
  net: '29.34',
  reporting_category: 'charge',
  source_id: `ch_${fixtureId}_${name}`,
  payment_intent_id: `pi_${fixtureId}_${name}`,
  ...fields,
})

/** A line without an order: a payout, or a payout that was returned. */
const transfer = (name: string, fields: StripeCells): StripeCells => ({
  balance_transaction_id: `txn_${name}`,
  reporting_category: 'payout',
  created_utc: '2026-10-08 00:05:00',
  ...fields,
})

describe('a payout of a closed month', () => {
  it('is not posted again when a later report has its own line', async () => {
    const { fixtureId, sell, readReport, journals, posted, close, staff } = await makeFixture()
    await sell('stripe-card', '1')
    await readReport(stripeReport([charge(fixtureId, '1')]))
    setDay('2026-11-02')
    const october = await journals('2026-10')
    expect(await posted('2026-10', 'bank')).toBe(2934)
    await close('2026-10')
    await readReport(
      stripeReport([transfer(`${fixtureId}_po`, { source_id: `po_${fixtureId}`, gross: '-29.34', net: '-29.34' })]),
    )
    expect(await journals('2026-10')).toEqual(october)
    expect(await posted('2026-11', 'bank')).toBe(0)
    expect(await journals('2026-11')).toEqual([])
    // November is frozen as well, and December posts nothing either.
    setDay('2026-12-02')
    await close('2026-11')
    expect([await journals('2026-11'), await journals('2026-12')]).toEqual([[], []])
    expect(await journals('2026-10')).toEqual(october)
    // Once reopened, the months are computed from the lines as they are.
    await reopenMonth(staff, { month: '2026-11', reason: 'A look' })
    await reopenMonth(staff, { month: '2026-10', reason: 'A look' })
    expect((await posted('2026-10', 'bank')) + (await posted('2026-11', 'bank'))).toBe(2934)
    expect(await journals('2026-12')).toEqual([])
  })

  it.each([true, false])(
    'stays in its month when a later one was closed, whether or not its own was closed (%s)',
    async (isClosed) => {
      const { fixtureId, sell, readReport, journals, posted, close, staff } = await makeFixture()
      await sell('stripe-card', '1')
      await readReport(stripeReport([charge(fixtureId, '1')]))
      setDay('2026-12-02')
      const october = await journals('2026-10')
      expect(await posted('2026-10', 'bank')).toBe(2934)
      if (isClosed) await close('2026-10')
      await close('2026-11')
      await readReport(
        stripeReport([transfer(`${fixtureId}_po`, { source_id: `po_${fixtureId}`, gross: '-29.34', net: '-29.34' })]),
      )
      expect(await journals('2026-10')).toEqual(october)
      expect([await journals('2026-09'), await journals('2026-11'), await journals('2026-12')]).toEqual([[], [], []])
      await reopenMonth(staff, { month: '2026-11', reason: 'A look' })
      if (isClosed) await reopenMonth(staff, { month: '2026-10', reason: 'A look' })
      expect((await posted('2026-10', 'bank')) + (await posted('2026-12', 'bank'))).toBe(2934)
    },
  )

  it('is posted in the open month only for the lines that a later report adds', async () => {
    const { fixtureId, sell, readReport, journals, posted, close } = await makeFixture()
    for (const name of ['1', '2']) await sell('stripe-card', name)
    const fee = { gross: '-2.00', fee: '0.00', net: '-2.00', reporting_category: 'fee', payment_intent_id: '' }
    await readReport(stripeReport([charge(fixtureId, '1'), charge(fixtureId, 'fee', { ...fee, source_id: '' })]))
    setDay('2026-11-02')
    const october = await journals('2026-10')
    await close('2026-10')
    await readReport(stripeReport([charge(fixtureId, '1'), charge(fixtureId, '2')]))
    expect(await journals('2026-10')).toEqual(october)
    expect(await posted('2026-10', 'bank')).toBe(2734)
    expect(await posted('2026-10', 'fees')).toBe(200)
    expect(await posted('2026-11', 'bank')).toBe(2934)
    expect(await posted('2026-11', 'receivable:stripe-card')).toBe(-2934)
    expect(await posted('2026-11', 'differences')).toBe(0)
    expect(await posted('2026-11', 'fees')).toBe(0)
    // The open November takes the rest, so December posts nothing.
    setDay('2026-12-02')
    expect(await journals('2026-12')).toEqual([])
  })

  it('keeps its difference when PayPal’s lines are assigned to another withdrawal, and the open month reverses it', async () => {
    const { fixtureId, sell, readReport, journals, posted, close, staff, publisherId } = await makeFixture()
    const orders = [await sell('paypal', '1'), await sell('paypal', '2')]
    const sale = (index: number, fields: PayPalCells): PayPalCells => ({
      Type: 'Express Checkout Payment',
      Gross: '29.99',
      Fee: '-1.17',
      Net: '28.82',
      'Transaction ID': `S${fixtureId}_${index}`,
      'Invoice Number': orders[index]?.orderNumber ?? '',
      ...fields,
    })
    const withdrawal = (id: string, amount: string, fields: PayPalCells): PayPalCells => ({
      Type: 'General Withdrawal',
      'Transaction ID': `${id}${fixtureId}`,
      Gross: amount,
      Net: amount,
      ...fields,
    })
    await readReport(
      paypalReport([
        sale(0, { Time: '08:00:00', Balance: '1,028.82' }),
        sale(1, { Time: '08:30:00', Balance: '1,056.64' }),
        withdrawal('W', '-1,000.00', { Time: '09:30:00', Balance: '56.64' }),
      ]),
    )
    setDay('2026-11-02')
    const october = await journals('2026-10')
    expect(await posted('2026-10', 'differences')).toBe(100)
    await close('2026-10')
    await readReport(paypalReport([withdrawal('V', '-1.00', { Time: '08:15:00', Balance: '1,027.82' })]))
    expect((await payoutRows(services, { publisherId })).map(({ matched, missing }) => [matched, missing])).toEqual([
      [2999, 0],
      [2999, 0],
    ])
    expect(await journals('2026-10')).toEqual(october)
    expect(await posted('2026-11', 'differences')).toBe(-100)
    expect(await posted('2026-11', 'bank')).toBe(100)
    await reopenMonth(staff, { month: '2026-10', reason: 'The report was incomplete' })
    expect(await posted('2026-10', 'differences')).toBe(0)
    expect(await posted('2026-10', 'bank')).toBe(100_000)
    expect((await posted('2026-10', 'bank')) + (await posted('2026-11', 'bank'))).toBe(100_100)
  })
})
