import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { buyerProfile } from '#core/buyers/buyer-profile.query.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { orderEmails } from '#core/emails/order-emails.ts'
import { undoImport } from '#core/imports/undo-import.ts'
import { getConfirmation } from '#core/orders/get-confirmation.query.ts'
import { pollPayment } from '#core/orders/pay-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { renewalTerms } from '#core/orders/renewal-consent.rules.ts'
import { settleOrder } from '#core/orders/settle-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { listPublications } from '#core/publications/list-publications.query.ts'
import { changeReaderAddress } from '#core/readers/change-reader-address.ts'
import { deactivateReader } from '#core/readers/deactivate-reader.ts'
import { getReader } from '#core/readers/get-reader.query.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { getUser } from '#core/users/get-user.query.ts'
import { listPublishers } from '#core/users/list-publishers.query.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makeBuyer, operator } from '#tests/support/factories.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import german from '#web/app/i18n/messages/de.json' with { type: 'json' }
import { chargeDueRenewals } from './charge-renewals.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const system = () => services.as({ kind: 'system' })

async function runDay(day: string, { id }: { id: number }) {
  services.clock.now = new Date(`${day}T05:00:00Z`)
  await announceRenewals(system(), day)
  return chargeDueRenewals(system(), day, { publicationId: id })
}

/** A one-year recurring subscription, bought on 22/11/2026, and renewed once if `isRenewed`; the next cycle is planned or due. */
async function makeSubscription({ isRenewed = false, cardNumber = demoCards.paid as string } = {}) {
  services.clock.now = new Date('2026-11-22T10:00:00Z')
  const shop = await makeShop(services)
  const form = orderForm(shop, { plan: '1PR25.00', payment: { details: { cardNumber } } })
  expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
  await runDay('2027-11-01', shop)
  if (isRenewed) {
    expect(await runDay('2027-11-22', shop)).toMatchObject({ paid: 1 })
    await runDay('2028-11-01', shop)
  }
  const orders = await rowsOf(services, 'orders', shop.id)
  return { shop, orders: orders.map(({ id }) => Number(id)) }
}

const refund = async (shop: { publisherId: number }, id: number | undefined) =>
  refundOrder(services.as(await actorOf(services, 'publisher', shop.publisherId)), {
    id,
    scope: 'whole',
    method: 'hand',
    reason: 'Changed her mind',
  })

/** The bank reports that its customer disputes a payment. */
async function dispute(id: number | undefined, state: 'open' | 'lost') {
  const [payment] = await services.db.query<{ provider_reference: string; amount: number; currency: 'GBP' }>(
    `SELECT provider_reference, amount, currency FROM payments WHERE order_id = :id`,
    { id: Number(id) },
  )
  if (!payment) throw new Error('no payment')
  const { provider_reference: reference, amount, currency } = payment
  const reported = { reference: `dp_${id}`, amount, state, reason: 'fraudulent', fee: null }
  const money = { amount, currency }
  await settleOrder(system(), {
    orderId: Number(id),
    result: { state: 'paid', reference, money, disputes: [reported] },
  })
}

const agreements = ({ id }: { id: number }) => rowsOf(services, 'payment_agreements', id)
const openRenewals = async ({ id }: { id: number }) =>
  (await rowsOf(services, 'renewals', id)).filter(
    ({ state }) => !['paid', 'cancelled', 'lapsed'].includes(String(state)),
  )

describe('an agreement whose payment was refunded or disputed', () => {
  it('ends with the refund of its first order, and is never charged again', async () => {
    const { shop, orders } = await makeSubscription()
    expect(await openRenewals(shop)).toHaveLength(1)
    await refund(shop, orders[0])
    expect(await agreements(shop)).toMatchObject([{ state: 'ended', end_reason: 'taken-back' }])
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'cancelled', reason: 'One of its payments was reversed', next_try_on: null },
    ])
    expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 0 })
  })

  it('ends with the refund of its last renewal', async () => {
    const { shop, orders } = await makeSubscription({ isRenewed: true })
    await refund(shop, orders[1])
    expect(await agreements(shop)).toMatchObject([{ state: 'ended', end_reason: 'taken-back' }])
    expect(await openRenewals(shop)).toEqual([])
  })

  it('continues after the refund of an order it no longer depends on', async () => {
    const { shop, orders } = await makeSubscription({ isRenewed: true })
    await refund(shop, orders[0])
    expect(await agreements(shop)).toMatchObject([{ state: 'active' }])
    expect(await openRenewals(shop)).toHaveLength(1)
  })

  it.each(['open', 'lost'] as const)('ends when any of its payments has a dispute that is %s', async (state) => {
    const { shop, orders } = await makeSubscription({ isRenewed: true })
    await dispute(orders[state === 'open' ? 0 : 1], state)
    expect(await agreements(shop)).toMatchObject([{ state: 'ended', end_reason: 'taken-back' }])
    expect(await openRenewals(shop)).toEqual([])
  })
})

