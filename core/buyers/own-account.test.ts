import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { Invoices } from '#core/invoices/invoices.rows.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { Readers } from '#core/readers/readers.rows.ts'
import { ReminderStops } from '#core/readers/reminder-stops.rows.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { restoreReader } from '#core/readers/restore-reader.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeEffort } from '#tests/support/make-effort.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { followLaterEnds } from '../agreements/payment-agreements.rows.ts'
import { Emails } from '../emails/emails.rows.ts'
import { stopEmails } from '../emails/stop-emails.ts'
import { stopKey } from '../emails/stop-link.ts'
import { openEnd } from '../kernel/dates.ts'
import { turnRenewalOff } from '../payments/turn-renewal-off.ts'
import { ownAgreements } from '../renewals/own-agreements.query.ts'
import type { RowOf } from '../table.ts'
import { buyerProfile } from './buyer-profile.query.ts'
import type { BuyerActor } from './buyer-session.ts'
import { Buyers } from './buyers.rows.ts'
import { changeDeliveryAddress } from './change-delivery-address.ts'
import { changeOptOuts } from './change-opt-outs.ts'
import { downloadOwnData } from './download-own-data.ts'
import { getOwnReceipt } from './get-own-receipt.query.ts'
import { listOwnOrders } from './list-own-orders.query.ts'

let services: TestServices
let shop: Awaited<ReturnType<typeof makeShop>>
beforeAll(async () => {
  services = await openTestServices()
  shop = await makeShop(services)
})

interface TestBuyer {
  actor: BuyerActor
  email: string
  orderNumber: string
}

/** A reader who has just ordered, at a shop. */
async function makeBuyer(fields: Record<string, unknown> = {}, inShop = shop): Promise<TestBuyer> {
  const form = orderForm(inShop, fields)
  const { orderNumber } = await placeOrder(services.as(visitor), form)
  const [buyer] = await services.db.query<{ id: number }>(
    `SELECT id FROM buyers WHERE publication_id = :id AND email = :email`,
    { id: inShop.id, email: String(form.email) },
  )
  const actor = { kind: 'buyer', buyerId: buyer?.id ?? 0, publicationId: inShop.id } as const
  return { actor, email: String(form.email), orderNumber }
}

const recurring = { plan: '1PR25.00' }
const newAddress = {
  title: 'Dr',
  firstName: 'Ann',
  lastName: 'O’Brien-Shaw',
  addressOne: '7 Harbour Row',
  city: 'Falmouth',
  postCode: 'tr11 3lh',
}

async function readerOf({ actor }: TestBuyer): Promise<Record<string, unknown>> {
  const [reader] = await services.db.query<Record<string, unknown>>(`SELECT * FROM readers WHERE buyer_id = :id`, {
    id: actor.buyerId,
  })
  return reader ?? {}
}

describe('the profile', () => {
  it('has what pre-fills the order form and the account, and nothing secret', async () => {
    const { actor, email } = await makeBuyer()
    const profile = await buyerProfile(services.as(actor), {})
    expect(profile).toMatchObject({
      email,
      title: 'Mrs',
      lastName: "O'Brien",
      subscriberSince: '2026-11-21',
      currentExpiry: '2027-11-21',
      subscriptions: [
        {
          isGift: false,
          name: "Mrs Ann O'Brien",
          product: 'print',
          startOn: '2026-11-21',
          endOn: '2027-11-21',
          state: 'current',
          daysLeft: 365,
          delivery: { addressOne: '1 Quay Street' },
          again: { country: 'GB', plan: '1PN' },
        },
      ],
      lastOrder: { country: 'GB', plan: '1PN', billing: { addressOne: '1 Quay Street', postCode: 'SW1A 1AA' } },
      delivery: { addressOne: '1 Quay Street', lastName: "O'Brien", country: 'GB' },
      isDeliveredToBilling: true,
      optOuts: { pubOffers: true, partnerOffersSms: false },
    })
    expect(JSON.stringify(profile)).not.toMatch(/argon2|hash|password|version/i)
  })

  it('does not use a gift’s address as the buyer’s own', async () => {
    const buyer = await makeBuyer()
    const gift = { addressOne: '9 Gift Lane', addressTwo: '', city: 'Bath', postCode: 'BA1 1AA', lastName: 'Zebrawood' }
    await services.db.run(`UPDATE orders SET is_gift = :yes, shipping = :gift WHERE order_number = :orderNumber`, {
      yes: true,
      gift: JSON.stringify(gift),
      orderNumber: buyer.orderNumber,
    })
    expect(await buyerProfile(services.as(buyer.actor), {})).toMatchObject({
      delivery: { addressOne: '1 Quay Street' },
      lastOrder: { plan: null },
      subscriptions: [{ isGift: true, delivery: null }],
      optOuts: null,
    })
  })

  it('shows the address that staff corrected, not the one that was typed', async () => {
    const buyer = await makeBuyer()
    const reader = await readerOf(buyer)
    await services.db.run(`UPDATE readers SET address_one = '2 Later Street', city = 'Bath' WHERE id = :id`, {
      id: Number(reader.id),
    })
    expect(await buyerProfile(services.as(buyer.actor), {})).toMatchObject({
      delivery: { addressOne: '2 Later Street', city: 'Bath' },
      isDeliveredToBilling: false,
    })
  })
})

