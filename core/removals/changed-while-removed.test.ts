import { describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { makeClaim } from '#core/buyers/account-claims.rows.ts'
import { changeBuyerEmail } from '#core/buyers/change-buyer-email.ts'
import { changeDeliveryAddress } from '#core/buyers/change-delivery-address.ts'
import { changeOptOuts } from '#core/buyers/change-opt-outs.ts'
import { claimAccount } from '#core/buyers/claim-account.ts'
import { chargeDueRenewals } from '#core/charging/charge-renewals.ts'
import type { AppContext } from '#core/context.ts'
import { undoImport } from '#core/imports/undo-import.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { settleOrder } from '#core/orders/settle-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import type { ChargeResult } from '#core/ports/payment-gateway.ts'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { restoreReader } from '#core/readers/restore-reader.ts'
import { addWebhook } from '#core/webhooks/change-webhooks.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { actorOf, operator } from '#tests/support/factories.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { removeReaders } from './remove-readers.ts'
import { restoreReaders } from './restore-readers.ts'

const services = await openTestServices()
const { importInto } = readerFiles(() => services)
const system = () => services.as({ kind: 'system' })

/** A publication, and somebody who removes its readers and restores them. */
async function makeFixture() {
  services.clock.set('2026-11-21T10:00:00Z')
  const shop = await makeShop(services)
  const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  return { shop, staff }
}
type Fixture = Awaited<ReturnType<typeof makeFixture>>

/** A reader who has ordered print for a year `times` times: the last order, and the reader's number. */
async function makeSubscriber({ shop }: Fixture, { times = 1, email = 'ann@example.test', fields = {} } = {}) {
  const form = () => orderForm(shop, { email, ...fields })
  for (let i = 0; i < times; i++) await placeOrder(services.as(visitor), form())
  const orders = await rowsOf(services, 'orders', shop.id)
  const buyer = (await rowsOf(services, 'buyers', shop.id)).find((row) => row.email === email)
  const last = orders.at(-1)
  const actor = { kind: 'buyer', buyerId: Number(buyer?.id), publicationId: shop.id } as const
  return {
    orderId: Number(last?.id),
    firstOrderId: Number(orders[0]?.id),
    amount: Number(last?.amount),
    readerId: Number(last?.reader_id),
    buyer: services.as(actor),
  }
}
type Subscriber = Awaited<ReturnType<typeof makeSubscriber>>

/** The ways to remove readers and to restore them: the event takes place in between. */
const removals: Record<
  string,
  (staff: AppContext, shop: Fixture['shop'], ids: number[]) => Promise<() => Promise<unknown>>
> = {
  'removed by itself': async (staff, _, ids) => {
    for (const id of ids) await removeReader(staff, { id })
    return async () => {
      for (const id of ids) await restoreReader(staff, { id })
    }
  },
  'removed by a new list': async (_, shop) => {
    const { uploadId } = await importInto(shop, 'UniqueReference,FullName\nN1,New One\n', 'replace')
    return () => undoImport(services.as(operator), { uploadId })
  },
  'removed with others': async (staff, { id: publicationId }, readerIds) => {
    const { id: removalId } = await removeReaders(staff, { publicationId, readerIds })
    return () => restoreReaders(staff, { removalId })
  },
}
const removalNames = Object.keys(removals)
/** Those that leave the other readers of the list where they are. */
const ofSome = removalNames.filter((name) => name !== 'removed by a new list')

const settle = ({ orderId }: { orderId: number }, result: ChargeResult) => settleOrder(system(), { orderId, result })
const dispute = ({ orderId, amount }: Pick<Subscriber, 'orderId' | 'amount'>, state: 'lost' | 'won') =>
  settle(
    { orderId },
    {
      state: 'paid',
      reference: `demo_${orderId}`,
      money: { amount, currency: 'GBP' },
      disputes: [{ reference: `dp_${orderId}`, state, amount, reason: 'Unknown to me', fee: null }],
    },
  )

/** What happens to the money of a subscriber's orders. */
const reversals: Record<string, (fixture: Fixture, subscriber: Subscriber) => Promise<unknown>> = {
  'is refunded': ({ staff }, { orderId: id }) =>
    refundOrder(staff, { id, scope: 'whole', method: 'hand', reason: 'Moved away' }),
  'is refunded for its last months': async ({ staff }, { orderId: id }) =>
    refundOrder(staff, { id, scope: 'months', method: 'hand', reason: 'Moved away' }),
  'is lost in a dispute': (_, subscriber) => dispute(subscriber, 'lost'),
  'is lost in a dispute and won back': async (_, subscriber) => {
    await dispute(subscriber, 'lost')
    await dispute(subscriber, 'won')
  },
  'was a direct debit that fails': (_, subscriber) =>
    settle(subscriber, { state: 'failed', reference: 'demo_late', reason: 'Refer to payer' }),
  'is refunded after that of the order before it': async ({ staff }, { orderId, firstOrderId }) => {
    for (const id of new Set([firstOrderId, orderId]))
      await refundOrder(staff, { id, scope: 'whole', method: 'hand', reason: 'Moved away' })
  },
}

/** What is sent and posted to the reader, until when, and what staff read about it. */
async function subscriptionOf(readerId: number) {
  const { sub_type, sub_start_on, sub_end_on, sub_renew_on, sub_paid, sub_currency, sub_anchor_day, history, version } =
    (await readerRow(services, readerId)) ?? {}
  const lines = String(history).replaceAll(/\bOD[-\w]*/g, 'order')
  return { sub_type, sub_start_on, sub_end_on, sub_renew_on, sub_paid, sub_currency, sub_anchor_day, lines, version }
}

const eventsOf = (readerId: number, kind: string) =>
  services.db.query<{ before: unknown; note: string }>(
    `SELECT before, note FROM reader_events WHERE reader_id = :readerId AND kind = :kind ORDER BY id`,
    { readerId, kind },
  )

describe('the money of an order for a removed reader', () => {
  const cases = Object.keys(reversals).flatMap((name) => [1, 2].map((times) => [name, times] as const))
  it.each(cases)('%s, order %i: the restored record is that of a reader who was not removed', async (name, times) => {
    const reverse = reversals[name] as (typeof reversals)[string]
    const live = await makeFixture()
    const untouched = await makeSubscriber(live, { times })
    services.clock.set('2026-12-24T10:00:00Z')
    const asBought = await subscriptionOf(untouched.readerId)
    await reverse(live, untouched)
    const expected = await subscriptionOf(untouched.readerId)
    expect(expected).not.toEqual(asBought)
    for (const remove of Object.values(removals)) {
      const fixture = await makeFixture()
      const subscriber = await makeSubscriber(fixture, { times })
      services.clock.set('2026-12-24T10:00:00Z')
      const restore = await remove(fixture.staff, fixture.shop, [subscriber.readerId])
      await reverse(fixture, subscriber)
      await restore()
      expect(await subscriptionOf(subscriber.readerId)).toEqual(expected)
      expect(await eventsOf(subscriber.readerId, 'reversed')).toHaveLength(
        (await eventsOf(untouched.readerId, 'reversed')).length,
      )
    }
  })

  it('is reversed and the record restored: programs are told of the record only once it is back', async () => {
    const fixture = await makeFixture()
    const subscriber = await makeSubscriber(fixture)
    await addWebhook(fixture.staff, {
      url: 'https://receiver.example.com/hook',
      events: ['reader.added', 'reader.changed', 'reader.erased', 'subscription.ended', 'subscription.renewed'],
    })
    const { readerId: id } = subscriber
    await removeReader(fixture.staff, { id })
    await dispute(subscriber, 'lost')
    await dispute(subscriber, 'won')
    await restoreReader(fixture.staff, { id })
    const sent = await services.db.query<{ type: string }>(
      `SELECT d.type FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
       WHERE e.publisher_id = :publisherId ORDER BY d.id`,
      { publisherId: fixture.shop.publisherId },
    )
    expect(sent.map(({ type }) => type)).toEqual(['reader.erased', 'reader.added'])
  })
})

describe('an automatic renewal that is paid after its reader was removed', () => {
  it.each(removalNames)('extends the record, %s, in case it is restored; a refund shortens it again', async (name) => {
    const fixture = await makeFixture()
    const fields = { plan: '1PR25.00', payment: { details: { cardNumber: demoCards.confirmedLater } } }
    const { readerId } = await makeSubscriber(fixture, { fields })
    const bought = await subscriptionOf(readerId)
    for (const day of ['2027-11-01', '2027-11-21']) {
      services.clock.set(`${day}T05:00:00Z`)
      await announceRenewals(system(), day)
      await chargeDueRenewals(system(), day, { publicationId: fixture.shop.id })
    }
    const remove = removals[name] as (typeof removals)[string]
    const restore = await remove(fixture.staff, fixture.shop, [readerId])
    const orderId = Number((await rowsOf(services, 'orders', fixture.shop.id)).at(-1)?.id)
    const money = { amount: 2500, currency: 'GBP' } as const
    await settle({ orderId }, { state: 'paid', reference: `demo-late-${orderId}`, money })
    await restore()
    expect(await subscriptionOf(readerId)).toMatchObject({ sub_end_on: '2028-11-21', sub_paid: 2500 })
    expect(await eventsOf(readerId, 'subscribed')).toHaveLength(1)
    const again = await remove(fixture.staff, fixture.shop, [readerId])
    await refundOrder(fixture.staff, { id: orderId, scope: 'whole', method: 'hand', reason: 'Removed' })
    await again()
    expect(await subscriptionOf(readerId)).toMatchObject({ sub_end_on: bought.sub_end_on })
  })
})

describe('what a buyer changes while records of the account are removed', () => {
  /** A bundle, print beside it, and a gift; the last two are removed. */
  async function makeAccount(fixture: Fixture, name: string) {
    const { buyer, readerId: bundle } = await makeSubscriber(fixture, { fields: { plan: '1BN39.99' } })
    const { readerId: print } = await makeSubscriber(fixture)
    const gift = { isGift: true, giftEmail: 'ann@example.test', isDeliveredToBilling: false }
    const { readerId: given } = await makeSubscriber(fixture, {
      fields: {
        ...gift,
        shipping: { firstName: 'Ann', lastName: "O'Brien", ...(orderForm(fixture.shop).billing as object) },
      },
    })
    expect(new Set([bundle, print, given]).size).toBe(3)
    const remove = removals[name] as (typeof removals)[string]
    return { buyer, bundle, print, given, restore: await remove(fixture.staff, fixture.shop, [print, given]) }
  }

  it.each(ofSome)('%s: the email is also that of the restored records, not of a gift', async (name) => {
    const fixture = await makeFixture()
    const { buyer, bundle, print, given, restore } = await makeAccount(fixture, name)
    const email = 'Later@example.test'
    await changeBuyerEmail(buyer, { email, confirmEmail: email, currentPassword: 'masthead' })
    await restore()
    const emailOf = async (id: number) => {
      const { email, key_email } = (await readerRow(services, id)) ?? {}
      return [email, key_email]
    }
    expect(await emailOf(bundle)).toEqual([email, 'later@example.test'])
    expect(await emailOf(print)).toEqual([email, 'later@example.test'])
    expect(await emailOf(given)).toEqual(['ann@example.test', 'ann@example.test'])
    const [{ before = null, note = '' } = {}] = await eventsOf(print, 'edited')
    expect(note).toBe('Email changed by the reader')
    expect(JSON.stringify(before)).toContain('ann@example.test')
  })

  it('leaves another email of a removed record unchanged', async () => {
    const fixture = await makeFixture()
    const { buyer, readerId: id } = await makeSubscriber(fixture)
    await services.db.run(`UPDATE readers SET email = 'office@example.test' WHERE id = :id`, { id })
    await removeReader(fixture.staff, { id })
    const email = 'later@example.test'
    await changeBuyerEmail(buyer, { email, confirmEmail: email, currentPassword: 'masthead' })
    await restoreReader(fixture.staff, { id })
    expect(await readerRow(services, id)).toMatchObject({ email: 'office@example.test' })
  })

  const address = {
    firstName: 'Ann',
    lastName: 'Shaw',
    addressOne: '7 Harbour Row',
    city: 'Falmouth',
    postCode: 'tr11 3lh',
  }
  it.each(ofSome)('%s: all subscriptions of one address move, also the restored ones, not a gift', async (name) => {
    const fixture = await makeFixture()
    const { buyer, bundle, print, given, restore } = await makeAccount(fixture, name)
    await changeDeliveryAddress(buyer, { ...address, readerId: bundle, appliesToAll: 'on' })
    await restore()
    const { id: _, ...moved } = (await readerRow(services, bundle)) ?? {}
    const columns = Object.keys(moved).filter((column) => /^(address|key_|mail_|post_|city|last_|full_)/.test(column))
    const placeOf = async (id: number) => {
      const row = (await readerRow(services, id)) ?? {}
      return Object.fromEntries(columns.map((column) => [column, row[column]]))
    }
    expect(await placeOf(print)).toEqual(await placeOf(bundle))
    expect(await placeOf(print)).toMatchObject({
      address_one: '7 Harbour Row',
      post_code: 'TR11 3LH',
      last_name: 'Shaw',
    })
    expect(await placeOf(given)).toMatchObject({ address_one: '1 Quay Street' })
  })

  it('leaves the address of the restored record where only another subscription moves', async () => {
    const fixture = await makeFixture()
    const { buyer, bundle, print, restore } = await makeAccount(fixture, 'removed by itself')
    await changeDeliveryAddress(buyer, { ...address, readerId: bundle })
    await restore()
    expect(await readerRow(services, print)).toMatchObject({ address_one: '1 Quay Street' })
  })

  it.each(removalNames)(
    '%s: the only record gets the email, the address of the next order and the opt-outs',
    async (name) => {
      const fixture = await makeFixture()
      const { buyer, readerId } = await makeSubscriber(fixture)
      const remove = removals[name] as (typeof removals)[string]
      const restore = await remove(fixture.staff, fixture.shop, [readerId])
      const email = 'later@example.test'
      await changeBuyerEmail(buyer, { email, confirmEmail: email, currentPassword: 'masthead' })
      await changeDeliveryAddress(buyer, address)
      const chosen = Object.fromEntries(optOuts.map(({ field }) => [field, field.startsWith('partner')]))
      await changeOptOuts(buyer, chosen)
      await restore()
      const row = (await readerRow(services, readerId)) ?? {}
      expect(row).toMatchObject({ email, key_email: email, address_one: '7 Harbour Row' })
      expect([Boolean(row.pub_offers), Boolean(row.partner_offers)]).toEqual([false, true])
      expect(await eventsOf(readerId, 'edited')).toHaveLength(3)
    },
  )
})

it.each(ofSome)('an imported reader who gets an account while the record is %s finds it there', async (name) => {
  const fixture = await makeFixture()
  const email = 'imported@example.test'
  const ids = [
    await makeReader(services, fixture.shop.id, { email }),
    await makeReader(services, fixture.shop.id, { email: 'other@example.test' }),
    await makeReader(services, fixture.shop.id, { email }),
  ]
  const token = await makeClaim(services.as(visitor), { publicationId: fixture.shop.id, emailKey: email })
  const restore = await (removals[name] as (typeof removals)[string])(fixture.staff, fixture.shop, ids.slice(1))
  const { urlKey } = fixture.shop
  await claimAccount(services.as(visitor), { urlKey, token, password: 'a good secret' })
  await restore()
  const [{ id: buyerId } = {}] = await rowsOf(services, 'buyers', fixture.shop.id)
  const owners = await Promise.all(ids.map(async (id) => (await readerRow(services, id))?.buyer_id))
  expect(owners).toEqual([buyerId, null, buyerId])
})