describe('an automatic renewal agreement, when its reader', () => {
  it.each([
    ['was removed', removeReader],
    ['was deactivated', deactivateReader],
  ])('%s, ends and is not charged', async (_, removeOrDeactivate) => {
    const { shop } = await makeSubscription()
    const [reader] = await rowsOf(services, 'readers', shop.id)
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const id = Number(reader?.id)
    expect((await getReader(staff, { id })).renewal).toEqual({
      on: '2027-11-22',
      price: { amount: 2500, currency: 'GBP' },
    })
    await removeOrDeactivate(staff, { id })
    expect(await agreements(shop)).toMatchObject([{ state: 'ended', end_reason: 'reader-gone' }])
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'cancelled', reason: 'The reader was removed or deactivated' },
    ])
    expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 0 })
  })

  it('was removed while the bank asked for confirmation, is still paid when the buyer confirms', async () => {
    const { shop } = await makeSubscription({ cardNumber: demoCards.confirmedLater })
    await runDay('2027-11-22', shop)
    const [reader] = await rowsOf(services, 'readers', shop.id)
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    await removeReader(staff, { id: Number(reader?.id) })
    const [, attempt] = await rowsOf(services, 'orders', shop.id)
    const reference = 'demo-late'
    const money = { amount: 2500, currency: 'GBP' } as const
    const settled = settleOrder(system(), { orderId: Number(attempt?.id), result: { state: 'paid', reference, money } })
    expect(await settled).toBe('paid')
    expect(await agreements(shop)).toMatchObject([{ state: 'ended' }])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(2)
  })

  it('was merged into another record or moved, is charged once and extends the new record', async () => {
    const { shop } = await makeSubscription()
    const [reader] = await rowsOf(services, 'readers', shop.id)
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const survivorId = await makeReader(services, shop.id, { subType: '', postCode: 'PL23 1AT' })
    await mergeReaders(staff, { publicationId: shop.id, readerIds: [Number(reader?.id), survivorId], survivorId })
    const ctx = system()
    const address = {
      title: '',
      companyName: '',
      addressTwo: '',
      addressThree: '',
      state: '',
      firstName: 'Ann',
      lastName: "O'Brien",
      addressOne: '9 New Street',
      city: 'Bath',
      postCode: 'BA1 1AA',
      country: 'GB',
    }
    await services.db.transaction(() =>
      changeReaderAddress(ctx, { readerId: survivorId, publicationId: shop.id, address }),
    )
    expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 1, paid: 1 })
    expect(await runDay('2027-11-23', shop)).toMatchObject({ charged: 0 })
    const [, renewed] = await rowsOf(services, 'orders', shop.id)
    expect(Number(renewed?.reader_id)).toBe(survivorId)
    expect(JSON.stringify(renewed?.shipping)).toContain('9 New Street')
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2028-11-22' }])
    expect(await agreements(shop)).toMatchObject([{ state: 'active', renews_on: '2028-11-22' }])
  })

  it('ordered again, is replaced by the new agreement, and its renewal is not charged', async () => {
    const { shop, again } = await prepareNextOrder('1PR25.00')
    expect(await again()).toMatchObject({ state: 'paid' })
    expect(await agreements(shop)).toMatchObject([
      { state: 'ended', end_reason: 'replaced' },
      { state: 'active', renews_on: '2028-11-22' },
    ])
    expect(await openRenewals(shop)).toEqual([])
  })

  it('ordered again, is named as replaced: in the account before the order, and on the page and the receipt after it', async () => {
    const { shop, actor, again } = await prepareNextOrder('1PR25.00')
    const expectedRenewal = {
      plan: { product: 'print', termMonths: 12, isRecurring: false },
      price: { amount: 2500, currency: 'GBP' },
      on: '2027-11-22',
    }
    const { replacedRenewal } = await buyerProfile(services.as(actor), {})
    // Digital would run alongside print, on a separate record.
    expect(replacedRenewal).toEqual({ print: expectedRenewal, digital: null, bundle: expectedRenewal })
    const order = await again()
    expect((await getConfirmation(services.as(visitor), order)).replaced).toEqual(expectedRenewal)
    const receipt = await orderEmails['order-receipt'].write(system(), { orderId: order.orderId }, 'order-receipt')
    expect(receipt?.view).toMatchObject({
      notes: expect.arrayContaining([
        'This order replaced your automatic renewal of Print, one year, £25.00, due on 22/11/2027.',
      ]),
    })
    // A buyer does not see another buyer's renewal.
    await services.db.run(`UPDATE payment_agreements SET buyer_id = :other WHERE replaced_by = :id`, {
      other: (await makeBuyer(services, shop.id)).id,
      id: order.orderId,
    })
    expect((await getConfirmation(services.as(visitor), order)).replaced).toBeNull()
  })

  it('ordered again for free, stays active: the free order stores nothing that a renewal could charge', async () => {
    const { shop, again } = await prepareNextOrder('1PR25.00', demoCards.paid, demoCards.needsAction)
    const { orderId } = await again()
    // As an order placed with a code for the whole price, which earlier releases accepted.
    await services.db.run(`UPDATE orders SET amount = 0, payment_type = 'Free' WHERE id = :orderId`, { orderId })
    await services.db.run(`UPDATE payments SET amount = 0, provider = 'free' WHERE order_id = :orderId`, { orderId })
    expect(await pollPayment(system(), orderId)).toBe('paid')
    expect(await agreements(shop)).toMatchObject([{ state: 'active', provider: 'demo', renews_on: '2028-11-22' }])
  })

  it('paid for the next term by hand, continues after it, and the declined renewal is not retried', async () => {
    const { shop, again } = await prepareNextOrder('1PN29.99', demoCards.declinedLater)
    expect(await again()).toMatchObject({ state: 'paid' })
    expect(await agreements(shop)).toMatchObject([{ state: 'active', renews_on: '2028-11-24' }])
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'cancelled', reason: 'The subscription was extended meanwhile' },
    ])
  })
})

