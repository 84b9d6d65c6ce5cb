import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { PromoCodes } from '#core/promos/promo-codes.rows.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makePromo } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { cancelUnpaidOrder } from './cancel-unpaid-order.ts'
import { getOrder } from './get-order.query.ts'
import { listOrders } from './list-orders.query.ts'
import { placeOrder } from './place-order.ts'
import { recordInvoicePayment } from './record-invoice-payment.ts'
import { refundOrder } from './refund-order.ts'
import { planStaffOrder, takeStaffOrder } from './take-staff-order.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

type Shop = Awaited<ReturnType<typeof makeShop>>

async function openShop(): Promise<{ shop: Shop; staff: AppContext }> {
  const shop = await makeShop(services)
  return { shop, staff: services.as(await actorOf(services, 'publisher', shop.publisherId)) }
}

const tom = { firstName: 'Tom', lastName: 'Reed', addressOne: '9 Lane', city: 'Bath', postCode: 'BA1 1AA' }

/** A year of print for £29.99, paid by cheque. */
function staffForm(shop: Shop, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    publicationId: shop.id,
    plan: '1PN29.99',
    country: 'GB',
    idempotencyKey: randomUUID(),
    firstName: 'Ann',
    lastName: 'Lee',
    email: `ann-${randomUUID()}@example.test`,
    billing: { addressOne: '1 Quay Street', city: 'London', postCode: 'SW1A 1AA' },
    method: 'cheque',
    note: 'No. 000123',
    ...fields,
  }
}

