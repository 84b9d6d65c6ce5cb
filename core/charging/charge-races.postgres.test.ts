import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { settleOrder } from '#core/orders/settle-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { renewKey } from '#core/renewals/renew-link.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { chargeRenewal } from './charge-renewal.ts'
import { giveCardByLink } from './renew-by-link.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const day = '2027-11-22'
const system = () => services.as({ kind: 'system' })

/** A subscription whose renewal is due, or whose attempt to charge is under way. */
async function makeSubscription(isUnderWay: boolean) {
  services.clock.now = new Date('2026-11-22T10:00:00Z')
  const shop = await makeShop(services)
  const cardNumber = isUnderWay ? demoCards.confirmedLater : demoCards.paid
  const form = orderForm(shop, { plan: '1PR25.00', payment: { details: { cardNumber } } })
  expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
  services.clock.now = new Date('2027-10-23T05:00:00Z')
  await announceRenewals(system(), '2027-10-23', { publicationId: shop.id })
  services.clock.now = new Date(`${day}T10:00:00Z`)
  const [reader] = await rowsOf(services, 'readers', shop.id)
  const [renewal] = await rowsOf(services, 'renewals', shop.id)
  const [buyer] = await rowsOf(services, 'buyers', shop.id)
  const renewalId = Number(renewal?.id)
  if (isUnderWay) {
    await chargeRenewal(system(), renewalId, day)
    // The state after the provider's response, before it is recorded.
    await services.db.run(`UPDATE renewals SET state = 'charging' WHERE id = :renewalId`, { renewalId })
  }
  const orders = await rowsOf(services, 'orders', shop.id)
  const [orderId = 0, attemptId = 0] = orders.map(({ id }) => Number(id))
  return {
    shop,
    renewalId,
    orderId,
    attemptId,
    email: String(buyer?.email),
    staff: services.as(await actorOf(services, 'publisher', shop.publisherId)),
    buyer: services.as({ kind: 'buyer', buyerId: Number(buyer?.id), publicationId: shop.id }),
    readerId: Number(reader?.id),
    duplicateId: await makeReader(services, shop.id, { subType: '', email: 'duplicate@example.test' }),
  }
}
type Subscribed = Awaited<ReturnType<typeof makeSubscription>>

const charges = {
  begun: ({ renewalId }: Subscribed) => chargeRenewal(system(), renewalId, day),
  settled: ({ attemptId: orderId }: Subscribed) => {
    const money = { amount: 2500, currency: 'GBP' } as const
    return settleOrder(system(), { orderId, result: { state: 'paid', reference: `demo_${orderId}`, money } })
  },
}

const readerActions: Record<string, (subscription: Subscribed) => Promise<unknown>> = {
  'is removed': ({ staff, readerId }) => removeReader(staff, { id: readerId }),
  'renews at the storefront': ({ shop, buyer, email }) =>
    placeOrder(buyer, orderForm(shop, { plan: '1PN29.99', email, isSecondMeant: true })),
  'is merged into another record': ({ staff, shop, readerId, duplicateId }) =>
    mergeReaders(staff, { publicationId: shop.id, readerIds: [readerId, duplicateId], survivorId: duplicateId }),
  'has the first payment refunded': ({ staff, orderId }) =>
    refundOrder(staff, { id: orderId, scope: 'whole', method: 'hand', reason: 'Changed her mind' }),
  'enters another card': ({ renewalId }) =>
    giveCardByLink(services.as(visitor), {
      key: renewKey(services.settings.appSecret, { renewalId, until: '2027-12-31' }),
      reference: '4000 0566 5566 5556',
    }),
}

/** How many connections wait for a row that another connection has locked. */
async function countWaiting(): Promise<number> {
  const rows = await services.db.query(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows.length
}

/**
 * Starts two actions while another transaction locks a row, the second as soon as the first waits for a row or is done; then the row is
 * released. Returns the errors of the database.
 */
async function race(row: string, actions: (() => Promise<unknown>)[]): Promise<unknown[]> {
  const holder = await services.db.bulk.postgres()
  await holder.query('BEGIN')
  await holder.query(`SELECT id FROM ${row} FOR UPDATE`)
  const databaseErrors: unknown[] = []
  const running: Promise<unknown>[] = []
  for (const act of actions) {
    const before = await countWaiting()
    let isDone = false
    running.push(
      act()
        .catch((error: unknown) => {
          if (!isAppError(error)) databaseErrors.push(String(error))
        })
        .finally(() => {
          isDone = true
        }),
    )
    await expect
      .poll(async () => isDone || (await countWaiting()) > before, { timeout: 60_000, interval: 5 })
      .toBe(true)
  }
  await holder.query('COMMIT')
  await holder.release()
  await Promise.all(running)
  return databaseErrors
}

describe.each(['begun', 'settled'] as const)('a charge that is %s', (kind) => {
  it.each(Object.entries(readerActions))(
    'while its reader %s ends in one of two ways, never in a deadlock',
    async (_, act) => {
      for (const isFirst of [true, false]) {
        for (const table of ['readers', 'renewals'] as const) {
          const subscription = await makeSubscription(kind === 'settled')
          const actions = [() => charges[kind](subscription), () => act(subscription)]
          const row = `${table} WHERE id = ${table === 'readers' ? subscription.readerId : subscription.renewalId}`
          expect(await race(row, isFirst ? actions : actions.toReversed())).toEqual([])
          await expectChargedOnce(subscription, { isPaid: kind === 'settled', act })
        }
      }
    },
  )
})

async function expectChargedOnce(
  subscription: Subscribed,
  { isPaid, act }: { isPaid: boolean; act: unknown },
): Promise<void> {
  const { shop, renewalId, readerId, duplicateId } = subscription
  const orders = await rowsOf(services, 'orders', shop.id)
  const attempts = orders.filter(({ renewal_id: linkedRenewal }) => linkedRenewal !== null)
  const paid = attempts.filter(({ state }) => state === 'paid')
  expect(attempts.length).toBeLessThanOrEqual(1)
  if (isPaid) expect(paid).toHaveLength(1)
  const state = paid.length === 1 ? 'paid' : 'cancelled'
  expect(await services.db.query(`SELECT state FROM renewals WHERE id = :renewalId`, { renewalId })).toEqual([
    { state },
  ])
  const entries = await rowsOf(services, 'ledger_entries', shop.id)
  const sales = entries.filter((entry) => entry.kind === 'sale')
  expect(sales).toHaveLength(orders.filter((order) => order.paid_at !== null).length)
  const agreements = await rowsOf(services, 'payment_agreements', shop.id)
  const reader = (await rowsOf(services, 'readers', shop.id)).find(
    ({ id }) => Number(id) === (act === readerActions['is merged into another record'] ? duplicateId : readerId),
  )
  if (act === readerActions['is removed']) {
    expect(reader).toBeUndefined()
    expect(agreements).toMatchObject([{ state: 'ended', end_reason: 'reader-gone' }])
  } else if (act !== readerActions['has the first payment refunded']) {
    // One year for each payment.
    expect(reader).toMatchObject({ sub_end_on: `${2026 + sales.length}-11-22` })
    expect(agreements).toMatchObject([{ state: 'active' }])
  }
}