describe('an agreement whose reader was removed by the replacement of the list', () => {
  const { importInto } = readerFiles(() => services)

  /** A subscription whose renewal is not planned yet, in a list that was then replaced. */
  async function replaceList() {
    services.clock.now = new Date('2026-11-22T10:00:00Z')
    const shop = await makeShop(services)
    await placeOrder(services.as(visitor), orderForm(shop, { plan: '1PR25.00' }))
    const { uploadId } = await importInto(shop, 'UniqueReference,FullName\nN1,New One\n', 'replace')
    return { shop, uploadId }
  }

  it('ends on the day of its renewal without a charge', async () => {
    const { shop } = await replaceList()
    await runDay('2027-11-21', shop)
    expect(await agreements(shop)).toMatchObject([{ state: 'active' }])
    expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 0 })
    expect(await agreements(shop)).toMatchObject([{ state: 'ended', end_reason: 'reader-gone' }])
  })

  it('continues if the replacement is undone before that day', async () => {
    const { shop, uploadId } = await replaceList()
    await undoImport(services.as(operator), { uploadId })
    await runDay('2027-11-01', shop)
    expect(await runDay('2027-11-22', shop)).toMatchObject({ paid: 1 })
    expect(await agreements(shop)).toMatchObject([{ state: 'active', renews_on: '2028-11-22' }])
  })

  it('returns to the earlier end when an extension is refunded before the replacement is undone', async () => {
    const { shop, again } = await prepareNextOrder('1PN29.99')
    const [planned] = await rowsOf(services, 'renewals', shop.id)
    await mailSender('renewal-notice')(system(), { renewalId: Number(planned?.id) })
    await again()
    const { uploadId } = await importInto(shop, 'UniqueReference,FullName\nN1,New One\n', 'replace')
    await refund(shop, Number((await rowsOf(services, 'orders', shop.id)).at(-1)?.id))
    await undoImport(services.as(operator), { uploadId })
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2027-11-22' }])
    expect(await agreements(shop)).toMatchObject([{ state: 'active', renews_on: '2027-11-22' }])
  })
})