describe('an account with several subscriptions', () => {
  /** A bundle, then print alongside it, then a gift. */
  async function makeSubscriptions() {
    const buyer = await makeBuyer({ plan: '1BN39.99' })
    const orderAgain = (fields: object) =>
      placeOrder(services.as(visitor), orderForm(shop, { email: buyer.email, ...fields }))
    await orderAgain({})
    const gift = { isGift: true, giftEmail: 'tom@example.test', isDeliveredToBilling: false }
    const shipping = {
      firstName: 'Tom',
      lastName: 'Reed',
      addressOne: '9 Gift Lane',
      city: 'Bath',
      postCode: 'BA1 1AA',
    }
    await orderAgain({ ...gift, shipping })
    const ctx = services.as(buyer.actor)
    const profile = () => buyerProfile(ctx, {})
    return { buyer, ctx, orderAgain, profile, subscriptions: async () => (await profile()).subscriptions }
  }

  it('lists them all: one bought alongside a running one does not replace it', async () => {
    const { subscriptions, profile } = await makeSubscriptions()
    const listed = await subscriptions()
    expect(listed.map(({ product, isGift, name }) => [product, isGift, name])).toEqual([
      ['bundle', false, "Mrs Ann O'Brien"],
      ['print', false, "Mrs Ann O'Brien"],
      ['print', true, 'Tom Reed'],
    ])
    expect(listed.map(({ delivery }) => delivery?.addressOne)).toEqual(['1 Quay Street', '1 Quay Street', undefined])
    expect(await profile()).toMatchObject({ currentExpiry: '2027-11-21', delivery: { addressOne: '1 Quay Street' } })
  })

  it('extends the one that is bought again, and never by a gift', async () => {
    const { subscriptions, orderAgain } = await makeSubscriptions()
    await orderAgain({})
    await orderAgain({ plan: '2DN2.99' })
    const listed = await subscriptions()
    expect(listed.map(({ product, isGift, endOn }) => [product, isGift, endOn])).toEqual([
      ['print', false, '2028-11-21'],
      ['bundle', false, '2027-11-21'],
      ['print', true, '2027-11-21'],
      ['digital', false, '2026-12-21'],
    ])
  })

  it('delivers what is bought again to the address of the record that it extends', async () => {
    const buyer = await makeBuyer({ plan: '1BN39.99' })
    const form = orderForm(shop, { email: buyer.email, isDeliveredToBilling: false, shipping: newAddress })
    await placeOrder(services.as(visitor), form)
    expect(await buyerProfile(services.as(buyer.actor), {})).toMatchObject({
      deliveries: {
        bundle: { delivery: { addressOne: '1 Quay Street' }, isDeliveredToBilling: true },
        print: { delivery: { addressOne: '7 Harbour Row' }, isDeliveredToBilling: false },
      },
    })
  })

  it('delivers single issues to where the printed copies of a running subscription go', async () => {
    const buyer = await makeBuyer({ plan: '1PN29.99', isDeliveredToBilling: false, shipping: newAddress })
    const profile = () => buyerProfile(services.as(buyer.actor), {})
    const printed = await readerOf(buyer)
    // A digital edition that ends later, at the billing address.
    await placeOrder(services.as(visitor), orderForm(shop, { email: buyer.email, plan: '2DN2.99' }))
    await services.db.run(
      `UPDATE readers SET sub_end_on = '2029-01-01' WHERE buyer_id = :buyerId AND sub_type = 'digital'`,
      { buyerId: buyer.actor.buyerId },
    )
    expect(await profile()).toMatchObject({
      delivery: { addressOne: '1 Quay Street' },
      deliveries: { issue: { delivery: { addressOne: '7 Harbour Row' }, isDeliveredToBilling: false } },
    })
    await services.db.run(`UPDATE readers SET sub_end_on = '2026-11-01' WHERE id = :id`, { id: printed.id as number })
    expect((await profile()).deliveries.issue.delivery).toMatchObject({ addressOne: '1 Quay Street' })
  })

  it('moves one subscription or all that go to the same place, never a gift', async () => {
    const { ctx, subscriptions } = await makeSubscriptions()
    const places = async () => (await subscriptions()).map(({ delivery }) => delivery?.addressOne)
    const [bundle, print, gift] = await subscriptions()
    await changeDeliveryAddress(ctx, { ...newAddress, readerId: print?.readerId })
    expect(await places()).toEqual(['1 Quay Street', '7 Harbour Row', undefined])
    await changeDeliveryAddress(ctx, {
      ...newAddress,
      addressOne: '8 Harbour Row',
      readerId: bundle?.readerId,
      appliesToAll: 'on',
    })
    expect(await places()).toEqual(['8 Harbour Row', '7 Harbour Row', undefined])
    await changeDeliveryAddress(ctx, { ...newAddress, readerId: bundle?.readerId })
    await changeDeliveryAddress(ctx, { ...newAddress, addressOne: '9 Harbour Row' })
    expect(await places()).toEqual(['9 Harbour Row', '9 Harbour Row', undefined])
    for (const readerId of [gift?.readerId, 999_999_999])
      await expect(changeDeliveryAddress(ctx, { ...newAddress, readerId })).rejects.toMatchObject({ kind: 'notFound' })
    const [giftReader] = await services.db.query(`SELECT address_one FROM readers WHERE id = :id`, {
      id: gift?.readerId ?? 0,
    })
    expect(giftReader).toEqual({ address_one: '9 Gift Lane' })
  })

  it('applies opt-outs to the buyer’s own subscriptions, not to a gift, and exports only those', async () => {
    const { buyer, ctx } = await makeSubscriptions()
    const chosen = Object.fromEntries(optOuts.map(({ field }) => [field, field === 'pubOffersPost']))
    await changeOptOuts(ctx, chosen)
    const rows = (await rowsOf(services, 'readers', shop.id)).filter(({ buyer_id }) => buyer_id === buyer.actor.buyerId)
    expect(rows.map((row) => Boolean(row.pub_offers))).toEqual([false, false, true])
    const text = await textOf((await downloadOwnData(ctx, {})).chunks)
    const data = JSON.parse(text)
    expect(data.readerRecord.map(({ sub_type }: { sub_type: string }) => sub_type)).toEqual(['bundle', 'print'])
    expect(data.consents).toHaveLength(2)
    const gifts = data.orders.map(({ gift }: { gift: object | null }) => gift)
    expect(gifts).toEqual([null, null, { email: 'tom@example.test', message: '' }])
  })

  it('applies opt-outs and the stop of reminders to the buyer’s own removed records, in case they are restored', async () => {
    const { ctx, subscriptions } = await makeSubscriptions()
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const [bundle, print, gift] = (await subscriptions()).map(({ readerId }) => readerId)
    await services.db.run('UPDATE readers SET pub_offers = :no WHERE id IN (:ids)', {
      no: false,
      ids: [print ?? 0, gift ?? 0],
    })
    for (const id of [print, gift]) await removeReader(staff, { id })
    const chosen = Object.fromEntries(optOuts.map(({ field }) => [field, field.startsWith('pub')]))
    await changeOptOuts(ctx, { ...chosen, reminders: true })
    for (const id of [print, gift]) await restoreReader(staff, { id })
    const restored = async (id = 0) => {
      const reader = await Readers.find(services, { id })
      const stop = await ReminderStops.find(services, { readerId: id })
      return [reader?.pubOffers, reader?.partnerOffers, stop !== null]
    }
    expect(await restored(bundle)).toEqual([true, false, true])
    expect(await restored(print)).toEqual([true, false, true])
    expect((await restored(gift))[0]).toBe(false)
    expect((await restored(gift))[2]).toBe(false)
  })
})

