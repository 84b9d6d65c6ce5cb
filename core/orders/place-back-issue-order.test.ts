import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { BackIssueRow } from '#core/back-issues/back-issues.rows.ts'
import { ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import type { ChargeResult } from '#core/ports/payment-gateway.ts'
import { mailSender } from '#tests/support/emails.ts'
import { actorOf, makeBackIssue, system } from '#tests/support/factories.ts'
import { issueForm, makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { getConfirmation } from './get-confirmation.query.ts'
import { getOrder } from './get-order.query.ts'
import { listOrders } from './list-orders.query.ts'
import { placeBackIssueOrder } from './place-back-issue-order.ts'
import { placeOrder } from './place-order.ts'
import { settleOrder } from './settle-order.ts'

const sendOrderReceipt = mailSender('order-receipt')
const sendOrderNotice = mailSender('order-notice')

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const buy = (form: object) => placeBackIssueOrder(services.as(visitor), form)
const declined = { payment: { details: { cardNumber: '4000 0000 0000 0002' } } }

async function makeIssueShop(fields = {}) {
  return makeShop(services, { sellsBackIssues: true, ...fields })
}

async function makeIssue(publicationId: number, fields: Partial<BackIssueRow> = {}): Promise<number> {
  return (await makeBackIssue(services, publicationId, fields)).id
}

async function stockOf(id: number): Promise<number | null | undefined> {
  const [row] = await services.db.query<{ stock: number | null }>(`SELECT stock FROM back_issues WHERE id = :id`, {
    id,
  })
  return row?.stock
}

async function itemsOf(orderId: number) {
  return services.db.query(`SELECT * FROM order_items WHERE order_id = :orderId ORDER BY id`, { orderId })
}

describe('a sale of back issues', () => {
  it('creates the order, its items, the buyer and the ledger row, reserves the copies, and creates no reader', async () => {
    const shop = await makeIssueShop()
    const winter = await makeIssue(shop.id, { volume: 'Winter 2025', stock: 2 })
    const spring = await makeIssue(shop.id, { volume: 'Spring 2026', price: 700, postage: null })
    const placed = await buy(issueForm(shop, [spring, winter, spring], { email: 'Ann@Example.test', total: '15.00' }))
    expect(placed).toMatchObject({
      state: 'paid',
      amount: 1500,
      currency: 'GBP',
      product: null,
      productName: '2 back issues: Spring 2026, Winter 2025',
    })
    expect([await stockOf(winter), await stockOf(spring)]).toEqual([1, null])
    expect(await itemsOf(placed.orderId)).toMatchObject([
      { kind: 'back-issue', back_issue_id: spring, description: 'Spring 2026', quantity: 1, postage: 0, amount: 700 },
      { back_issue_id: winter, unit_price: 650, postage: 150, discount: 0, amount: 800, copy_state: 'taken' },
    ])
    const [order] = await rowsOf(services, 'orders', shop.id)
    expect(order).toMatchObject({
      kind: 'back-issues',
      product: null,
      term_months: null,
      sub_start_on: null,
      product_price: 1350,
      amount: 1500,
      reader_id: null,
      buyer_draft: null,
    })
    const [buyer] = await rowsOf(services, 'buyers', shop.id)
    expect(buyer).toMatchObject({ email_key: 'ann@example.test', first_sub_start_on: null })
    expect(order?.buyer_id).toBe(buyer?.id)
    expect(await rowsOf(services, 'readers', shop.id)).toEqual([])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([
      { kind: 'sale', amount: 1500, postage: 150, product: null, service_end_on: '9999-12-31' },
    ])
  })

  it('is a liability until it is posted, and is named on every page and in every email', async () => {
    const shop = await makeIssueShop()
    await services.db.run(
      `INSERT INTO mail_texts (publication_id, mail, language, subject, body, created_at, updated_at)
       VALUES (:id, 'order-receipt', '', '', 'Thank you for subscribing.', :now, :now)`,
      { id: shop.id, now: services.now() },
    )
    const id = await makeIssue(shop.id, { volume: 'Winter 2025' })
    const placed = await buy(issueForm(shop, [id], { email: 'emails@example.test' }))
    const publisher = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const amounts = { amount: 800, fulfilled: 0, liability: 800 }
    expect((await listOrders(publisher, {})).rows).toMatchObject([
      { productName: 'Back issue: Winter 2025', ...amounts },
    ])
    expect(await ledgerTotals(publisher, {})).toMatchObject({ GBP: { orders: 1, ...amounts } })
    expect(await getOrder(publisher, { id: placed.orderId })).toMatchObject({
      kind: 'back-issues',
      product: null,
      ...amounts,
      items: [{ description: 'Winter 2025', unitPrice: 650, postage: 150, isOversold: false }],
    })
    expect(await getConfirmation(services.as(visitor), placed)).toMatchObject({
      status: 'confirmed',
      product: null,
      issues: [{ volume: 'Winter 2025', price: 650, postage: 150 }],
    })
    for (const send of [sendOrderReceipt, sendOrderNotice])
      expect(await send(services.as(system), { orderId: placed.orderId })).toBe(true)
    const emails = await Promise.all(
      (await services.mail.devMailbox?.list(9))?.map(async ({ id }) => services.mail.devMailbox?.read(id)) ?? [],
    )
    expect(emails).toHaveLength(2)
    for (const mail of emails) {
      const text = JSON.stringify(mail)
      expect(text).toContain('Back issue: Winter 2025')
      expect(text).toContain('£6.50 + £1.50 postage')
      expect(text).toContain('1 Quay Street')
      expect(text).not.toMatch(/undefined|null GBP|subscribing/)
    }
  })

  it('uses the price band of the country: price, postage and currency', async () => {
    const shop = await makeIssueShop()
    const id = await makeIssue(shop.id, { volume: 'Winter 2025', postageUs: 425, priceEu: 800, postageEu: 250 })
    const buyFrom = async (country: string) => {
      const { amount, currency } = await buy(issueForm(shop, [id], { country }))
      return [country, amount, currency]
    }
    expect([await buyFrom('GB'), await buyFrom('NO'), await buyFrom('DE')]).toEqual([
      ['GB', 800, 'GBP'],
      ['NO', 1325, 'USD'],
      ['DE', 1050, 'EUR'],
    ])
  })

  it('to a subscriber is recorded on the same reader, which is unchanged', async () => {
    const shop = await makeIssueShop()
    const email = 'both@example.test'
    await placeOrder(services.as(visitor), orderForm(shop, { email, password: 'first-word' }))
    const readers = await rowsOf(services, 'readers', shop.id)
    const form = issueForm(shop, [await makeIssue(shop.id)], { email, password: 'first-word' })
    await expect(buy({ ...form, password: 'other-word' })).rejects.toMatchObject({
      fields: { password: expect.stringContaining('already has an account') },
    })
    await buy(form)
    expect(await rowsOf(services, 'readers', shop.id)).toEqual(readers)
    const orders = await rowsOf(services, 'orders', shop.id)
    expect(orders.map((order) => order.reader_id)).toEqual([readers[0]?.id, readers[0]?.id])
    const [buyer] = await rowsOf(services, 'buyers', shop.id)
    expect(readers).toMatchObject([{ buyer_id: buyer?.id }])
  })

  it('stores the delivery address, and requires only its first line and the postcode', async () => {
    const shop = await makeIssueShop()
    const id = await makeIssue(shop.id)
    const billing = { addressOne: '1 Quay Street', postCode: 'TR11 3LH' }
    await buy(
      issueForm(shop, [id], {
        billing,
        isDeliveredToBilling: false,
        shipping: { ...billing, addressOne: '2 Mill Lane' },
      }),
    )
    const [order] = await rowsOf(services, 'orders', shop.id)
    expect(JSON.stringify(order?.shipping)).toContain('2 Mill Lane')
    await expect(buy(issueForm(shop, [], { billing: {}, firstName: '' }))).rejects.toMatchObject({
      fields: {
        backIssues: 'Choose at least one issue',
        firstName: 'Required',
        'billing.addressOne': 'Required',
        'billing.postCode': 'Required',
      },
    })
  })
})

describe('a refused order of back issues', () => {
  it('names all unavailable issues at once, but not those of other publishers', async () => {
    const shop = await makeIssueShop()
    const other = await makeIssueShop()
    const foreign = await makeIssue(other.id, { volume: 'Secret' })
    const removed = await makeIssue(shop.id, { volume: 'Gone', removedAt: services.now() })
    const soldOut = await makeIssue(shop.id, { volume: 'None left', stock: 0 })
    const unsold = await makeIssue(shop.id, { volume: 'Only abroad', price: null })
    const available = await makeIssue(shop.id, { volume: 'Good', stock: 5 })
    await expect(buy(issueForm(shop, [available, soldOut, unsold, removed, foreign]))).rejects.toMatchObject({
      kind: 'invalid',
      fields: {
        backIssues:
          '“Gone” is no longer on sale. Please remove it from your order. ' +
          'One of the issues is not on sale here. Please choose again. ' +
          '“Only abroad” is not sold in this country. Please remove it from your order. ' +
          '“None left” is out of stock. Please remove it from your order.',
      },
    })
    const errorsFor = (ids: unknown) =>
      buy(issueForm(shop, ids as number[])).catch((error: { fields: object }) => error.fields)
    expect(await errorsFor([foreign])).toEqual(await errorsFor([999_999]))
    for (const nonsense of ['abc', null, {}, []])
      expect(await errorsFor(nonsense)).toEqual({ backIssues: 'Choose at least one issue' })
    for (const nonsense of [-1, 1.5, 'abc', {}, null])
      expect(Object.values(await errorsFor([nonsense]))).toEqual(Object.values(await errorsFor([foreign])))
    expect(await stockOf(available)).toBe(5)
    expect(await rowsOf(services, 'orders', shop.id)).toEqual([])
  })

  it('says why: the publication sells none, or not to that country', async () => {
    const shopWithoutIssues = await makeShop(services)
    await expect(buy(issueForm(shopWithoutIssues, [await makeIssue(shopWithoutIssues.id)]))).rejects.toMatchObject({
      fields: { backIssues: expect.stringContaining('no longer on sale') },
    })
    const domesticShop = await makeIssueShop()
    await services.db.run(`UPDATE accounts SET sell_overseas = :no WHERE user_id = :id`, {
      no: false,
      id: domesticShop.publisherId,
    })
    const form = issueForm(domesticShop, [await makeIssue(domesticShop.id)], { country: 'US' })
    await expect(buy(form)).rejects.toMatchObject({ fields: { country: expect.stringContaining('not sold') } })
  })

  it('refuses a postcode that cannot exist', async () => {
    const shop = await makeIssueShop()
    const form = issueForm(shop, [await makeIssue(shop.id)], { billing: { addressOne: '1 Quay', postCode: 'ABC' } })
    await expect(buy(form)).rejects.toMatchObject({
      fields: { 'billing.postCode': 'Enter a UK postcode, such as SW1A 1AA' },
    })
  })

  it('names the right total where the form has another total or currency', async () => {
    const shop = await makeIssueShop()
    const id = await makeIssue(shop.id, { stock: 1 })
    for (const [tampered, total] of [
      [{ total: '0.01' }, '£8.00'],
      [{ total: 6.5 }, '£8.00'],
      [{ currency: 'GBP', country: 'US' }, '$9.00\u00A0USD'],
    ] as const) {
      await expect(buy(issueForm(shop, [id], tampered))).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining(total),
      })
    }
    expect(await stockOf(id)).toBe(1)
    await expect(buy(issueForm(shop, [id], { total: 8 }))).resolves.toMatchObject({ amount: 800 })
  })
})