describe('an agreement that follows an extension by hand', () => {
  const lastOrder = async ({ id }: { id: number }) => Number((await rowsOf(services, 'orders', id)).at(-1)?.id)
  const endEmails = async ({ publisherId }: { publisherId: number }) =>
    (await queuedEmails(services, 'buyer-notice')).filter((mail) => mail.publisherId === publisherId)

  it('returns to the earlier end when the extension is refunded, and is charged as announced', async () => {
    const { shop, again } = await prepareNextOrder('1PN29.99')
    const [planned] = await rowsOf(services, 'renewals', shop.id)
    await mailSender('renewal-notice')(system(), { renewalId: Number(planned?.id) })
    await again()
    expect(await agreements(shop)).toMatchObject([{ state: 'active', renews_on: '2028-11-22' }])
    await refund(shop, await lastOrder(shop))
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2027-11-22' }])
    expect(await agreements(shop)).toMatchObject([{ state: 'active', renews_on: '2027-11-22' }])
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { id: planned?.id, state: 'planned', charge_on: planned?.charge_on, next_try_on: '2027-11-22', settled_at: null },
    ])
    expect(await endEmails(shop)).toEqual([])
    expect(await runDay('2027-11-22', shop)).toMatchObject({ paid: 1 })
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2028-11-22' }])
  })

  it('returns to an end that was not announced yet, and is announced before it', async () => {
    services.clock.now = new Date('2026-11-22T10:00:00Z')
    const shop = await makeShop(services)
    await placeOrder(services.as(visitor), orderForm(shop, { plan: '1PR25.00', email: 'early@example.test' }))
    const [buyer] = await rowsOf(services, 'buyers', shop.id)
    const actor = { kind: 'buyer', buyerId: Number(buyer?.id), publicationId: shop.id } as const
    const form = { plan: '1PN29.99', email: String(buyer?.email), isSecondMeant: true }
    await placeOrder(services.as(actor), orderForm(shop, form))
    await refund(shop, await lastOrder(shop))
    expect(await agreements(shop)).toMatchObject([{ state: 'active', renews_on: '2027-11-22' }])
    await runDay('2027-11-01', shop)
    expect(await openRenewals(shop)).toMatchObject([{ cycle_on: '2027-11-22', noticed_on: '2027-11-01' }])
  })

  it.each([
    ['its day is over', demoCards.declinedLater],
    ['its notice was never sent', demoCards.paid],
  ])('ends when the renewal cannot be charged as announced, since %s, and its buyer is notified', async (_, card) => {
    const { shop, again } = await prepareNextOrder('1PN29.99', card)
    await again()
    await refund(shop, await lastOrder(shop))
    expect(await agreements(shop)).toMatchObject([{ state: 'ended', end_reason: 'taken-back' }])
    expect(await openRenewals(shop)).toEqual([])
    expect(await endEmails(shop)).toMatchObject([{ about: { kind: 'renewal-off' } }])
  })

  it('ends when the extension is disputed or its unserved months are refunded', async () => {
    const disputed = await prepareNextOrder('1PN29.99')
    await disputed.again()
    await dispute(await lastOrder(disputed.shop), 'open')
    const shortened = await prepareNextOrder('1PN29.99')
    await shortened.again()
    const staff = services.as(await actorOf(services, 'publisher', shortened.shop.publisherId))
    const part = { scope: 'months', method: 'hand', reason: 'Moving away' }
    services.clock.now = new Date('2028-02-01T10:00:00Z')
    await refundOrder(staff, { id: await lastOrder(shortened.shop), ...part })
    for (const { shop } of [disputed, shortened]) {
      expect(await agreements(shop)).toMatchObject([{ state: 'ended', end_reason: 'taken-back' }])
      expect(await endEmails(shop)).toHaveLength(1)
    }
  })
})