it('exports what was refunded and invoiced, and the reminders of its ends', async () => {
  const { actor, orderNumber } = await makeBuyer()
  const staff = await actorOf(services, 'publisher', shop.publisherId)
  const [order] = await services.db.query<{ id: number; reader_id: number }>(
    `SELECT id, reader_id FROM orders WHERE order_number = :orderNumber`,
    { orderNumber },
  )
  const { id = 0, reader_id: readerId = 0 } = order ?? {}
  await refundOrder(services.as(staff), { id, scope: 'amount', amount: '10.00', reason: 'A late issue' })
  const { publisherId, id: publicationId } = shop
  await makeEffort(services, readerId)
  await ReminderStops.insert(services, { readerId, publicationId, stoppedAt: services.now() })
  await Invoices.insert(services, {
    publisherId,
    publicationId,
    orderId: id,
    number: 1,
    currency: 'GBP',
    amount: 2999,
    issuedOn: '2026-11-22',
    dueOn: '2026-12-22',
  })
  const text = await textOf((await downloadOwnData(services.as(actor), {})).chunks)
  expect(JSON.parse(text)).toMatchObject({
    refunds: [{ order_number: orderNumber, state: 'succeeded', amount: 1000, reason: 'A late issue' }],
    invoices: [{ order_number: orderNumber, number: 1, amount: 2999, due_on: '2026-12-22' }],
    renewalReminders: [{ channel: 'mail' }],
    remindersStopped: [{ stopped_at: expect.any(String) }],
    appsLoggedIn: [],
  })
})

