import { beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import type { ChargeResult } from '#core/ports/payment-gateway.ts'
import { actorOf, makeBackIssue, makePromo } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { issueForm, makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { placeBackIssueOrder } from './place-back-issue-order.ts'
import { placeOrder } from './place-order.ts'
import { refundOrder } from './refund-order.ts'
import { settleOrder } from './settle-order.ts'
import { takeStaffOrder } from './take-order.ts'

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
  /** False: it has been ordered, and not been paid yet. */
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

/** How many connections wait for a row that another connection has locked. */
async function waiting(): Promise<number> {
  const rows = await services.db.query(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows.length
}

it.each(
  (['promo_codes', 'back_issues'] as const).flatMap((table) => reversals.map((reversal) => ({ table, ...reversal }))),
)('$name waits for the row of $table before it locks the totals of its days, as a sale does', async (reversal) => {
  const { table, isPaid, before, reverse, state } = reversal
  const sold = await soldWith(table, isPaid)
  await before?.(sold)
  // The other sale: it has locked the row, and locks the totals last.
  const sale = await services.db.bulk.postgres()
  await sale.query('BEGIN')
  await sale.query(`UPDATE ${table} SET updated_at = updated_at WHERE publication_id = ${sold.shop.id}`)
  const running = reverse(sold).then(
    () => null,
    (error: unknown) => String(error),
  )
  await expect.poll(waiting, { timeout: 60_000, interval: 5 }).toBe(1)
  const locked = await sale
    .query(`UPDATE ledger_days SET sales = sales WHERE publication_id = ${sold.shop.id}`)
    .then(() => null, String)
  await sale.query(locked === null ? 'COMMIT' : 'ROLLBACK')
  await sale.release()
  expect([locked, await running]).toEqual([null, null])
  expect(await rowsOf(services, 'orders', sold.shop.id)).toMatchObject([{ state: 'paid' }, { state }])
})

const lockReader = (id: number) => `SELECT id FROM readers WHERE id = ${id} FOR UPDATE`

/**
 * An order by staff while another transaction has locked a row, a reader or a new buyer: whether that one can lock a second row, which the order must
 * not have locked yet, and how the order ends. In opposite orders the two would deadlock.
 */
async function whileLocked(first: string, second: string, order: () => Promise<{ state: string }>) {
  const other = await services.db.bulk.postgres()
  await other.query('BEGIN')
  await other.query(first)
  const running = order().then(
    ({ state }) => state,
    (error: unknown) => String(error),
  )
  await expect.poll(waiting, { timeout: 60_000, interval: 5 }).toBe(1)
  const locked = await other.query(second).then(() => null, String)
  await other.query(locked === null ? 'COMMIT' : 'ROLLBACK')
  await other.release()
  return [locked, await running]
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
    expect(await whileLocked(lockReader(readerId), takeCode, () => takeStaffOrder(staff, form))).toEqual([null, 'paid'])
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
    const running = () => takeStaffOrder(staff, { ...form, ...(how === 'chosen' ? { readerId } : {}) })
    const storeBuyer = `INSERT INTO buyers (publication_id, email, email_key, created_at, updated_at)
      VALUES (${shop.id}, '${email}', '${email}', now(), now())`
    expect(await whileLocked(storeBuyer, lockReader(readerId), running)).toEqual([null, 'paid'])
    expect((await rowsOf(services, 'orders', shop.id)).at(-1)).toMatchObject({ reader_id: readerId })
  },
)

it.each([true, false])(
  'an order by staff that is paid by credit locks its readers by rising id, as a merge does (reader chosen: %s)',
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
      ...{ buyerId: Number(sold?.buyer_id), nextId },
    })
    await services.db.run('UPDATE readers SET buyer_id = NULL WHERE id = :creditedId', { creditedId })
    const form = {
      ...orderForm(shop, { promoCode: 'SUMMER', email: sold?.email }),
      ...{ publicationId: shop.id, method: 'credit', ...(isChosen ? { readerId: nextId } : {}) },
    }
    expect(await whileLocked(lockReader(creditedId), lockReader(nextId), () => takeStaffOrder(staff, form))).toEqual([
      null,
      'paid',
    ])
  },
)