describe('before a title is removed or a publisher deactivated', () => {
  it('its active renewals are counted, and no other publisher’s', async () => {
    const { shop, orders } = await makeSubscription()
    const { shop: otherShop } = await makeSubscription()
    const sibling = await makeShop(services, { publisherId: shop.publisherId })
    const publisherCtx = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const counted = async () => {
      const titles = await listPublications(publisherCtx, {})
      const publishers = await listPublishers(services.as(await actorOf(services, 'superuser')), { size: 100 })
      const { dependents } = await getUser(services.as(operator), { id: shop.publisherId })
      return {
        titles: Object.fromEntries(titles.map(({ id, renewing }) => [id, renewing])),
        publishers: publishers.rows.find(({ id }) => id === shop.publisherId)?.renewing,
        dependents: dependents.renewing,
      }
    }
    expect(await counted()).toEqual({ titles: { [shop.id]: 1, [sibling.id]: 0 }, publishers: 1, dependents: 1 })
    await refund(shop, orders[0])
    expect(await counted()).toEqual({ titles: { [shop.id]: 0, [sibling.id]: 0 }, publishers: 0, dependents: 0 })
    expect(await agreements(otherShop)).toMatchObject([{ state: 'active' }])
  })
})

/** A reader with an open renewal, who orders this plan again from their own account. */
async function prepareNextOrder(
  plan: string,
  cardNumber: string = demoCards.paid,
  nextCard: string = demoCards.paid,
  fields: object = {},
) {
  const { shop } = await makeSubscription({ cardNumber })
  if (cardNumber !== demoCards.paid) await runDay('2027-11-22', shop)
  if (cardNumber !== demoCards.paid) services.clock.now = new Date('2027-11-24T10:00:00Z')
  const [buyer] = await rowsOf(services, 'buyers', shop.id)
  const actor = { kind: 'buyer', buyerId: Number(buyer?.id), publicationId: shop.id } as const
  const payment = { details: { cardNumber: nextCard } }
  const form = orderForm(shop, { plan, email: String(buyer?.email), isSecondMeant: true, payment, ...fields })
  return { shop, actor, again: () => placeOrder(services.as(actor), form) }
}

describe('what a buyer agrees to', () => {
  it('is stored with the text that was shown, its time and the version of the terms', async () => {
    const { shop } = await makeSubscription()
    const [agreement] = await agreements(shop)
    expect(agreement).toMatchObject({
      consent_text:
        'Renews on 22/11/2027 for £25.00, and again after each term, until you turn it off in your account.',
      terms_version: '2026-11-29',
    })
    expect(new Date(String(agreement?.consented_at)).toISOString()).toBe('2026-11-22T10:00:00.000Z')
    expect(Object.keys(german)).toContain(renewalTerms)
  })

  it('by extending a running subscription names the day on which the extended one renews, as the form does', async () => {
    const { shop, actor, again } = await prepareNextOrder('1PR25.00')
    const { termEnds } = await buyerProfile(services.as(actor), {})
    expect(termEnds.print).toEqual({ 12: '2028-11-22', 6: '2028-05-22', 3: '2028-02-22', 1: '2027-12-22' })
    // Digital would run alongside print, from today.
    expect(termEnds.digital[12]).toBe('2028-11-01')
    await again()
    const agreement = (await agreements(shop)).at(-1)
    expect(agreement).toMatchObject({
      renews_on: termEnds.print[12],
      consent_text:
        'Renews on 22/11/2028 for £25.00, and again after each term, until you turn it off in your account.',
    })
  })

  it('by a gift names the end of a term that begins today', async () => {
    const shipping = { firstName: 'Tom', lastName: 'Reed', addressOne: '9 Lane', city: 'Bath', postCode: 'BA1 1AA' }
    const gift = { isGift: true, isDeliveredToBilling: false, shipping }
    const { shop, again } = await prepareNextOrder('1PR25.00', undefined, undefined, gift)
    await again()
    expect((await agreements(shop)).at(-1)).toMatchObject({
      renews_on: '2028-11-01',
      consent_text: expect.stringContaining('Renews on 01/11/2028 for £25.00'),
    })
  })
})
