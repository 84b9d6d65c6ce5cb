import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { currencies } from '#core/kernel/money.ts'
import { exportOrders } from '#core/ledger/export-orders.ts'
import { enterReversal } from '#core/ledger/ledger-entries.rows.ts'
import { ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { countNotPaid } from '#core/ledger/paid-orders.query.ts'
import { actorOf, makeBackIssue } from '#tests/support/factories.ts'
import { issueForm, makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { Disputes } from './disputes.rows.ts'
import { listOrders } from './list-orders.query.ts'
import { moveOrder } from './orders.rows.ts'
import { placeBackIssueOrder } from './place-back-issue-order.ts'
import { placeOrder } from './place-order.ts'
import { refundOrder } from './refund-order.ts'
import { takeStaffOrder } from './take-staff-order.ts'
import { writeOffInvoice } from './write-off-invoice.ts'

let services: TestServices
let staff: AppContext

/** One order of each kind, by its buyer's last name. */
beforeAll(async () => {
  services = await openTestServices()
  services.clock.now = new Date('2026-01-10T10:00:00Z')
  const shop = await makeShop(services, { digitalIsFree: true, sellsBackIssues: true })
  staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const buy = (lastName: string, fields: object = {}) =>
    placeOrder(services.as(visitor), orderForm(shop, { lastName, ...fields }))
  const take = (lastName: string, fields: object) =>
    takeStaffOrder(staff, {
      publicationId: shop.id,
      plan: '1PN29.99',
      country: 'GB',
      idempotencyKey: randomUUID(),
      lastName,
      firstName: 'Ann',
      email: `${lastName}@example.test`,
      method: 'cheque',
      billing: { addressOne: '1 Quay Street', city: 'London', postCode: 'SW1A 1AA' },
      ...fields,
    })

  await buy('Plain')
  await buy('Bundle', { plan: '1BN39.99' })
  await buy('Free', { plan: 'FDN' })
  const shipping = {
    firstName: 'Tom',
    lastName: 'Son',
    addressOne: '2 Quay Street',
    city: 'London',
    postCode: 'SW1A 1AA',
  }
  await buy('Gift', { isGift: true, isDeliveredToBilling: false, shipping })
  const issue = await makeBackIssue(services, shop.id, {})
  await placeBackIssueOrder(services.as(visitor), issueForm(shop, [issue.id], { lastName: 'Issue' }))

  const { orderId: part } = await buy('Part')
  await refundOrder(staff, { id: part, scope: 'amount', amount: '5.00' })
  const { orderId: whole } = await buy('Whole')
  await refundOrder(staff, { id: whole, scope: 'whole' })
  const { orderId: back } = await buy('Back')
  await services.db.transaction(async () => {
    const reversal = { orderId: back, kind: 'debit-failed', cause: 'debit', amount: 2999, today: '2026-01-10' } as const
    await enterReversal(staff, reversal)
    await moveOrder(staff, back, { from: ['paid'], to: 'reversed' })
  })
  const { orderId: disputed } = await buy('Disputed')
  await Disputes.insert(staff, {
    publisherId: shop.publisherId,
    orderId: disputed,
    providerReference: 'dp_1',
    state: 'open',
    amount: 2999,
    currency: 'GBP',
    feeCurrency: null,
    reason: 'fraudulent',
    openedAt: services.now(),
    endedAt: null,
  })

  await take('Post', { channel: 'post' })
  await take('Unpaid', { method: 'invoice', channel: 'phone' })
  const { orderId: given } = await take('Given', { method: 'invoice', channel: 'post' })
  await writeOffInvoice(staff, { orderId: given, reason: 'Closed down', expected: 2999 })
})

const namesOf = async (filter: object) =>
  (await listOrders(staff, { size: 100, sort: 'orderNumber', ...filter })).rows.map(({ lastName }) => lastName).sort()

const everyone = [
  'Back',
  'Bundle',
  'Disputed',
  'Free',
  'Gift',
  'Given',
  'Issue',
  'Part',
  'Plain',
  'Post',
  'Unpaid',
  'Whole',
]

describe('the sales ledger filtered by choices', () => {
  it.each([
    [{ payment: 'demo' }, ['Back', 'Bundle', 'Disputed', 'Gift', 'Issue', 'Part', 'Plain', 'Whole']],
    [{ payment: 'cheque' }, ['Post']],
    [{ payment: 'paypal' }, []],
    [{ product: 'bundle' }, ['Bundle']],
    [{ product: 'digital' }, ['Free']],
    [{ product: 'back-issues' }, ['Issue']],
    [{ state: 'paid' }, ['Bundle', 'Disputed', 'Gift', 'Issue', 'Plain', 'Post']],
    [{ state: 'part-refunded' }, ['Part']],
    [{ state: 'refunded' }, ['Whole']],
    [{ state: 'taken-back' }, ['Back']],
    [{ state: 'disputed' }, ['Disputed']],
    [{ state: 'unpaid' }, ['Unpaid']],
    [{ state: 'written-off' }, ['Given']],
    [{ state: 'free' }, ['Free']],
    [{ source: 'back-issues' }, ['Issue']],
    [{ source: 'gift' }, ['Gift']],
    [{ channel: 'post' }, ['Given', 'Post']],
    [{ channel: 'phone' }, ['Unpaid']],
    [{ payment: 'invoice', channel: 'post' }, ['Given']],
    [{ channel: 'post', q: 'post' }, ['Post']],
    [{ state: 'paid', from: '2000-01-01' }, ['Bundle', 'Disputed', 'Gift', 'Issue', 'Plain', 'Post']],
    [{ state: 'paid', from: '2000-01-01', by: 'entered' }, ['Bundle', 'Disputed', 'Gift', 'Issue', 'Plain', 'Post']],
    [{ state: 'paid', publicationId: -1 }, []],
  ])('%o', async (filter, expected) => {
    const { rows, total } = await listOrders(staff, { size: 100, ...filter })
    expect(rows.map(({ lastName }) => lastName).sort()).toEqual(expected)
    expect(total).toBe(expected.length)
    // All are counted even if the page shows none of them, and the sums are those of the rows.
    expect((await listOrders(staff, { ...filter, page: 2 })).total).toBe(expected.length)
    const sums = await ledgerTotals(staff, filter)
    for (const currency of currencies) {
      const inCurrency = rows.filter((row) => row.currency === currency)
      const net = inCurrency.reduce((sum, row) => sum + (row.net ?? 0), 0)
      expect(sums[currency]).toMatchObject({ orders: inCurrency.length, net })
    }
    const lines: string[] = []
    const { fileName, chunks } = await exportOrders(staff, filter)
    for await (const chunk of chunks) lines.push(...chunk.trim().split('\r\n'))
    expect(fileName).toMatch(/^Orders_/)
    expect(lines).toHaveLength(expected.length + 1)
  })

  it('puts each order in one state and one source', async () => {
    const states = ['paid', 'part-refunded', 'refunded', 'taken-back', 'unpaid', 'written-off', 'free']
    expect((await Promise.all(states.map((state) => namesOf({ state })))).flat().sort()).toEqual(everyone)
    // In a long list, the unpaid orders are counted instead of the paid ones.
    const paid = await namesOf({ state: 'paid' })
    expect(await countNotPaid(staff, {})).toBe(everyone.length - paid.length)
    const sources = ['new', 'renewal', 'gift', 'back-issues']
    expect((await Promise.all(sources.map((source) => namesOf({ source })))).flat().sort()).toEqual(everyone)
  })

  it('refuses an unknown choice, which would otherwise show everything', async () => {
    await expect(listOrders(staff, { state: 'lost', channel: 'api' })).rejects.toMatchObject({
      kind: 'invalid',
      fields: {
        state: expect.stringMatching(/^Must be one of paid, /),
        channel: 'Must be one of storefront, phone, post',
      },
    })
  })
})
