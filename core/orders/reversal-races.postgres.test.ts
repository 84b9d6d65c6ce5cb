import { beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import type { ChargeResult } from '#core/ports/payment-gateway.ts'
import { actorOf, makeBackIssue, makePromo } from '#tests/support/factories.ts'
import { makeEffort } from '#tests/support/make-effort.ts'
import { makeReader } from '#tests/support/readers.ts'
import { issueForm, makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { whileLocked } from '#tests/support/while-locked.ts'
import { orderByLink } from './order-by-link.ts'
import { placeBackIssueOrder } from './place-back-issue-order.ts'
import { placeOrder } from './place-order.ts'
import { recordInvoicePayment } from './record-invoice-payment.ts'
import { refundOrder } from './refund-order.ts'
import { answerLink } from './renewal-link.ts'
import { settleOrder } from './settle-order.ts'
import { takeStaffOrder } from './take-staff-order.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

type Paid = Extract<ChargeResult, { state: 'paid' }>

/** A paid order that holds the use of a promo code, or a copy of a back issue. */
async function soldWith(reservation: 'promo_codes' | 'back_issues', isPaid = true) {
  const shop = await makeShop(services, { sellsBackIssues: true })
  const isPromo = reservation === 'promo_codes'
  if (isPromo) await makePromo(services, shop.id, 'SUMMER', { uses: 5 })
  const payment = { details: { cardNumber: isPaid ? demoCards.paid : demoCards.needsAction } }
  const { id: issueId } = await makeBackIssue(services, shop.id, { stock: 5 })
  // An earlier sale of the same day, so that its totals exist.
  if (isPromo) await placeOrder(services.as(visitor), orderForm(shop))
  else await placeBackIssueOrder(services.as(visitor), issueForm(shop, [issueId]))
  const placed = isPromo
    ? await placeOrder(services.as(visitor), orderForm(shop, { promoCode: 'SUMMER', payment }))
    : await placeBackIssueOrder(services.as(visitor), issueForm(shop, [issueId], { payment }))
  expect(placed.state).toBe(isPaid ? 'paid' : 'pending')
  const { orderId, amount, currency } = placed
  const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const settle = (result: ChargeResult) => settleOrder(services.as({ kind: 'system' }), { orderId, result })
  const report = (reports: Pick<Paid, 'refunds' | 'disputes'>) =>
    settle({ state: 'paid', reference: `demo_${orderId}`, money: { amount, currency }, ...reports })
  const dispute = (state: 'lost' | 'won') =>
    report({ disputes: [{ reference: `dp_${orderId}`, state, amount, reason: 'Unknown to me', fee: null }] })
  const refund = (state: 'succeeded' | 'failed', refunded = amount) =>
    report({
      refunds: [
        { reference: `re_${orderId}`, idempotencyKey: null, state, amount: refunded, reason: 'Refunded there' },
      ],
    })
  return { shop, orderId, staff, settle, dispute, refund }
}
type Sold = Awaited<ReturnType<typeof soldWith>>

interface Reversal {
  name: string
  /** False: the order is not paid yet. */
  isPaid?: boolean
  before?: (sold: Sold) => Promise<unknown>
  reverse: (sold: Sold) => Promise<unknown>
  state: string
}

const reversals: Reversal[] = [
  {
    name: 'a refund by staff',
    reverse: ({ staff, orderId }) =>
      refundOrder(staff, { id: orderId, scope: 'whole', method: 'hand', reason: 'Wrong' }),
    state: 'refunded',
  },
  { name: 'a refund at the provider', reverse: ({ refund }) => refund('succeeded'), state: 'refunded' },
  {
    name: 'a payment of which a part was refunded at once',
    isPaid: false,
    reverse: ({ refund }) => refund('succeeded', 100),
    state: 'paid',
  },
  {
    name: 'a refund that fails late',
    before: ({ refund }) => refund('succeeded'),
    reverse: ({ refund }) => refund('failed'),
    state: 'paid',
  },
  {
    name: 'a failed direct debit',
    reverse: ({ settle, orderId }) => settle({ state: 'failed', reference: `demo_${orderId}`, reason: 'No funds' }),
    state: 'reversed',
  },
  { name: 'a lost dispute', reverse: ({ dispute }) => dispute('lost'), state: 'reversed' },
  {
    name: 'a won dispute',
    before: ({ dispute }) => dispute('lost'),
    reverse: ({ dispute }) => dispute('won'),
    state: 'paid',
  },
]

it.each(
  (['promo_codes', 'back_issues'] as const).flatMap((table) => reversals.map((reversal) => ({ table, ...reversal }))),
)('$name waits for the row of $table before it locks the totals of its days, as a sale does', async (reversal) => {
  const { table, isPaid, before, reverse, state } = reversal
  const sold = await soldWith(table, isPaid)
  await before?.(sold)
  // The other sale: it has locked the row, and locks the totals last.
  const sale = {
    first: `UPDATE ${table} SET updated_at = updated_at WHERE publication_id = ${sold.shop.id}`,
    second: `UPDATE ledger_days SET sales = sales WHERE publication_id = ${sold.shop.id}`,
  }
  const [problem, outcome] = await whileLocked(services, sale, () => reverse(sold).then(() => null))
  expect([problem, outcome]).toEqual([null, null])
  expect(await rowsOf(services, 'orders', sold.shop.id)).toMatchObject([{ state: 'paid' }, { state }])
})

const lockReader = (id: number) => `SELECT id FROM readers WHERE id = ${id} FOR UPDATE`
const insertBuyer = (publicationId: number, email: string) =>
  `INSERT INTO buyers (publication_id, email, email_key, created_at, updated_at)
   VALUES (${publicationId}, '${email}', '${email}', now(), now())`

/** Runs an order, or its payment, while another transaction has locked a row. Returns how the other transaction and the order end. */
async function orderWhileLocked(first: string, second: string, order: () => Promise<{ state: string }>) {
  return whileLocked(services, { first, second }, async () => (await order()).state)
}

it.each(['chosen', 'in the account of the email', 'in no account, with the email'])(
  'an order by staff waits for its reader, %s, before it takes the promo code, as a refund does',
  async (how) => {
    const { shop, staff } = await soldWith('promo_codes')
    const sold = (await rowsOf(services, 'orders', shop.id)).at(-1)
    const readerId = Number(sold?.reader_id)
    if (how.startsWith('in no account'))
      await services.db.run('UPDATE readers SET buyer_id = NULL WHERE id = :readerId', { readerId })
    const order = orderForm(shop, { promoCode: 'SUMMER', email: sold?.email })
    const form = { ...order, publicationId: shop.id, method: 'cheque', ...(how === 'chosen' ? { readerId } : {}) }
    const takeCode = `UPDATE promo_codes SET updated_at = updated_at WHERE publication_id = ${shop.id}`
    expect(await orderWhileLocked(lockReader(readerId), takeCode, () => takeStaffOrder(staff, form))).toEqual([
      null,
      'paid',
    ])
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(2)
  },
)

it.each(['chosen', 'found by its email'])(
  'an order by staff under a new email waits for its buyer before it locks its reader, %s, as an order at the storefront does',
  async (how) => {
    const { shop, staff } = await soldWith('promo_codes')
    const email = 'imported@example.test'
    const address = { lastName: "O'Brien", postCode: 'SW1A 1AA' }
    const readerId = await makeReader(services, shop.id, { email, ...address, subEndOn: '2026-11-30' })
    const form = { ...orderForm(shop, { email }), publicationId: shop.id, method: 'cheque' }
    const takeOrder = () => takeStaffOrder(staff, { ...form, ...(how === 'chosen' ? { readerId } : {}) })
    expect(await orderWhileLocked(insertBuyer(shop.id, email), lockReader(readerId), takeOrder)).toEqual([null, 'paid'])
    expect((await rowsOf(services, 'orders', shop.id)).at(-1)).toMatchObject({ reader_id: readerId })
  },
)

it.each([true, false])(
  'an order by staff that is paid by credit locks its readers in ascending order of id, as a merge does (reader chosen: %s)',
  async (isChosen) => {
    const { shop, staff } = await soldWith('promo_codes')
    const cheque = { ...orderForm(shop), publicationId: shop.id, method: 'cheque' }
    const { orderId } = await takeStaffOrder(staff, cheque)
    await refundOrder(staff, { id: orderId, scope: 'whole', method: 'credit', reason: 'Wrong' })
    const sold = (await rowsOf(services, 'orders', shop.id)).at(-1)
    const creditedId = Number(sold?.reader_id)
    const nextId = await makeReader(services, shop.id)
    // The record that the order extends.
    await services.db.run('UPDATE readers SET buyer_id = :buyerId WHERE id = :nextId', {
      buyerId: Number(sold?.buyer_id),
      nextId,
    })
    await services.db.run('UPDATE readers SET buyer_id = NULL WHERE id = :creditedId', { creditedId })
    const form = {
      ...orderForm(shop, { promoCode: 'SUMMER', email: sold?.email }),
      publicationId: shop.id,
      method: 'credit',
      ...(isChosen ? { readerId: nextId } : {}),
    }
    expect(
      await orderWhileLocked(lockReader(creditedId), lockReader(nextId), () => takeStaffOrder(staff, form)),
    ).toEqual([null, 'paid'])
  },
)

/** A pro forma invoice for a chosen reader, who is in no account and has credit; the email it was ordered under is new. */
async function proForma(email: string) {
  const { shop, staff } = await soldWith('promo_codes')
  const cheque = { ...orderForm(shop), publicationId: shop.id, method: 'cheque' }
  const { orderId: creditedId } = await takeStaffOrder(staff, cheque)
  await refundOrder(staff, { id: creditedId, scope: 'whole', method: 'credit', reason: 'Wrong' })
  const readerId = Number((await rowsOf(services, 'orders', shop.id)).at(-1)?.reader_id)
  await services.db.run('UPDATE readers SET buyer_id = NULL WHERE id = :readerId', { readerId })
  const billed = { publicationId: shop.id, method: 'invoice', begins: 'paid', readerId }
  const { orderId } = await takeStaffOrder(staff, { ...orderForm(shop, { email }), ...billed })
  const pay = async (method: 'credit' | 'cheque') => {
    await recordInvoicePayment(staff, { orderId, amount: '29.99', method, key: `payment-${orderId}` })
    const [order] = await services.db.query<{ state: string }>('SELECT state FROM orders WHERE id = :orderId', {
      orderId,
    })
    return { state: String(order?.state) }
  }
  return { shop, readerId, orderId, pay }
}

it.each(['credit', 'cheque'] as const)(
  'the payment of a pro forma invoice by %s waits for its buyer before it locks its reader, as an order at the storefront does',
  async (method) => {
    const { shop, readerId, pay } = await proForma('new@example.test')
    const insert = insertBuyer(shop.id, 'new@example.test')
    expect(await orderWhileLocked(insert, lockReader(readerId), () => pay(method))).toEqual([null, 'paid'])
    expect((await rowsOf(services, 'orders', shop.id)).at(-1)).toMatchObject({ reader_id: readerId })
  },
)

it('the payment of a pro forma invoice by cheque waits for its reader before it locks its order, as one by credit does', async () => {
  const { readerId, orderId, pay } = await proForma('new@example.test')
  const lockOrder = `SELECT id FROM orders WHERE id = ${orderId} FOR UPDATE`
  expect(await orderWhileLocked(lockReader(readerId), lockOrder, () => pay('cheque'))).toEqual([null, 'paid'])
})

it('the payment of a pro forma invoice waits for its reader before it takes away an unproven password, as an order by staff does', async () => {
  const { shop, readerId, pay } = await proForma('unproven@example.test')
  await services.db.run(insertBuyer(shop.id, 'unproven@example.test'))
  await services.db.run(`UPDATE buyers SET password_hash = 'x' WHERE publication_id = ${shop.id}`)
  const storeBuyer = `UPDATE buyers SET first_sub_start_on = '2026-01-01' WHERE publication_id = ${shop.id}`
  expect(await orderWhileLocked(lockReader(readerId), storeBuyer, () => pay('cheque'))).toEqual([null, 'paid'])
})

it('an order by a renewal link waits for its buyer before it locks its reader, as any order at the storefront does', async () => {
  const shop = await makeShop(services)
  const email = 'linked@example.test'
  const readerId = await makeReader(services, shop.id, { email, lastName: 'Lee', postCode: 'TR11 3LH', country: 'GB' })
  const link = { urlKey: shop.urlKey, key: (await makeEffort(services, readerId)).key }
  const { proof } = await answerLink(services.as(visitor), { ...link, answer: 'tr113lh' })
  const payment = { details: { cardNumber: demoCards.needsAction } }
  const { password: _, confirmEmail: __, ...form } = orderForm(shop, { email, plan: '1PN29.99', payment })
  const { orderId, state, amount, currency } = await orderByLink(services.as(visitor), { ...form, ...link, proof })
  expect(state).toBe('pending')
  const settle = async () => ({
    state: await settleOrder(services.as({ kind: 'system' }), {
      orderId,
      result: { state: 'paid', reference: `demo_${orderId}`, money: { amount, currency } },
    }),
  })
  expect(await orderWhileLocked(insertBuyer(shop.id, email), lockReader(readerId), settle)).toEqual([null, 'paid'])
  expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
})