describe('the delivery address', () => {
  it('has no new postcode that cannot exist in its country; the one on file may stay', async () => {
    const buyer = await makeBuyer()
    const ctx = services.as(buyer.actor)
    await expect(changeDeliveryAddress(ctx, { ...newAddress, postCode: 'ABC' })).rejects.toMatchObject({
      fields: { postCode: 'Enter a UK postcode, such as SW1A 1AA' },
    })
    await expect(changeDeliveryAddress(ctx, { ...newAddress, addressOne: ' ', postCode: 'ABC' })).rejects.toMatchObject(
      {
        fields: { addressOne: 'Required', postCode: 'Enter a UK postcode, such as SW1A 1AA' },
      },
    )
    await Readers.update(services, { id: Number((await readerOf(buyer)).id) }, { postCode: 'ABC' })
    expect(await changeDeliveryAddress(ctx, { ...newAddress, postCode: 'ABC' })).toMatchObject({ postCode: 'ABC' })
  })

  it('is changed on the reader’s record, with the old one in its history, and stored for the next order', async () => {
    const buyer = await makeBuyer()
    const address = await changeDeliveryAddress(services.as(buyer.actor), { ...newAddress, country: 'US' })
    expect(address).toMatchObject({ addressOne: '7 Harbour Row', postCode: 'TR11 3LH', country: 'GB' })
    const reader = await readerOf(buyer)
    expect(reader).toMatchObject({
      address_one: '7 Harbour Row',
      post_code: 'TR11 3LH',
      full_name: 'Dr Ann O’Brien-Shaw',
      key_surname: 'obrien shaw',
      key_post_code: 'TR113LH',
      post_code_state: 'ok',
      version: 2,
    })
    const events = await rowsOf(services, 'reader_events', shop.id)
    const event = events.filter(({ reader_id }) => reader_id === reader.id).at(-1)
    expect(event).toMatchObject({
      kind: 'edited',
      note: 'Delivery address changed by the reader',
      actor_kind: 'buyer',
      actor_id: buyer.actor.buyerId,
    })
    expect(typeof event?.before === 'string' ? JSON.parse(event.before) : event?.before).toMatchObject({
      addressOne: '1 Quay Street',
      postCode: 'SW1A 1AA',
      lastName: "O'Brien",
    })
    expect(await buyerProfile(services.as(buyer.actor), {})).toMatchObject({ delivery: { city: 'Falmouth' } })
  })

  it('keeps the name when none is typed, and refuses an address that cannot be posted to', async () => {
    const buyer = await makeBuyer()
    const ctx = services.as(buyer.actor)
    const { firstName: _, lastName: __, ...nameless } = newAddress
    expect(await changeDeliveryAddress(ctx, nameless)).toMatchObject({ title: 'Mrs', lastName: "O'Brien" })
    await expect(changeDeliveryAddress(ctx, { addressOne: ' ', city: 'x'.repeat(101) })).rejects.toMatchObject({
      fields: { addressOne: 'Required', postCode: 'Required', city: expect.stringContaining('100') },
    })
  })

  it('accepts the longest names that its form accepts', async () => {
    const buyer = await makeBuyer()
    const names = { title: 'T'.repeat(30), firstName: 'F'.repeat(100), lastName: 'L'.repeat(100) }
    await changeDeliveryAddress(services.as(buyer.actor), { ...newAddress, ...names })
    expect(await readerOf(buyer)).toMatchObject({
      last_name: names.lastName,
      full_name: expect.stringMatching(/^.{200}$/),
    })
  })

  it('writes no history when nothing changed', async () => {
    const buyer = await makeBuyer()
    const ctx = services.as(buyer.actor)
    await changeDeliveryAddress(ctx, newAddress)
    const before = (await rowsOf(services, 'reader_events', shop.id)).length
    await changeDeliveryAddress(ctx, newAddress)
    expect(await rowsOf(services, 'reader_events', shop.id)).toHaveLength(before)
  })
})