describe('a copy in stock', () => {
  it('that is the last is sold to one of twenty concurrent buyers, and the others are given the reason', async () => {
    const shop = await makeIssueShop()
    const last = await makeIssue(shop.id, { volume: 'Winter 2025', stock: 1 })
    const plenty = await makeIssue(shop.id, { volume: 'Plenty', stock: 20 })
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => buy(issueForm(shop, n % 2 ? [last, plenty] : [plenty, last]))),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const attempt of tries) {
      if (attempt.status === 'rejected')
        expect(attempt.reason).toMatchObject({
          fields: { backIssues: expect.stringContaining('“Winter 2025” is out') },
        })
    }
    expect([await stockOf(last), await stockOf(plenty)]).toEqual([0, 19])
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
  })

  it('is taken once by a form that is sent ten times at once', async () => {
    const shop = await makeIssueShop()
    const id = await makeIssue(shop.id, { stock: 5 })
    const form = issueForm(shop, [id])
    const placed = await Promise.all(Array.from({ length: 10 }, () => buy(form)))
    expect(new Set(placed.map(({ orderNumber }) => orderNumber)).size).toBe(1)
    expect(await stockOf(id)).toBe(4)
    // The key of one kind of order does not return an order of the other kind.
    await expect(
      placeOrder(services.as(visitor), orderForm(shop, { ...form, plan: '1PN29.99', optOuts: {} })),
    ).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('is returned to stock by a decline, once, and can be bought again', async () => {
    const shop = await makeIssueShop()
    const id = await makeIssue(shop.id, { stock: 1 })
    const unlimited = await makeIssue(shop.id)
    const form = issueForm(shop, [id, unlimited], declined)
    for (let n = 0; n < 2; n++) await expect(buy(form)).rejects.toMatchObject({ kind: 'declined' })
    expect([await stockOf(id), await stockOf(unlimited)]).toEqual([1, null])
    for (const table of ['buyers', 'ledger_entries']) expect(await rowsOf(services, table, shop.id)).toEqual([])
    await expect(buy(issueForm(shop, [id]))).resolves.toMatchObject({ state: 'paid' })
    expect(await stockOf(id)).toBe(0)
  })
})

