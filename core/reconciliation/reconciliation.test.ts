import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { closeMonth, reopenMonth } from '#core/ledger/close-month.ts'
import { getMonthCloses } from '#core/ledger/get-month-closes.query.ts'
import type { JournalAccount } from '#core/ledger/journal.rules.ts'
import { ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { makeJournal } from '#core/ledger/make-journal.ts'
import { payoutRows, unreconciledPayouts } from '#core/ledger/payouts.query.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { settleOrder } from '#core/orders/settle-order.ts'
import type { ChargeResult } from '#core/ports/payment-gateway.ts'
import { actorOf, system } from '#tests/support/factories.ts'
import {
  type PayPalCells,
  paypalReport,
  type StripeCells,
  settlementReport,
  soldBy,
  stripeColumns,
  stripeReport,
} from '#tests/support/provider-reports.ts'
import { makeShop } from '#tests/support/shop.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { pieces } from '#tests/support/uploads.ts'
import { runWorker } from '#tests/support/worker.ts'
import { exportReconciliation } from './export-reconciliation.ts'
import { getReconciliation } from './get-reconciliation.query.ts'
import { matchLine, unmatchLine } from './match-by-hand.ts'
import { readReportFile, storeReport } from './store-report.ts'

let services: TestServices
let stripe: StripeServer
const folder = mkdtempSync(join(tmpdir(), 'reports-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
beforeEach(() => {
  services.clock.now = new Date('2026-10-05T09:30:00Z')
})
const { open, order } = stripeShops(
  () => services,
  () => stripe,
)

let counter = 0
async function makeFixture() {
  const shop = await makeShop(services)
  const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const fixtureId = ++counter
  const sell = (provider: 'stripe-card' | 'stripe-bacs' | 'paypal' = 'stripe-card', name = '1') =>
    soldBy(services, shop, { provider, reference: `pi_${fixtureId}_${name}`, charge: `ch_${fixtureId}_${name}` })
  /** Reads a report synchronously, as the command line does. */
  const readReport = (text: string | Uint8Array, fileName = 'report.csv') => {
    const file = join(folder, `report-${fixtureId}-${Math.random()}.csv`)
    writeFileSync(file, text)
    return readReportFile(staff, { file, fileName })
  }
  const reconciliation = () => getReconciliation(staff, {})
  const entries = (kind: string) =>
    services.db.query<{ amount: number; currency: string; entered_on: string }>(
      `SELECT amount, currency, entered_on FROM ledger_entries WHERE publisher_id = :id AND kind = :kind ORDER BY id`,
      { id: shop.publisherId, kind },
    )
  return { shop, staff, fixtureId, sell, readReport, reconciliation, entries, publisherId: shop.publisherId }
}

/** A charge of £29.99 of payout po_1, with a fee of 65p. */
const charge = (fixtureId: number, name = '1', fields: StripeCells = {}): StripeCells => ({
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

/** A payment of £29.99 with refunds that were made at Stripe. */
const paidWith = (fixtureId: number, refunds: { name: string; amount: number }[]): ChargeResult => ({
  state: 'paid',
  reference: `pi_${fixtureId}_1`,
  money: { amount: 2999, currency: 'GBP' },
  refunds: refunds.map(({ name, amount }) => ({
    reference: `re_${fixtureId}_${name}`,
    idempotencyKey: null,
    amount,
    state: 'succeeded',
    reason: '',
  })),
})

/** What the journals of a month post to an account, after checking that each of them balances. */
async function posted(staff: AppContext, month: string, account: JournalAccount): Promise<number> {
  const { journals } = await makeJournal(staff, { month })
  const sum = (lines: { amount: number }[]) => lines.reduce((total, { amount }) => total + amount, 0)
  for (const { narration, lines } of journals) expect({ narration, sum: sum(lines) }).toEqual({ narration, sum: 0 })
  return sum(journals.flatMap(({ lines }) => lines.filter((line) => line.account === account)))
}

describe('a Stripe payout report', () => {
  it('posts unexplained amounts to differences, and reverses them in the month they are explained', async () => {
    const { fixtureId, sell, readReport, reconciliation, staff } = await makeFixture()
    await sell('stripe-card', '1')
    const debit = await sell('stripe-bacs', '2')
    await readReport(stripeReport([charge(fixtureId, '1'), charge(fixtureId, 'stranger')]))
    const october = async () => ({
      bank: await posted(staff, '2026-10', 'bank'),
      card: await posted(staff, '2026-10', 'receivable:stripe-card'),
      debit: await posted(staff, '2026-10', 'receivable:stripe-bacs'),
      differences: await posted(staff, '2026-10', 'differences'),
    })
    services.clock.now = new Date('2026-11-02T09:30:00Z')
    const before = { bank: 5868, card: 0, debit: 2999, differences: -2934 }
    expect(await october()).toEqual(before)
    await closeMonth(staff, { month: '2026-10' })

    const [stranger] = (await reconciliation()).unmatched
    await matchLine(staff, { lineId: stranger?.id, orderNumber: debit.orderNumber })
    // The closed month is unchanged; November has the rest, with the fee of the payment.
    expect(await october()).toEqual(before)
    expect(await posted(staff, '2026-11', 'differences')).toBe(2934)
    expect(await posted(staff, '2026-11', 'receivable:stripe-bacs')).toBe(-2999)
    expect(await posted(staff, '2026-11', 'fees')).toBe(65)
    expect(await posted(staff, '2026-11', 'bank')).toBe(0)

    // Once November is closed, its journal includes the match, which stays until the month is reopened.
    services.clock.now = new Date('2026-12-02T09:30:00Z')
    await closeMonth(staff, { month: '2026-11' })
    await expect(unmatchLine(staff, { lineId: stranger?.id })).rejects.toMatchObject({
      kind: 'conflict',
      message: 'This match belongs to November 2026, which is closed',
    })
    await reopenMonth(staff, { month: '2026-11', reason: 'Another order' })
    await unmatchLine(staff, { lineId: stranger?.id })
    expect(await posted(staff, '2026-11', 'differences')).toBe(0)
    expect(await october()).toEqual(before)
  })

  it('is matched by payment, charge or order number, in any column order, and its fees are entered', async () => {
    const { fixtureId, sell, readReport, reconciliation, entries, staff, publisherId } = await makeFixture()
    await sell('stripe-card', '1')
    await sell('stripe-card', '2')
    const thirdOrder = await sell('stripe-bacs', '3')
    const before = await ledgerTotals(staff, {})
    const text = stripeReport(
      [
        charge(fixtureId, '1'),
        charge(fixtureId, '2', { payment_intent_id: '' }),
        charge(fixtureId, '3', {
          source_id: 'py_other',
          payment_intent_id: '',
          reporting_category: 'charge',
          'payment_metadata[orderNumber]': thirdOrder.orderNumber,
        }),
        charge(fixtureId, 'fee', {
          gross: '-2.00',
          fee: '0.00',
          net: '-2.00',
          reporting_category: 'fee',
          source_id: '',
        }),
      ],
      [...[...stripeColumns].reverse(), 'trace_id', 'card_brand'],
    )
    const report = await readReport(text)
    expect(report).toMatchObject({
      provider: 'stripe',
      state: 'done',
      added: 4,
      alreadyRead: 0,
      failed: 0,
      firstOn: '2026-10-05',
    })
    const found = await reconciliation()
    expect(found).toMatchObject({ unmatched: [], unreported: [], waiting: [] })
    expect(found.payouts).toMatchObject([
      {
        reference: `po_${fixtureId}`,
        paidOn: '2026-10-08',
        matched: 8997,
        fees: -395,
        amount: 8602,
        missing: 0,
        hasOwnLine: false,
      },
    ])
    expect(await entries('fee')).toMatchObject([1, 2, 3].map(() => ({ amount: -65, entered_on: '2026-10-05' })))
    expect(await ledgerTotals(staff, {})).toEqual(before)
    expect(await unreconciledPayouts(services, { publisherId, until: '2026-12-31' })).toEqual([])
    services.clock.now = new Date('2026-11-01T09:30:00Z')
    const sumOf = (account: JournalAccount) => posted(staff, '2026-10', account)
    // Everything was paid out: neither payment method owes anything.
    expect(await sumOf('receivable:stripe-card')).toBe(0)
    expect(await sumOf('receivable:stripe-bacs')).toBe(0)
    expect(await sumOf('bank')).toBe(8602)
    expect(await sumOf('fees')).toBe(395)
    expect(await sumOf('differences')).toBe(0)
  })

  it('with a payout that failed and was sent again with the next one explains both', async () => {
    const { fixtureId, sell, readReport, reconciliation, staff } = await makeFixture()
    await sell('stripe-card', '1')
    const transfer = (name: string, fields: StripeCells) =>
      charge(fixtureId, name, {
        automatic_payout_id: '',
        payment_intent_id: '',
        fee: '0.00',
        net: fields.gross ?? '',
        ...fields,
      })
    const payout = { reporting_category: 'payout', gross: '-29.34' }
    await readReport(
      stripeReport([
        charge(fixtureId, '1'),
        transfer('po', { ...payout, source_id: `po_${fixtureId}`, created_utc: '2026-10-08 00:05:00' }),
        transfer('failed', {
          reporting_category: 'payout_failure',
          source_id: `po_${fixtureId}`,
          automatic_payout_id: `po_${fixtureId}_next`,
          gross: '29.34',
          created_utc: '2026-10-10 00:05:00',
          automatic_payout_effective_at: '2026-10-11 00:00:00',
        }),
        transfer('next', { ...payout, source_id: `po_${fixtureId}_next`, created_utc: '2026-10-11 00:05:00' }),
      ]),
    )
    const { payouts } = await reconciliation()
    expect(payouts.map(({ reference, amount, moved, missing }) => [reference, amount, moved, missing])).toEqual([
      [`po_${fixtureId}_next`, 2934, 2934, 0],
      [`po_${fixtureId}`, 2934, 0, 0],
    ])
    services.clock.now = new Date('2026-11-02T09:30:00Z')
    expect(await posted(staff, '2026-10', 'differences')).toBe(0)
    expect(await posted(staff, '2026-10', 'bank')).toBe(2934)
  })

  it('changes nothing the second time, and an overlapping one adds new lines and completes known ones', async () => {
    const { fixtureId, sell, readReport, reconciliation, entries } = await makeFixture()
    await sell('stripe-card', '1')
    await sell('stripe-card', '2')
    const blank = { automatic_payout_id: '', automatic_payout_effective_at: '' }
    const balance = stripeReport([charge(fixtureId, '1', blank)])
    expect(await readReport(balance)).toMatchObject({ added: 1, alreadyRead: 0 })
    expect(await readReport(balance)).toMatchObject({ added: 0, alreadyRead: 1 })
    expect((await reconciliation()).waiting).toEqual([{ provider: 'stripe', currency: 'GBP', lines: 1, net: 2934 }])
    expect(await readReport(stripeReport([charge(fixtureId, '1'), charge(fixtureId, '2')]))).toMatchObject({
      added: 1,
      alreadyRead: 1,
    })
    // A blank value in a repeated report removes nothing.
    await readReport(balance)
    const found = await reconciliation()
    expect(found.waiting).toEqual([])
    expect(found.payouts).toMatchObject([{ lines: 2, matched: 5998, amount: 5868 }])
    expect(await entries('fee')).toHaveLength(2)
  })

  it('completes a known fee of a closed month, whose journal stays as it was', async () => {
    const { fixtureId, sell, readReport, reconciliation, staff } = await makeFixture()
    await sell('stripe-card', '1')
    const blank = { automatic_payout_id: '', automatic_payout_effective_at: '' }
    const fee = { gross: '-2.00', fee: '0.00', net: '-2.00', reporting_category: 'fee', source_id: '' }
    const line = { ...fee, payment_intent_id: '' }
    await readReport(stripeReport([charge(fixtureId, 'fee', { ...line, ...blank })]))
    services.clock.now = new Date('2026-11-02T09:30:00Z')
    const { journals } = await makeJournal(staff, { month: '2026-10' })
    expect(await posted(staff, '2026-10', 'fees')).toBe(200)
    await closeMonth(staff, { month: '2026-10' })
    const inNovember = { automatic_payout_effective_at: '2026-11-02 00:00:00' }
    await readReport(
      stripeReport([charge(fixtureId, 'fee', { ...line, ...inNovember }), charge(fixtureId, '1', inNovember)]),
    )
    expect((await reconciliation()).payouts).toMatchObject([{ reference: `po_${fixtureId}`, lines: 2 }])
    expect((await makeJournal(staff, { month: '2026-10' })).journals).toEqual(journals)
    // November has only the fee of the payment.
    expect(await posted(staff, '2026-11', 'fees')).toBe(65)
  })

  it('adds to a known line what the buyer paid in their own currency', async () => {
    const { fixtureId, readReport, publisherId } = await makeFixture()
    await readReport(stripeReport([charge(fixtureId, 'euro')]))
    const paid = { customer_facing_amount: '35.00', customer_facing_currency: 'eur' }
    expect(await readReport(stripeReport([charge(fixtureId, 'euro', paid)]))).toMatchObject({
      added: 0,
      alreadyRead: 1,
    })
    const lines = await services.db.query(
      `SELECT customer_amount, customer_currency FROM provider_lines WHERE publisher_id = :publisherId`,
      { publisherId },
    )
    expect(lines).toEqual([{ customer_amount: 3500, customer_currency: 'EUR' }])
  })

  it('lists mismatches with their reasons, and what the report lacks', async () => {
    const { fixtureId, sell, readReport, reconciliation, staff, publisherId } = await makeFixture()
    for (const name of ['less', 'euro', 'twice', 'missing']) await sell('stripe-card', name)
    const refunded = await sell('stripe-card', 'back')
    const { orderId } = await sell('stripe-card', 'never')
    await services.db.run(`DELETE FROM ledger_entries WHERE order_id = :orderId`, { orderId })
    await refundOrder(staff, { id: refunded.orderId, scope: 'amount', amount: '5.00', method: 'hand' })
    await readReport(
      stripeReport([
        charge(fixtureId, 'less', { gross: '28.99', net: '28.34' }),
        charge(fixtureId, 'euro', { customer_facing_amount: '29.99', customer_facing_currency: 'eur' }),
        charge(fixtureId, 'twice'),
        charge(fixtureId, 'twice', { balance_transaction_id: `txn_${fixtureId}_twice_b` }),
        charge(fixtureId, 'back'),
        charge(fixtureId, 'never'),
        charge(fixtureId, 'stranger'),
        charge(fixtureId, 'po', {
          automatic_payout_id: '',
          source_id: `po_${fixtureId}`,
          reporting_category: 'payout',
          payment_intent_id: '',
          gross: '-200.00',
          fee: '0.00',
          net: '-200.00',
          created_utc: '2026-10-08 00:05:00',
        }),
      ]),
    )
    const found = await reconciliation()
    expect(
      found.unmatched.map(({ lineKey, state }) => [lineKey.replace(`txn_${fixtureId}_`, ''), state]).sort(),
    ).toEqual([
      ['euro', 'currency'],
      ['less', 'amount'],
      ['never', 'not-entered'],
      ['stranger', 'unknown'],
      ['twice_b', 'twice'],
    ])
    expect(found.unmatchedSums).toEqual([{ currency: 'GBP', count: 5, amount: 14_895 }])
    expect(found.unreported.map(({ what }) => what)).toEqual(['sale', 'sale', 'sale'])
    expect(found.withoutReport).toEqual([{ method: 'Manual refund', currency: 'GBP', count: 1, amount: -500 }])
    const [payout] = await payoutRows(services, { publisherId })
    expect(payout).toMatchObject({ amount: 20_000, hasOwnLine: true, matched: 5998, notMatched: 14_895, fees: -455 })
    expect(payout?.missing).toBe(20_000 - 5998 - 14_895 + 455)
    expect(await unreconciledPayouts(services, { publisherId, until: '2026-10-08' })).toHaveLength(1)
    expect(await unreconciledPayouts(services, { publisherId, until: '2026-10-07' })).toEqual([])
    services.clock.now = new Date('2026-11-02T09:30:00Z')
    const { checks } = await getMonthCloses(staff, { month: '2026-10' })
    expect(checks.find(({ name }) => name === 'unreconciled-payouts')).toMatchObject({
      found: 1,
      examples: [{ label: `po_${fixtureId} of 08/10/2026`, to: null }],
      page: { to: '/payments/reconcile' },
    })
    // Of the payout of 200.00 the two lines that agree explain 29.34 each.
    expect(await posted(staff, '2026-10', 'differences')).toBe(0 - (20_000 - 2 * 2934))
    expect(await posted(staff, '2026-10', 'bank')).toBe(20_000)
  })

  it('is matched by hand with its fee entered once, and unmatched', async () => {
    const { fixtureId, sell, readReport, reconciliation, entries, staff } = await makeFixture()
    const { orderNumber } = await sell('stripe-card', '1')
    await readReport(stripeReport([charge(fixtureId, 'x', { source_id: 'ch_x', payment_intent_id: '' })]))
    const [line] = (await reconciliation()).unmatched
    const lineId = line?.id
    await expect(matchLine(staff, { lineId, orderNumber: 'OD-NOTHERE' })).rejects.toMatchObject({ kind: 'invalid' })
    await matchLine(staff, { lineId, orderNumber })
    await expect(matchLine(staff, { lineId, orderNumber })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await reconciliation()).toMatchObject({
      unmatched: [],
      unreported: [],
      byHand: [{ id: lineId, order: { orderNumber } }],
    })
    expect(await entries('fee')).toMatchObject([{ amount: -65 }])
    await unmatchLine(staff, { lineId })
    expect(await reconciliation()).toMatchObject({ unmatched: [{ id: lineId, state: 'unknown' }], byHand: [] })
    await matchLine(staff, { lineId, orderNumber })
    expect((await entries('fee')).reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(-65)
  })

  it('of a dispute that is matched to the wrong order leaves its fee only with the right one', async () => {
    const { fixtureId, sell, readReport, reconciliation, staff } = await makeFixture()
    const wrong = await sell('stripe-card', '1')
    const right = await sell('stripe-card', '2')
    const dispute = { gross: '-29.99', fee: '20.00', net: '-49.99', reporting_category: 'dispute', source_id: 'dp_7' }
    await readReport(stripeReport([charge(fixtureId, 'x', { ...dispute, payment_intent_id: '' })]))
    const [line] = (await reconciliation()).unmatched
    const lineId = line?.id
    const feesOfOrder = async (orderId: number) => {
      const rows = await services.db.query<{ amount: number }>(
        `SELECT amount FROM ledger_entries WHERE order_id = :orderId AND kind = 'fee'`,
        { orderId },
      )
      return rows.reduce((sum, { amount }) => sum + Number(amount), 0)
    }
    await matchLine(staff, { lineId, orderNumber: wrong.orderNumber })
    await unmatchLine(staff, { lineId })
    expect(await feesOfOrder(wrong.orderId)).toBe(0)
    await matchLine(staff, { lineId, orderNumber: right.orderNumber })
    expect(await feesOfOrder(right.orderId)).toBe(-2000)
    await unmatchLine(staff, { lineId })
    await matchLine(staff, { lineId, orderNumber: right.orderNumber })
    expect([await feesOfOrder(wrong.orderId), await feesOfOrder(right.orderId)]).toEqual([0, -2000])
    // The provider's own report of the dispute adds nothing to it, and its fee stays when the match is undone.
    await settleOrder(services.as(system), {
      orderId: right.orderId,
      result: {
        state: 'paid',
        reference: `pi_${fixtureId}_2`,
        money: { amount: 2999, currency: 'GBP' },
        disputes: [
          { reference: 'dp_7', amount: 2999, state: 'lost', reason: '', fee: { amount: 2000, currency: 'GBP' } },
        ],
      },
    })
    expect(await feesOfOrder(right.orderId)).toBe(-2000)
    await unmatchLine(staff, { lineId })
    expect(await feesOfOrder(right.orderId)).toBe(-2000)
  })

  it('of a refund in another currency is matched by hand to the refund, which the report then no longer lacks', async () => {
    const { fixtureId, sell, readReport, reconciliation, staff } = await makeFixture()
    const { orderId, orderNumber } = await sell('stripe-card', '1')
    const ctx = services.as(system)
    for (const [name, amount] of [
      ['one', 500],
      ['two', 700],
    ] as const)
      await settleOrder(ctx, { orderId, result: paidWith(fixtureId, [{ name, amount }]) })
    await readReport(
      stripeReport([
        charge(fixtureId),
        charge(fixtureId, 'back', {
          reporting_category: 'refund',
          currency: 'usd',
          gross: '-9.10',
          fee: '0.00',
          net: '-9.10',
          source_id: `re_${fixtureId}_two`,
        }),
      ]),
    )
    const { unmatched, unreported } = await reconciliation()
    expect(unreported.map(({ amount }) => amount)).toEqual([-500, -700])
    await matchLine(staff, { lineId: unmatched[0]?.id, orderNumber })
    expect(await reconciliation()).toMatchObject({ unmatched: [], unreported: [{ what: 'refund', amount: -500 }] })
    await unmatchLine(staff, { lineId: unmatched[0]?.id })
    expect((await reconciliation()).unreported).toHaveLength(2)
  })

  it('keeps its fee when it is unmatched and then matched automatically to the same order', async () => {
    const { fixtureId, sell, readReport, reconciliation, entries, staff } = await makeFixture()
    await readReport(stripeReport([charge(fixtureId)]))
    const [line] = (await reconciliation()).unmatched
    const { orderNumber } = await sell('stripe-card', '1')
    await matchLine(staff, { lineId: line?.id, orderNumber })
    await unmatchLine(staff, { lineId: line?.id })
    expect(await reconciliation()).toMatchObject({ unmatched: [], byHand: [] })
    expect((await entries('fee')).map(({ amount }) => Number(amount))).toEqual([-65, 65, -65])
  })

  it('never matches or names an order of another publisher', async () => {
    const theirs = await makeFixture()
    const ours = await makeFixture()
    const { orderNumber } = await theirs.sell('stripe-card', '1')
    await ours.readReport(
      stripeReport([charge(theirs.fixtureId, '1', { 'payment_metadata[orderNumber]': orderNumber })]),
    )
    const { unmatched } = await ours.reconciliation()
    expect(unmatched).toMatchObject([{ state: 'unknown', order: null }])
    const lineId = unmatched[0]?.id
    await expect(matchLine(ours.staff, { lineId, orderNumber })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(matchLine(theirs.staff, { lineId, orderNumber })).rejects.toMatchObject({ kind: 'notFound' })
    expect(await theirs.reconciliation()).toMatchObject({ reports: [], payouts: [], unmatched: [] })
    expect(await ours.entries('fee')).toEqual([])
  })

  it('reports a wrong row and imports the others; a file without its columns is refused', async () => {
    const { fixtureId, readReport } = await makeFixture()
    const rows = [
      charge(fixtureId, '1', { gross: 'twelve' }),
      charge(fixtureId, '2', { net: '29.99' }),
      charge(fixtureId, '3', { created_utc: 'yesterday' }),
      charge(fixtureId, '4', { currency: 'pounds' }),
      charge(fixtureId, '5'),
      charge(fixtureId, '5', { gross: '30.99', net: '30.34' }),
    ]
    const bom = '\ufeff'
    const report = await readReport(bom + stripeReport(rows).replaceAll('\n', '\r\n').replaceAll('\r\r', '\r'))
    expect(report).toMatchObject({ added: 1, failed: 5 })
    expect(report.rejects.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '2: gross is not an amount in GBP: “twelve”',
      '3: net is not gross less the fee: 29.99, 0.65, 29.99',
      '4: created is not a valid date and time: “yesterday”',
      '5: Currency is not a three-letter code: “pounds”',
      `7: txn_${fixtureId}_5 was read before with a different amount: the first one is kept`,
    ])
    await expect(readReport('Name,Age\nAnn,3\n')).rejects.toMatchObject({
      kind: 'invalid',
      fields: { file: expect.stringContaining('“balance_transaction_id”') },
    })
    const incompleteColumns = stripeColumns.filter((name) => name !== 'net')
    await expect(readReport(stripeReport([charge(fixtureId)], incompleteColumns))).rejects.toMatchObject({
      fields: { file: expect.stringContaining('lacks the column “net”') },
    })
    const admin = services.as(await actorOf(services, 'admin'))
    await expect(getReconciliation(admin, {})).rejects.toMatchObject({ kind: 'denied' })
  })

  it('is read with a text that would be cut within an emoji', async () => {
    const { fixtureId, readReport, publisherId } = await makeFixture()
    const report = await readReport(
      stripeReport([
        charge(fixtureId, '1', { description: `${'x'.repeat(199)}😀` }),
        charge(fixtureId, '2', { gross: `${'x'.repeat(59)}😀` }),
      ]),
    )
    expect(report).toMatchObject({
      state: 'done',
      added: 1,
      failed: 1,
      rejects: [{ reason: `gross is not an amount in GBP: “${'x'.repeat(59)}”` }],
    })
    const lines = await services.db.query(`SELECT description FROM provider_lines WHERE publisher_id = :publisherId`, {
      publisherId,
    })
    expect(lines).toEqual([{ description: 'x'.repeat(199) }])
  })

  it('is read with NUL bytes in a row, which PostgreSQL refuses', async () => {
    const { fixtureId, readReport, publisherId } = await makeFixture()
    const report = await readReport(
      stripeReport([
        charge(fixtureId, '1', { description: 'Gift\0' }),
        { ...charge(fixtureId, '2'), balance_transaction_id: `txn_\0${fixtureId}_2` },
        charge(fixtureId, '3', { gross: '\0' }),
      ]),
    )
    expect(report).toMatchObject({
      state: 'done',
      added: 2,
      failed: 1,
      rejects: [{ reason: 'gross is not an amount in GBP: “\ufffd”' }],
    })
    const lines = await services.db.query(
      `SELECT line_key, description FROM provider_lines WHERE publisher_id = :publisherId ORDER BY id`,
      { publisherId },
    )
    expect(lines).toMatchObject([{ description: 'Gift\ufffd' }, { line_key: `txn_\ufffd${fixtureId}_2` }])
  })

  it('is read by the worker after its upload, one at a time', async () => {
    const { fixtureId, sell, reconciliation, staff } = await makeFixture()
    await sell('stripe-card', '1')
    const text = stripeReport([charge(fixtureId, '1')])
    const stored = await storeReport(staff, { fileName: 'October.csv', chunks: pieces(text) })
    expect(stored).toMatchObject({ state: 'waiting', fileName: 'October.csv' })
    await expect(storeReport(staff, { fileName: 'two.csv', chunks: pieces(text) })).rejects.toMatchObject({
      kind: 'conflict',
    })
    await runWorker(services)
    expect(await reconciliation()).toMatchObject({
      reports: [{ state: 'done', added: 1 }],
      unmatched: [],
      payouts: [{ matched: 2999 }],
    })
    const { chunks, fileName } = await exportReconciliation(staff, {})
    expect(fileName).toBe('Reconciliation_5102026.csv')
    const csv = await textOf(chunks)
    expect(csv.split('\r\n')[1]).toMatch(/^Stripe,txn_\d+_1,05\/10\/2026,Payment,charge,GBP,29.99,0.65,29.34,po_/)
  })

  it('with a refund and its charge in different payouts, and a dispute, enters the fee once', async () => {
    services.clock.now = new Date('2026-10-05T09:30:00Z')
    const shop = await open()
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const { placed, intent } = await order({}, 'stripe-card', shop)
    stripe.pay(intent)
    await confirmOrder(services.as(visitor), placed)
    const [payment] = await services.db.query<{ charge_reference: string }>(
      `SELECT charge_reference FROM payments WHERE order_id = :orderId`,
      { orderId: placed.orderId },
    )
    expect(payment?.charge_reference).toMatch(/^ch_/)
    const refund = await refundOrder(staff, { id: placed.orderId, scope: 'amount', amount: '5.00' })
    const [refundRow] = await services.db.query<{ provider_reference: string }>(
      `SELECT provider_reference FROM refunds WHERE id = :id`,
      { id: refund.id },
    )
    await services.db.run(
      `INSERT INTO disputes (publisher_id, order_id, provider_reference, state, amount, currency, fee, fee_currency, opened_at, updated_at)
       VALUES (:publisherId, :orderId, 'dp_1', 'open', 2499, 'GBP', 2000, 'GBP', :now, :now)`,
      { publisherId: shop.publisherId, orderId: placed.orderId, now: services.clock.now },
    )
    const file = join(folder, 'refund.csv')
    writeFileSync(
      file,
      stripeReport([
        charge(900, 'a', { source_id: payment?.charge_reference ?? '', payment_intent_id: '' }),
        charge(900, 'b', {
          automatic_payout_id: 'po_901',
          gross: '-5.00',
          fee: '0.00',
          net: '-5.00',
          reporting_category: 'refund',
          source_id: refundRow?.provider_reference ?? '',
          payment_intent_id: '',
        }),
        charge(900, 'c', {
          automatic_payout_id: 'po_901',
          gross: '-24.99',
          fee: '20.00',
          net: '-44.99',
          source_id: 'dp_1',
          reporting_category: 'dispute',
          payment_intent_id: intent,
        }),
      ]),
    )
    await readReportFile(staff, { file, fileName: 'refund.csv' })
    const found = await getReconciliation(staff, {})
    expect(found.unmatched).toEqual([])
    expect(found.payouts.map(({ reference, matched, fees }) => [reference, matched, fees])).toEqual([
      ['po_900', 2999, -65],
      ['po_901', -2999, -2000],
    ])
    const fees = await services.db.query<{ cause: string }>(
      `SELECT cause FROM ledger_entries WHERE order_id = :orderId AND kind = 'fee' ORDER BY cause`,
      { orderId: placed.orderId },
    )
    expect(fees.map(({ cause }) => cause.replace(/\d+\//, 'n/'))).toEqual(['dispute:dp_1', 'line:n/0'])
  })
})

describe('a PayPal settlement report', () => {
  it('is read by its column names, with the signs from the debit or credit columns, and matched like any other', async () => {
    const { fixtureId, sell, readReport, reconciliation, publisherId } = await makeFixture()
    const firstOrder = await sell('paypal', '1')
    const secondOrder = await sell('paypal', '2')
    const rows = [
      {
        'Transaction ID': `P1${fixtureId}`,
        'Invoice ID': firstOrder.orderNumber,
        'Transaction Event Code': 'T0006',
        'Gross Transaction Amount': '2999',
        'Fee Amount': '117',
        'Transaction Initiation Date': '2026/10/14 08:00:00 +0100',
      },
      {
        'Transaction ID': `P2${fixtureId}`,
        'Custom Field': secondOrder.orderNumber,
        'Transaction Event Code': 'T0006',
        'Gross Transaction Amount': '2999',
        'Fee Amount': '117',
        // The next day in London, where it is counted.
        'Transaction Initiation Date': '2026/10/14 16:30:00 -0700',
      },
      {
        'Transaction ID': `H${fixtureId}`,
        'Transaction Event Code': 'T1501',
        'Gross Transaction Amount': '500',
        'Transaction Debit or Credit': 'DR',
      },
      {
        'Transaction ID': `F${fixtureId}`,
        'Transaction Event Code': 'T0106',
        'Gross Transaction Amount': '1400',
        'Transaction Debit or Credit': 'DR',
      },
      {
        'Transaction ID': `W${fixtureId}`,
        'Transaction Event Code': 'T0400',
        'Gross Transaction Amount': '3864',
        'Transaction Debit or Credit': 'DR',
        'Transaction Initiation Date': '2026/10/15 09:00:00 +0100',
      },
    ]
    const report = await readReport(settlementReport(rows))
    expect(report).toMatchObject({
      provider: 'paypal',
      added: 5,
      failed: 0,
      firstOn: '2026-10-14',
      lastOn: '2026-10-15',
    })
    expect((await reconciliation()).unmatched).toEqual([])
    const [payout] = await payoutRows(services, { publisherId })
    expect(payout).toMatchObject({ amount: 3864, matched: 5998, fees: -1634, moved: -500, notMatched: 0, missing: 0 })
    // The columns in another order, and the same lines again.
    const columns = [
      'Gross Transaction Currency',
      'Transaction Event Code',
      'Gross Transaction Amount',
      'Transaction ID',
    ]
    const others = ['Fee Debit or Credit', 'Fee Amount', 'Transaction Debit or Credit', 'Transaction Initiation Date']
    expect(await readReport(settlementReport(rows, [...others, ...columns]))).toMatchObject({
      added: 0,
      alreadyRead: 5,
      failed: 0,
    })
    // The same payment in the activity download is the same line.
    const activity = { Type: 'Express Checkout Payment', Gross: '29.99', Fee: '-1.17', Net: '28.82' }
    expect(await readReport(paypalReport([{ ...activity, 'Transaction ID': `P1${fixtureId}` }]))).toMatchObject({
      alreadyRead: 1,
      added: 0,
    })
  })

  it('matches a refund by its payment, and reports wrong rows', async () => {
    const { fixtureId, sell, readReport, reconciliation } = await makeFixture()
    const order = await sell('paypal', '1')
    await readReport(
      settlementReport([
        {
          'Transaction ID': `ch_${fixtureId}_1`,
          'Transaction Event Code': 'T0006',
          'Gross Transaction Amount': '2999',
          'Fee Amount': '117',
        },
      ]),
    )
    const report = await readReport(
      settlementReport([
        {
          'Transaction ID': `R${fixtureId}`,
          'Transaction Event Code': 'T1107',
          'Gross Transaction Amount': '1000',
          'Transaction Debit or Credit': 'DR',
          'PayPal Reference ID': `ch_${fixtureId}_1`,
          'PayPal Reference ID Type': 'TXN',
        },
        { 'Transaction ID': 'A', 'Transaction Event Code': 'T0006', 'Gross Transaction Amount': '29.99' },
        {
          'Transaction ID': 'B',
          'Transaction Event Code': 'T0006',
          'Gross Transaction Amount': '2999',
          'Transaction Debit or Credit': 'XX',
        },
        {
          'Transaction ID': 'C',
          'Transaction Event Code': 'T0006',
          'Gross Transaction Amount': '2999',
          'Transaction Initiation Date': '14/10/2026',
        },
        {
          'Transaction ID': 'D',
          'Transaction Event Code': 'T0006',
          'Gross Transaction Amount': '2999',
          'Fee Amount': '100',
          'Fee Currency': 'EUR',
        },
      ]),
    )
    expect(report).toMatchObject({ added: 1, failed: 4 })
    expect(report.rejects.map(({ line }) => line)).toEqual([6, 7, 8, 9])
    expect((await reconciliation()).unmatched).toMatchObject([
      { kind: 'refund', gross: -1000, order: { id: order.orderId } },
    ])
    await expect(
      readReport(settlementReport([{ 'Transaction ID': 'A' }], ['Transaction ID', 'Transaction Event Code'])),
    ).rejects.toThrow(/lacks the columns “Transaction Initiation Date”/)
  })
})

describe('a PayPal activity report', () => {
  const sale = (fixtureId: number, name: string, fields: PayPalCells = {}): PayPalCells => ({
    Type: 'Express Checkout Payment',
    Gross: '29.99',
    Fee: '-1.17',
    Net: '28.82',
    'Transaction ID': `ch_${fixtureId}_${name}`,
    ...fields,
  })

  it('is assigned to its withdrawals, with the balance before and after them', async () => {
    const { staff, fixtureId, sell, readReport, reconciliation, publisherId } = await makeFixture()
    const firstOrder = await sell('paypal', '1')
    const secondOrder = await sell('paypal', '2')
    const report = await readReport(
      paypalReport([
        sale(fixtureId, '1', { Time: '08:00:00', Balance: '1,028.82', 'Invoice Number': firstOrder.orderNumber }),
        sale(fixtureId, 'pending', { Status: 'Pending' }),
        sale(fixtureId, 'x', {
          Time: '08:30:00',
          'Transaction ID': `X${fixtureId}`,
          Balance: '1,057.64',
          'Custom Number': `${secondOrder.orderNumber}/key`,
        }),
        {
          Time: '09:30:00',
          Type: 'General Withdrawal',
          'Transaction ID': `W${fixtureId}`,
          Balance: '57.64',
          Gross: '-1,000.00',
          Net: '-1,000.00',
        },
        sale(fixtureId, 'euro', { Time: '10:00:00', Currency: 'JPY', Gross: '3,000', Fee: '-120', Net: '2,880' }),
      ]),
    )
    expect(report).toMatchObject({ provider: 'paypal', added: 4, ignored: 1, failed: 0 })
    const [payout] = await payoutRows(services, { publisherId })
    // The opening balance was 1,000.00, the closing balance is 57.64.
    expect(payout).toMatchObject({ amount: 100_000, matched: 5998, fees: -234, drawn: 94_236, missing: 0 })
    expect(await posted(staff, '2026-10', 'differences')).toBe(0)
    expect((await reconciliation()).waiting).toEqual([{ provider: 'paypal', currency: 'JPY', lines: 1, net: 2880 }])
    expect((await reconciliation()).unmatched).toMatchObject([
      { currency: 'JPY', gross: 3000, fee: 120, state: 'unknown' },
    ])
    // A withdrawal between the two sales, added by another report, gets its own lines.
    await readReport(
      paypalReport([
        {
          Time: '08:15:00',
          Type: 'User Initiated Withdrawal',
          'Transaction ID': `V${fixtureId}`,
          Balance: '1,028.82',
          Gross: '-1.00',
          Net: '-1.00',
        },
      ]),
    )
    expect((await payoutRows(services, { publisherId })).map(({ matched }) => matched).sort()).toEqual([2999, 2999])
  })

  it('matches a payment that PayPal reversed to the reversal in the ledger', async () => {
    const { fixtureId, sell, readReport, reconciliation } = await makeFixture()
    const { orderId } = await sell('paypal', '1')
    const reversed = { state: 'refunded', reference: `pi_${fixtureId}_1`, reason: 'Refunded at PayPal' } as const
    await settleOrder(services.as(system), { orderId, result: reversed })
    await readReport(
      paypalReport([
        sale(fixtureId, '1'),
        sale(fixtureId, 'back', {
          Type: 'Payment Reversal',
          Gross: '-29.99',
          Fee: '0.00',
          Net: '-29.99',
          'Reference Txn ID': `ch_${fixtureId}_1`,
        }),
      ]),
    )
    expect(await reconciliation()).toMatchObject({ unmatched: [], unreported: [] })
  })

  it('takes a hold for a dispute and its release as moved money, and matches the reversal that follows', async () => {
    const { fixtureId, sell, readReport, reconciliation, publisherId } = await makeFixture()
    const { orderId, orderNumber } = await sell('paypal', '1')
    const reversed: ChargeResult = {
      state: 'paid',
      reference: `pi_${fixtureId}_1`,
      money: { amount: 2999, currency: 'GBP' },
      disputes: [{ reference: `ch_${fixtureId}_1`, state: 'lost', amount: 2999, reason: 'Reversed', fee: null }],
    }
    await settleOrder(services.as(system), { orderId, result: reversed })
    const about = { 'Invoice Number': orderNumber, 'Reference Txn ID': `ch_${fixtureId}_1`, Fee: '0.00' }
    await readReport(
      paypalReport([
        sale(fixtureId, '1', { Time: '08:00:00', Balance: '28.82' }),
        sale(fixtureId, 'hold', {
          ...about,
          Type: 'Hold on Balance for Dispute Investigation',
          Time: '09:00:00',
          Balance: '-1.17',
          Gross: '-29.99',
          Net: '-29.99',
        }),
        sale(fixtureId, 'release', {
          ...about,
          Type: 'Cancellation of Hold for Dispute Resolution',
          Time: '10:00:00',
          Balance: '28.82',
          Gross: '29.99',
          Net: '29.99',
        }),
        sale(fixtureId, 'back', {
          ...about,
          Type: 'Payment Reversal',
          Time: '11:00:00',
          Balance: '-1.17',
          Gross: '-29.99',
          Net: '-29.99',
        }),
      ]),
    )
    expect(await reconciliation()).toMatchObject({ unmatched: [], unreported: [] })
    const lines = await services.db.query<{ kind: string; state: string }>(
      `SELECT kind, state FROM provider_lines WHERE publisher_id = :publisherId ORDER BY occurred_at`,
      { publisherId },
    )
    expect(lines.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'charge matched',
      'moved none',
      'moved none',
      'dispute matched',
    ])
  })

  it('reads semicolons, decimal commas, and American dates when one is unambiguous', async () => {
    const { fixtureId, readReport, reconciliation } = await makeFixture()
    const text = paypalReport([
      sale(fixtureId, 'a', { Date: '10/05/2026', Gross: '1.234,50', Fee: '-34,50', Net: '1.200,00', TimeZone: 'PST' }),
      sale(fixtureId, 'b', { Date: '10/31/2026', Gross: '2,50', Fee: '0,00', Net: '2,50', TimeZone: 'PST' }),
    ])
    const report = await readReport(text.replaceAll('","', '";"'))
    expect(report).toMatchObject({ added: 2, failed: 0, firstOn: '2026-10-05', lastOn: '2026-10-31' })
    expect((await reconciliation()).unmatched.map(({ gross }) => gross)).toEqual([250, 123_450])
  })
})

it('adds up: for every payout matched + fees + moved + drawn + not matched + missing is the payout', async () => {
  const { fixtureId, sell, readReport, publisherId } = await makeFixture()
  for (const name of ['0', '1', '2']) await sell('stripe-card', name)
  let run = 0
  const kinds = [
    'charge',
    'refund',
    'dispute',
    'fee',
    'payout',
    'payout_failure',
    'risk_reserved_funds',
    'other_adjustment',
  ]
  const row = fc.record({
    kind: fc.constantFrom(...kinds),
    at: fc.constantFrom('0', '1', '2', 'x'),
    payout: fc.constantFrom('a', 'b'),
    gross: fc.integer({ min: -5000, max: 5000 }),
    fee: fc.integer({ min: -300, max: 300 }),
  })
  const money = (amount: number) => (amount / 100).toFixed(2)
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      const tag = `${fixtureId}_${++run}`
      await readReport(
        stripeReport(
          rows.map(({ kind, at, payout, gross, fee }, index) => ({
            balance_transaction_id: `t_${tag}_${index}`,
            reporting_category: kind,
            payment_intent_id: `pi_${fixtureId}_${at}`,
            automatic_payout_id: `po_${tag}_${payout}`,
            // The source of a failed payout is that payout; its money is part of another one.
            source_id: kind === 'payout' ? `po_${tag}_${payout}` : kind === 'payout_failure' ? `po_${tag}_failed` : '',
            gross: money(gross),
            fee: money(fee),
            net: money(gross - fee),
          })),
        ),
      )
      const payouts = (await payoutRows(services, { publisherId })).filter(({ reference }) =>
        reference.includes(`_${tag}_`),
      )
      expect(payouts.reduce((sum, { lines }) => sum + lines, 0)).toBe(rows.length)
      for (const { reference, amount, matched, fees, moved, drawn, notMatched, missing } of payouts) {
        expect(matched + fees + moved + drawn + notMatched + missing).toBe(amount)
        const ownRows = rows.filter(({ payout }) => reference.endsWith(payout))
        const payoutLines = ownRows.filter(({ kind }) => kind === 'payout')
        const rest = ownRows.reduce((sum, { kind, gross, fee }) => sum + (kind === 'payout' ? 0 - fee : gross - fee), 0)
        expect(missing).toBe(payoutLines.length > 0 ? payoutLines.reduce((sum, { gross }) => sum - gross, 0) - rest : 0)
      }
    }),
    { numRuns: 8 },
  )
})