describe('offers and news', () => {
  it('are chosen by the reader, and the history records who chose and the previous choice', async () => {
    const buyer = await makeBuyer()
    const chosen = Object.fromEntries(optOuts.map(({ field }) => [field, field !== 'pubOffers']))
    expect(await changeOptOuts(services.as(buyer.actor), chosen)).toEqual({
      fields: ['pubOffers', 'partnerOffersSms'],
    })
    const reader = await readerOf(buyer)
    expect([Boolean(reader.pub_offers), Boolean(reader.partner_offers_sms)]).toEqual([false, true])
    const events = await rowsOf(services, 'reader_events', shop.id)
    const event = events.filter(({ reader_id }) => reader_id === reader.id).at(-1)
    expect(event).toMatchObject({
      actor_kind: 'buyer',
      actor_id: buyer.actor.buyerId,
      note: 'Chosen by the reader: Publication offers by email: yes; Partner offers by SMS: no',
    })
    expect(typeof event?.before === 'string' ? JSON.parse(event.before) : event?.before).toEqual({
      pubOffers: true,
      partnerOffersSms: false,
    })
    const [audited] = await services.db.query<{ facts: unknown; publisher_id: number }>(
      `SELECT facts, publisher_id FROM audit_log WHERE action = 'change-opt-outs' ORDER BY id DESC LIMIT 1`,
    )
    expect(audited?.publisher_id).toBe(shop.publisherId)
  })

  it('are listed with the reminders, which the account page stops and the link in an email allows again', async () => {
    const buyer = await makeBuyer()
    const ctx = services.as(buyer.actor)
    const chosen = Object.fromEntries(optOuts.map(({ field }) => [field, true]))
    const areRemindersStopped = async () => (await buyerProfile(ctx, {})).remindersStopped
    expect(await areRemindersStopped()).toBe(false)
    expect((await changeOptOuts(ctx, { ...chosen, reminders: true })).fields).toContain('reminders')
    expect(await areRemindersStopped()).toBe(true)
    // A choice that leaves out the reminders does not change them.
    await changeOptOuts(ctx, chosen)
    expect(await areRemindersStopped()).toBe(true)
    const readerId = Number((await readerOf(buyer)).id)
    const key = stopKey(services.settings.appSecret, { readerId, what: 'reminder' })
    await stopEmails(services.as(visitor), { publicationId: shop.id, key, isStopped: false })
    expect(await areRemindersStopped()).toBe(false)
  })

  it('require every flag to be sent', async () => {
    const buyer = await makeBuyer()
    await expect(changeOptOuts(services.as(buyer.actor), { pubOffers: true })).rejects.toMatchObject({
      fields: { pubOffersPost: 'Required' },
    })
  })
})