describe('a late payment', () => {
  /** Places an order that is then cancelled because its payment was never requested. */
  async function placeCancelledOrder(shop: Awaited<ReturnType<typeof makeIssueShop>>, id: number) {
    const ctx = services.as(visitor)
    const { demo } = ctx.payments
    if (!demo) throw new Error('The tests run with demo payments')
    const begin = async () => Promise.reject(new Error('Connection lost'))
    const placed = await placeBackIssueOrder(
      { ...ctx, payments: { demo: { ...demo, begin } } },
      issueForm(shop, [id], { email: `late-${id}@example.test` }),
    )
    expect(placed.state).toBe('pending')
    await settle(placed.orderId, { state: 'unknown' })
    return placed
  }
  const settle = (orderId: number, result: ChargeResult) => settleOrder(services.as(system), { orderId, result })
  const paid = (orderId: number): ChargeResult => ({
    state: 'paid',
    reference: `late_${orderId}`,
    money: { amount: 800, currency: 'GBP' },
  })

  it('takes the copy again while there is one', async () => {
    const shop = await makeIssueShop()
    const id = await makeIssue(shop.id, { stock: 1 })
    const { orderId } = await placeCancelledOrder(shop, id)
    expect(await stockOf(id)).toBe(1)
    await Promise.all(Array.from({ length: 5 }, () => settle(orderId, paid(orderId))))
    expect(await stockOf(id)).toBe(0)
    expect(await itemsOf(orderId)).toMatchObject([{ copy_state: 'taken' }])
  })

  it('is kept when the last copy is gone, and the publisher sees the oversold issue', async () => {
    const shop = await makeIssueShop()
    const id = await makeIssue(shop.id, { volume: 'Winter 2025', stock: 1 })
    const { orderId } = await placeCancelledOrder(shop, id)
    await buy(issueForm(shop, [id]))
    expect(await settle(orderId, paid(orderId))).toBe('paid')
    expect(await stockOf(id)).toBe(0)
    const publisher = services.as(await actorOf(services, 'publisher', shop.publisherId))
    expect(await getOrder(publisher, { id: orderId })).toMatchObject({ items: [{ isOversold: true }] })
    await sendOrderNotice(services.as(system), { orderId })
    const [mail] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(JSON.stringify(await services.mail.devMailbox?.read(mail?.id ?? ''))).toContain('Oversold: Winter 2025')
  })
})