describe('an order that staff take', () => {
  it('is paid at once: reader, term, ledger, receipt, and the user who took it', async () => {
    const { shop, staff } = await openShop()
    const form = staffForm(shop)
    expect(await planStaffOrder(staff, form)).toMatchObject({
      productName: 'Print, one year',
      price: 2999,
      discount: 0,
      amount: 2999,
      currency: 'GBP',
      startOn: '2026-11-21',
      endOn: '2027-11-21',
      extends: false,
    })
    expect(await rowsOf(services, 'orders', shop.id)).toEqual([])
    const taken = await takeStaffOrder(staff, form)
    expect(taken).toMatchObject({ state: 'paid', amount: 2999, startOn: '2026-11-21', endOn: '2027-11-21' })
    expect(await getOrder(staff, { id: taken.orderId })).toMatchObject({
      paymentType: 'Cheque',
      channel: 'phone',
      takenBy: expect.stringContaining('Ada'),
      staffNote: 'No. 000123',
      payment: { state: 'paid' },
      canRefund: { methods: ['hand', 'credit'] },
      net: 2999,
      liability: 2999,
    })
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([
      { sub_type: 'print', sub_end_on: '2027-11-21', sub_paid: 2999 },
    ])
    expect((await ledgerTotals(staff, {})).GBP).toMatchObject({ orders: 1, amount: 2999, net: 2999 })
    const about = { orderId: taken.orderId }
    expect(await queuedEmails(services, 'order-receipt')).toContainEqual(expect.objectContaining({ about }))
    const [row] = (await listOrders(staff, {})).rows
    expect(row).toMatchObject({ paymentType: 'Cheque', amount: 2999 })
  })

  it('is one order, however often and from wherever its form is sent', async () => {
    const { shop, staff } = await openShop()
    const form = staffForm(shop)
    const sent = await Promise.all([takeStaffOrder(staff, form), takeStaffOrder(staff, form)])
    sent.push(await takeStaffOrder(staff, form))
    expect(new Set(sent.map(({ orderId }) => orderId)).size).toBe(1)
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
    await expect(takeStaffOrder(staff, { ...form, plan: '1BN39.99' })).rejects.toMatchObject({ kind: 'conflict' })
    const moved = { ...(form.billing as object), city: 'Truro' }
    await makePromo(services, shop.id, 'CORRECTED', { uses: 5 })
    const corrections = {
      telephone: { mobile: '020 7946 0000' },
      receipt: { sendsReceipt: false },
      language: { language: 'de' },
      answer: { answers: { C: 'By the sea' } },
      reader: { readerId: await makeReader(services, shop.id) },
      billing: { billing: moved },
      'promo code': { promoCode: 'corrected' },
      'payment method': { method: 'cash' },
      invoice: { method: 'invoice' },
      'invoice paid first': { method: 'invoice', begins: 'paid' },
      free: { method: 'free' },
      gift: { isGift: true, giftEmail: 'tom@example.test', isDeliveredToBilling: false, shipping: tom },
      start: { startOn: '2026-12-24' },
      note: { note: 'No. 000124' },
      channel: { channel: 'post' },
    }
    for (const [what, correction] of Object.entries(corrections)) {
      const corrected = { ...form, ...correction }
      await expect(takeStaffOrder(staff, corrected), what).rejects.toMatchObject({ kind: 'conflict' })
      await expect(planStaffOrder(staff, corrected), what).rejects.toMatchObject({ kind: 'conflict' })
    }
    expect(await planStaffOrder(staff, form)).toMatchObject({ amount: 2999 })
    const free = { ...staffForm(shop), method: 'free' }
    await takeStaffOrder(staff, free)
    await expect(takeStaffOrder(staff, { ...free, method: 'cheque' })).rejects.toMatchObject({ kind: 'conflict' })
    // The same corrections of an order that begins later, paid or not.
    for (const begins of ['now', 'paid'] as const) {
      const laterForm = { ...staffForm(shop), method: 'invoice', begins, startOn: '2026-12-24' }
      const { orderId } = await takeStaffOrder(staff, laterForm)
      expect(await takeStaffOrder(staff, laterForm)).toMatchObject({ orderId })
      const otherDays = [{ startOn: '2026-12-25' }, { startOn: '2026-12-23' }, { startOn: '' }]
      for (const correction of [{ begins: begins === 'now' ? 'paid' : 'now' }, ...otherDays])
        await expect(takeStaffOrder(staff, { ...laterForm, ...correction })).rejects.toMatchObject({ kind: 'conflict' })
    }
    // An equal key of another publisher is another order.
    const other = await openShop()
    await takeStaffOrder(other.staff, staffForm(other.shop, { idempotencyKey: form.idempotencyKey }))
    expect(await rowsOf(services, 'orders', other.shop.id)).toHaveLength(1)
  })

  it('is the same order once its pro forma invoice was paid or cancelled', async () => {
    const { shop, staff } = await openShop()
    const form = () => staffForm(shop, { method: 'invoice', begins: 'paid' })
    const paid = form()
    const cancelled = form()
    const { orderId } = await takeStaffOrder(staff, paid)
    const payment = { method: 'cash', amount: '29.99', key: randomUUID() }
    await recordInvoicePayment(staff, { orderId, ...payment })
    expect(await takeStaffOrder(staff, paid)).toMatchObject({ orderId, state: 'paid', startOn: '2026-11-21' })
    const { orderId: cancelledId } = await takeStaffOrder(staff, cancelled)
    await cancelUnpaidOrder(staff, { orderId: cancelledId, reason: 'Not wanted' })
    expect(await takeStaffOrder(staff, cancelled)).toMatchObject({ orderId: cancelledId, state: 'cancelled' })
  })

  it('says only that its form was used, if the order has no hash of the form', async () => {
    const { shop, staff } = await openShop()
    const form = staffForm(shop)
    const { orderId, orderNumber } = await takeStaffOrder(staff, form)
    await services.db.run('UPDATE orders SET form_hash = NULL WHERE id = :orderId', { orderId })
    await expect(takeStaffOrder(staff, form)).rejects.toMatchObject({
      kind: 'conflict',
      message: `This form has already placed order ${orderNumber}`,
    })
  })

  it('has the same plan before and after its form has placed it', async () => {
    const { shop, staff } = await openShop()
    await makePromo(services, shop.id, 'ONCE', { uses: 1 })
    const email = 'placed@example.test'
    const otherEmail = 'placed-later@example.test'
    for (const buyerEmail of [email, otherEmail])
      await placeOrder(services.as(visitor), orderForm(shop, { email: buyerEmail }))
    const [reader, otherReader] = await rowsOf(services, 'readers', shop.id)
    const forms = {
      promo: staffForm(shop, { promoCode: 'once' }),
      reader: staffForm(shop, { readerId: reader?.id, email }),
      'reader, paid first': staffForm(shop, {
        readerId: otherReader?.id,
        email: otherEmail,
        method: 'invoice',
        begins: 'paid',
      }),
      'paid first': staffForm(shop, { method: 'invoice', begins: 'paid', startOn: '2026-12-24' }),
      start: staffForm(shop, { startOn: '2026-12-24' }),
    }
    const planned = Object.entries(forms).map(
      async ([what, form]) => [what, await planStaffOrder(staff, form)] as const,
    )
    const plans = Object.fromEntries(await Promise.all(planned))
    expect(plans['reader, paid first']).toMatchObject({ extends: true, startOn: '2027-11-22' })
    for (const form of Object.values(forms)) await takeStaffOrder(staff, form)
    const before = services.clock.now
    services.clock.now = new Date('2027-01-21T10:00:00Z')
    try {
      for (const [what, form] of Object.entries(forms))
        expect(await planStaffOrder(staff, form), what).toEqual(plans[what])
    } finally {
      services.clock.now = before
    }
  })

  it('has the storefront’s price and promo codes, and refuses another price', async () => {
    const { shop, staff } = await openShop()
    await makePromo(services, shop.id, 'SPRING', { uses: 1 })
    await expect(takeStaffOrder(staff, staffForm(shop, { plan: '1PN19.99' }))).rejects.toMatchObject({
      kind: 'conflict',
      detail: { plan: '1PN29.99' },
    })
    await expect(takeStaffOrder(staff, staffForm(shop, { total: '1.00' }))).rejects.toMatchObject({ kind: 'conflict' })
    await expect(takeStaffOrder(staff, staffForm(shop, { plan: '1PR25.00' }))).rejects.toMatchObject({
      fields: { plan: expect.stringContaining('renews') },
    })
    const form = staffForm(shop, { promoCode: 'spring', total: '22.49' })
    expect(await takeStaffOrder(staff, form)).toMatchObject({ amount: 2249 })
    await expect(takeStaffOrder(staff, staffForm(shop, { promoCode: 'SPRING' }))).rejects.toMatchObject({
      fields: { promoCode: expect.anything() },
    })
  })

  it('takes a promo code that was made for the chosen reader, and for nobody else', async () => {
    const { shop, staff } = await openShop()
    const id = await makePromo(services, shop.id, 'ANN-ONLY', { uses: 1 })
    const readerId = await makeReader(services, shop.id)
    const otherId = await makeReader(services, shop.id)
    await services.db.run(`UPDATE promo_codes SET reader_id = :readerId WHERE id = :id`, { id, readerId })
    const shipping = { firstName: 'Tom', lastName: 'Reed', addressOne: '9 Lane', city: 'Bath', postCode: 'BA1 1AA' }
    const order = (fields: object) => takeStaffOrder(staff, staffForm(shop, { promoCode: 'ann-only', ...fields }))
    for (const fields of [{}, { readerId: otherId }, { readerId, isGift: true, isDeliveredToBilling: false, shipping }])
      await expect(order(fields)).rejects.toMatchObject({ fields: { promoCode: 'Promo code invalid or expired' } })
    expect(await order({ readerId })).toMatchObject({ amount: 2249 })
    expect(await PromoCodes.find(services, { id })).toMatchObject({ used: 1 })
  })

  it('requires a reason for a free copy, which has no amount', async () => {
    const { shop, staff } = await openShop()
    await expect(planStaffOrder(staff, staffForm(shop, { method: 'free', note: '' }))).rejects.toMatchObject({
      fields: { note: 'Say why the copies are free' },
    })
    const { orderId } = await takeStaffOrder(staff, staffForm(shop, { method: 'free', note: 'For the library' }))
    expect(await getOrder(staff, { id: orderId })).toMatchObject({
      paymentType: 'Free',
      amount: 0,
      net: null,
      staffNote: 'For the library',
      subEndOn: '2027-11-21',
    })
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_paid: null, sub_end_on: '2027-11-21' }])
    expect((await ledgerTotals(staff, {})).GBP).toMatchObject({ orders: 1, amount: 0 })
  })

  it('extends the chosen reader, whose consents stay, from the day after the running term', async () => {
    const { shop, staff } = await openShop()
    const email = 'reader@example.test'
    await placeOrder(services.as(visitor), orderForm(shop, { email, optOuts: { pubOffers: 'false' } }))
    const [reader] = await rowsOf(services, 'readers', shop.id)
    const chosen = { readerId: reader?.id, email }
    expect(await planStaffOrder(staff, staffForm(shop, chosen))).toMatchObject({
      startOn: '2027-11-22',
      extends: true,
    })
    const { orderId } = await takeStaffOrder(staff, staffForm(shop, { ...chosen, sendsReceipt: false }))
    const readers = await rowsOf(services, 'readers', shop.id)
    expect(readers).toMatchObject([{ id: reader?.id, sub_end_on: '2028-11-21', pub_offers: reader?.pub_offers }])
    const receipts = (await queuedEmails(services, 'order-receipt')).map(({ about }) => about.orderId)
    expect(receipts).not.toContain(orderId)
    // The reader is not added to another person's account.
    await expect(takeStaffOrder(staff, staffForm(shop, { readerId: reader?.id }))).rejects.toMatchObject({
      fields: { email: expect.stringContaining(email) },
    })
  })

  it('begins on the chosen day, not before today', async () => {
    const { shop, staff } = await openShop()
    await expect(planStaffOrder(staff, staffForm(shop, { startOn: '20/11/2026' }))).rejects.toMatchObject({
      fields: { startOn: expect.anything() },
    })
    const taken = await takeStaffOrder(staff, staffForm(shop, { startOn: '01/01/2027' }))
    expect(taken).toMatchObject({ startOn: '2027-01-01', endOn: '2028-01-01' })
    expect(await getOrder(staff, { id: taken.orderId })).toMatchObject({ fulfilled: 0, liability: 2999 })
  })

  it.each([true, false])(
    'follows a running term, whatever first day was chosen (reader chosen: %s)',
    async (isChosen) => {
      const { shop, staff } = await openShop()
      const email = `later-${isChosen}@example.test`
      await placeOrder(services.as(visitor), orderForm(shop, { email }))
      const [reader] = await rowsOf(services, 'readers', shop.id)
      const form = staffForm(shop, { email, ...(isChosen ? { readerId: reader?.id } : {}), startOn: '01/03/2028' })
      const before = services.clock.now
      services.clock.now = new Date('2027-06-21T10:00:00Z')
      try {
        const followingTerm = { startOn: '2027-11-22', endOn: '2028-11-21' }
        if (isChosen) expect(await planStaffOrder(staff, form)).toMatchObject({ ...followingTerm, extends: true })
        const taken = await takeStaffOrder(staff, form)
        expect(taken).toMatchObject(followingTerm)
        expect(await takeStaffOrder(staff, form)).toEqual(taken)
      } finally {
        services.clock.now = before
      }
      expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([
        { id: reader?.id, sub_start_on: '2026-11-21', sub_end_on: '2028-11-21' },
      ])
    },
  )

  it('is refunded manually, whatever was requested: no provider has the money', async () => {
    const { shop, staff } = await openShop()
    const { orderId: id } = await takeStaffOrder(staff, staffForm(shop))
    expect(await refundOrder(staff, { id, scope: 'amount', amount: '5.00' })).toMatchObject({
      state: 'succeeded',
      method: 'hand',
    })
    expect(await getOrder(staff, { id })).toMatchObject({ refunded: 500, net: 2499 })
  })

  it('is for the publisher’s own titles and readers, and for users who may enter orders', async () => {
    const { shop, staff } = await openShop()
    const other = await openShop()
    await expect(takeStaffOrder(staff, staffForm(other.shop))).rejects.toMatchObject({ kind: 'notFound' })
    await takeStaffOrder(other.staff, staffForm(other.shop))
    const [foreign] = await rowsOf(services, 'readers', other.shop.id)
    await expect(takeStaffOrder(staff, staffForm(shop, { readerId: foreign?.id }))).rejects.toMatchObject({
      kind: 'notFound',
    })
    for (const type of ['admin', 'mailer', 'reseller', 'superuser'] as const) {
      const ctx = services.as(await actorOf(services, type))
      await expect(takeStaffOrder(ctx, staffForm(shop)), type).rejects.toMatchObject({ kind: 'denied' })
    }
    expect(await rowsOf(services, 'orders', shop.id)).toEqual([])
  })
})