describe('own orders', () => {
  it('are listed newest first with receipts; another buyer’s number is not found', async () => {
    const buyer = await makeBuyer()
    const next = orderForm(shop, { email: buyer.email, plan: '2DN2.99' })
    const second = await placeOrder(services.as(visitor), next)
    const stranger = await makeBuyer()
    const atOtherShop = await makeBuyer({ email: buyer.email }, await makeShop(services))
    const ctx = services.as(buyer.actor)
    const { rows, total } = await listOwnOrders(ctx, {})
    expect([total, rows.map(({ orderNumber }) => orderNumber)]).toEqual([2, [second.orderNumber, buyer.orderNumber]])
    const plan = { product: 'print', termMonths: 12 }
    expect(rows).toMatchObject([
      { plan: { product: 'digital', termMonths: 1 }, volumes: [] },
      { plan, volumes: [] },
    ])
    expect(await getOwnReceipt(ctx, { orderNumber: buyer.orderNumber })).toMatchObject({
      productName: 'Print, one year',
      plan,
      amount: 2999,
      currency: 'GBP',
      startOn: '2026-11-21',
      items: [{ unitPrice: 2999, postage: 0 }],
      billing: { addressOne: '1 Quay Street' },
      delivery: { addressOne: '1 Quay Street' },
    })
    expect(await getOwnReceipt(ctx, { orderNumber: second.orderNumber })).toMatchObject({ delivery: null })
    for (const orderNumber of [stranger.orderNumber, atOtherShop.orderNumber, 'OD-NOTHING', '']) {
      await expect(getOwnReceipt(ctx, { orderNumber })).rejects.toMatchObject({ kind: 'notFound' })
    }
  })

  it('leave out declined orders', async () => {
    const buyer = await makeBuyer()
    const declined = { cardNumber: '4000 0000 0000 0002' }
    const form = orderForm(shop, { email: buyer.email, payment: { details: declined } })
    await expect(placeOrder(services.as(visitor), form)).rejects.toMatchObject({ kind: 'declined' })
    expect(await listOwnOrders(services.as(buyer.actor), {})).toMatchObject({ total: 1 })
  })
})

describe('automatic renewal', () => {
  it('is shown with its day and price, and turned off once: agreement, history, email', async () => {
    const buyer = await makeBuyer(recurring)
    const ctx = services.as(buyer.actor)
    const [agreement, ...more] = await ownAgreements(ctx, {})
    expect([agreement, more]).toMatchObject([
      {
        plan: { product: 'print', termMonths: 12, isRecurring: false },
        renewsOn: '2027-11-21',
        price: { amount: 2500, currency: 'GBP' },
      },
      [],
    ])
    const agreementId = agreement?.id
    const stranger = await makeBuyer(recurring)
    for (const otherBuyer of [stranger, await makeBuyer({ email: buyer.email }, await makeShop(services))]) {
      await expect(turnRenewalOff(services.as(otherBuyer.actor), { agreementId })).rejects.toMatchObject({
        kind: 'notFound',
      })
    }
    const receipt = () => getOwnReceipt(ctx, { orderNumber: buyer.orderNumber })
    expect(await receipt()).toMatchObject({ endOn: '2027-11-21', renews: true })
    expect(await turnRenewalOff(ctx, { agreementId })).toEqual({ wasOn: true })
    expect(await turnRenewalOff(ctx, { agreementId })).toEqual({ wasOn: false })
    expect(await receipt()).toMatchObject({ endOn: '2027-11-21', renews: false })
    expect(await ownAgreements(ctx, {})).toEqual([])
    expect(await ownAgreements(services.as(stranger.actor), {})).toHaveLength(1)
    const [stored] = await services.db.query<{ state: string; ended_at: unknown }>(
      `SELECT state, ended_at FROM payment_agreements WHERE id = :id`,
      { id: agreementId ?? 0 },
    )
    expect(stored).toMatchObject({ state: 'ended', ended_at: expect.anything() })
    const events = (await rowsOf(services, 'reader_events', shop.id)).filter(({ kind }) => kind === 'renewal-off')
    expect(events).toMatchObject([{ actor_kind: 'buyer', actor_id: buyer.actor.buyerId }])
    expect(await queuedEmails(services, 'buyer-notice')).toHaveLength(1)
  })

  it('is confirmed without a day once it is turned off, if the subscription runs until further notice', async () => {
    const { actor, email } = await makeBuyer(recurring)
    const ctx = services.as(actor)
    const [agreement] = await ownAgreements(ctx, {})
    const agreementId = Number(agreement?.id)
    await services.db.run(`UPDATE readers SET sub_end_on = :openEnd WHERE buyer_id = :buyerId`, {
      openEnd,
      buyerId: actor.buyerId,
    })
    await followLaterEnds(ctx, [agreementId])
    expect(await ownAgreements(ctx, {})).toMatchObject([{ renewsOn: openEnd, chargeOn: openEnd }])
    await mailSender('card-link')(services.as({ kind: 'system' }), { agreementId, key: 'a-first-press' })
    await turnRenewalOff(ctx, { agreementId })
    const notice = (await queuedEmails(services, 'buyer-notice')).at(-1)
    await mailSender('buyer-notice')(services.as({ kind: 'system' }), notice?.about)
    const sent = (await services.mail.devMailbox?.list(2)) ?? []
    expect(sent.map(({ to }) => to)).toEqual([email, email])
    for (const { text, html } of sent) {
      expect(`${text}${html}`).not.toContain('2100')
      expect(text.toLowerCase()).toContain('until further notice')
    }
  })
})

describe('the download of own data', () => {
  const dataOf = async ({ actor }: TestBuyer): Promise<{ text: string; fileName: string }> => {
    const { chunks, fileName } = await downloadOwnData(services.as(actor), {})
    const text = await textOf(chunks)
    return { text, fileName }
  }

  it('is one JSON file of everything stored about the reader, without secrets or other people’s data', async () => {
    const buyer = await makeBuyer({ ...recurring, mobile: '07700 900123' })
    const stranger = await makeBuyer({ lastName: 'Zebrawood' })
    await changeDeliveryAddress(services.as(buyer.actor), newAddress)
    const { text, fileName } = await dataOf(buyer)
    expect(fileName).toMatch(/ - my data 2026-11-21\.json$/)
    const data = JSON.parse(text)
    expect(data).toMatchObject({
      account: [{ email: buyer.email, mobile: '07700 900123', shipping: { addressOne: '7 Harbour Row' } }],
      readerRecord: [{ address_one: '7 Harbour Row', sub_type: 'print' }],
      consents: [{ pub_offers: true, partner_offers_sms: false }],
      readerHistory: [{ kind: 'added' }, { kind: 'edited', before: { addressOne: '1 Quay Street' } }],
      orders: [{ order_number: buyer.orderNumber, amount: 2500, billing: { addressOne: '1 Quay Street' } }],
      orderItems: [{ order_number: buyer.orderNumber }],
      payments: [{ state: 'paid' }],
      automaticRenewals: [{ state: 'active' }],
      activity: [{ action: 'change-delivery-address' }, { action: 'download-own-data' }],
    })
    expect(text).not.toMatch(/argon2|password|token|"id"/)
    for (const theirs of [stranger.email, stranger.orderNumber, 'Zebrawood']) expect(text).not.toContain(theirs)
  })

  it('leaves a text that looks like JSON a text, and writes every moment as ISO 8601', async () => {
    const buyer = await makeBuyer()
    await changeDeliveryAddress(services.as(buyer.actor), { ...newAddress, companyName: '[1]', addressTwo: '{"a":1}' })
    const data = JSON.parse((await dataOf(buyer)).text)
    expect(data).toMatchObject({
      account: [{ shipping: { companyName: '[1]' }, created_at: '2026-11-21T10:00:00.000Z' }],
      readerRecord: [{ company_name: '[1]', address_two: '{"a":1}' }],
      orders: [{ paid_at: '2026-11-21T10:00:00.000Z' }],
    })
  })

  it('include the emails sent to the buyer’s former addresses, and nobody else’s', async () => {
    const isGift = { isGift: true, giftEmail: 'tom@example.test', isDeliveredToBilling: false }
    const tom = { firstName: 'Tom', lastName: 'Reed', addressOne: '9 Lane', city: 'Bath', postCode: 'BA1 1AA' }
    const { actor, email: former, orderNumber } = await makeBuyer()
    const gift = await placeOrder(services.as(visitor), orderForm(shop, { email: former, ...isGift, shipping: tom }))
    const orderIds = await services.db.query<{ order_number: string; id: number; reader_id: number }>(
      `SELECT order_number, id, reader_id FROM orders WHERE order_number IN (:numbers)`,
      { numbers: [orderNumber, gift.orderNumber] },
    )
    const ids = new Map(orderIds.map((order) => [order.order_number, order]))
    const [own, given] = [ids.get(orderNumber), ids.get(gift.orderNumber)]
    const send = (subject: string, toAddress: string, about: Partial<RowOf<typeof Emails>>) =>
      Emails.insert(services, {
        emailKey: `test:${subject}`,
        template: 'order-receipt',
        publicationId: shop.id,
        subject,
        state: 'sent',
        toAddress,
        keyAddress: toAddress.toLowerCase(),
        messageId: `<${subject}@example.test>`,
        ...about,
      })
    const ownId = own?.id ?? 0
    await send('receipt', former, { orderId: ownId })
    await send('account', former, { buyerId: actor.buyerId })
    await send('reader', former, { readerId: own?.reader_id ?? 0 })
    await send('gift-renewal', former, { readerId: given?.reader_id ?? 0 })
    await send('to-publisher', 'orders@publisher.test', { orderId: ownId })
    await send('to-recipient', 'tom@example.test', { orderId: given?.id ?? 0 })
    await send('recipient-reminder', 'tom@example.test', { readerId: given?.reader_id ?? 0 })
    // Somebody else has the address now.
    await send('new-owner', former, {})
    await Buyers.update(
      services,
      { id: actor.buyerId },
      { email: `new-${former}`, emailKey: `new-${former}`.toLowerCase() },
    )
    await send('present', `new-${former}`, {})
    const listed = async () => {
      const { emailsSent } = JSON.parse((await dataOf({ actor, email: former, orderNumber })).text)
      return emailsSent.map(({ subject }: { subject: string }) => subject)
    }
    const ofTheAccount = ['receipt', 'account', 'reader', 'gift-renewal']
    // Anybody can give their account an address that is not proven: its other emails may be somebody else's.
    expect(await listed()).toEqual(ofTheAccount)
    await Buyers.update(services, { id: actor.buyerId }, { emailProvenAt: services.now() })
    expect(await listed()).toEqual([...ofTheAccount, 'present'])
  })

  it('include the emails sent to an address with non-ASCII capitals', async () => {
    const buyer = await makeBuyer({ email: 'ÉMILE@exemple.fr', confirmEmail: 'ÉMILE@exemple.fr' })
    await Buyers.update(services, { id: buyer.actor.buyerId }, { emailProvenAt: services.now() })
    await Emails.insert(services, {
      emailKey: 'test:capitals',
      template: 'order-receipt',
      publicationId: shop.id,
      subject: 'x',
      state: 'sent',
      toAddress: 'ÉMILE@exemple.fr',
      keyAddress: 'émile@exemple.fr',
      messageId: '<capitals@example.test>',
    })
    expect(JSON.parse((await dataOf(buyer)).text).emailsSent).toMatchObject([{ to_address: 'ÉMILE@exemple.fr' }])
  })
})
