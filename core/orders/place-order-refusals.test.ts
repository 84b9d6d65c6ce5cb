import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { promoMessages } from '#core/pricing/discount.rules.ts'
import { makePromo } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { placeOrder } from './place-order.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const buy = (form: object) => placeOrder(services.as(visitor), form)

describe('refused orders', () => {
  it('a price or a currency that is not the server’s, with the right one', async () => {
    const shop = await makeShop(services)
    await expect(buy(orderForm(shop, { plan: '1PN0.01' }))).rejects.toMatchObject({
      kind: 'conflict',
      fields: { plan: 'The price of Print, one year is now £29.99. Please check it and order again.' },
      detail: { plan: '1PN29.99', currency: 'GBP' },
    })
    await expect(buy(orderForm(shop, { currency: 'USD' }))).rejects.toMatchObject({ kind: 'conflict' })
    await expect(buy(orderForm(shop, { total: '0.01' }))).rejects.toMatchObject({
      kind: 'conflict',
      message: 'The total is £29.99. Please check it and order again.',
    })
    await expect(buy(orderForm(shop, { total: 'nothing' }))).rejects.toMatchObject({ kind: 'invalid' })
    expect(await rowsOf(services, 'orders', shop.id)).toEqual([])
    await expect(buy(orderForm(shop, { total: 29.99 }))).resolves.toMatchObject({ state: 'paid', amount: 2999 })
  })

  it('a discount or a total in minor units that is not the server’s, and nothing for blank ones', async () => {
    const shop = await makeShop(services)
    await makePromo(services, shop.id, 'FIFTH', { discountPercent: 20 })
    const message = 'The total is £29.99. Please check it and order again.'
    for (const shown of [
      { discountPercent: 50 },
      { discountPercent: '50' },
      { minorTotal: 1500 },
      { minorTotal: 29.99 },
    ])
      await expect(buy(orderForm(shop, shown))).rejects.toMatchObject({
        kind: 'conflict',
        fields: { [Object.keys(shown)[0] ?? '']: message },
        detail: { amount: 2999 },
      })
    const discounted = (discountPercent: unknown) => buy(orderForm(shop, { promoCode: 'FIFTH', discountPercent }))
    for (const wrong of [0, 21])
      await expect(discounted(wrong)).rejects.toMatchObject({ fields: { discountPercent: expect.any(String) } })
    await expect(discounted('half')).rejects.toMatchObject({ kind: 'invalid' })
    expect(await rowsOf(services, 'orders', shop.id)).toEqual([])
    for (const right of [20, '20', '']) expect(await discounted(right)).toMatchObject({ state: 'paid', amount: 2399 })
    for (const right of [{ discountPercent: 0 }, { minorTotal: '2999' }, { minorTotal: ' ', discountPercent: null }])
      expect(await buy(orderForm(shop, right))).toMatchObject({ state: 'paid', amount: 2999 })
  })

  it('a free plan that is not free, and a plan that is not sold', async () => {
    const shop = await makeShop(services)
    await expect(buy(orderForm(shop, { plan: 'FPN' }))).rejects.toMatchObject({
      kind: 'invalid',
      fields: { plan: expect.any(String) },
    })
    await expect(buy(orderForm(shop, { plan: '6PN9.99' }))).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('a promo code of 100% for a plan that renews, since its next term could not be charged', async () => {
    const shop = await makeShop(services)
    await makePromo(services, shop.id, 'ALL', { discountPercent: 100 })
    await expect(buy(orderForm(shop, { plan: '1PR25.00', promoCode: 'ALL' }))).rejects.toMatchObject({
      kind: 'invalid',
      fields: { promoCode: promoMessages.freeRenewal },
    })
    expect(await rowsOf(services, 'orders', shop.id)).toEqual([])
    await expect(buy(orderForm(shop, { promoCode: 'ALL' }))).resolves.toMatchObject({ state: 'paid', amount: 0 })
  })

  it('a country the publisher does not sell to', async () => {
    const shop = await makeShop(services)
    await services.db.run(`UPDATE accounts SET sell_overseas = :no WHERE user_id = :id`, {
      no: false,
      id: shop.publisherId,
    })
    await expect(buy(orderForm(shop, { country: 'DE', plan: '1PN39.99' }))).rejects.toMatchObject({
      fields: { country: expect.any(String) },
    })
  })

  it('a postcode that cannot exist where copies are posted to it, together with the other wrong fields', async () => {
    const shop = await makeShop(services)
    const billing = { addressOne: '1 Quay Street', city: 'London', postCode: 'ABC' }
    await expect(buy(orderForm(shop, { billing, firstName: '' }))).rejects.toMatchObject({
      fields: { firstName: 'Required', 'billing.postCode': 'Enter a UK postcode, such as SW1A 1AA' },
    })
    const shipping = { ...billing, firstName: 'Tom', lastName: 'Lee' }
    await expect(buy(orderForm(shop, { isGift: true, isDeliveredToBilling: false, shipping }))).rejects.toMatchObject({
      fields: { 'shipping.postCode': 'Enter a UK postcode, such as SW1A 1AA' },
    })
    const posted = { ...shipping, postCode: 'ba1 1aa' }
    for (const fields of [
      { plan: '2DN2.99', billing },
      { billing, isDeliveredToBilling: false, shipping: posted },
    ])
      expect(await buy(orderForm(shop, fields))).toMatchObject({ state: 'paid' })
  })

  it('a paid order when payments are not set up, with the publisher’s telephone and address', async () => {
    const shop = await makeShop(services)
    await services.db.run(`UPDATE accounts SET takes_demo_payments = :no WHERE user_id = :id`, {
      no: false,
      id: shop.publisherId,
    })
    await expect(buy(orderForm(shop))).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(
        /^Unfortunately payments cannot currently be taken\. .*020 7946 0000.*@example\.test quoting error code: AC74$/,
      ),
    })
  })

  it('an unknown publication, and every wrong field at once', async () => {
    const shop = await makeShop(services)
    await expect(buy(orderForm(shop, { urlKey: 'nobody' }))).rejects.toMatchObject({ kind: 'notFound' })
    const wrong = orderForm(shop, {
      email: 'not-an-email',
      firstName: ' ',
      confirmEmail: 'x@y.zz',
      country: 'XX',
      billing: { addressOne: '', city: '', postCode: '' },
    })
    await expect(buy(wrong)).rejects.toMatchObject({
      kind: 'invalid',
      fields: {
        email: 'Invalid email address',
        confirmEmail: 'Emails must match',
        firstName: 'Required',
        country: 'Choose a country from the list',
        'billing.addressOne': 'Required',
        'billing.city': 'Required',
        'billing.postCode': 'Required',
      },
    })
    await expect(buy(orderForm(shop, { payment: {} }))).rejects.toMatchObject({
      fields: { 'payment.details.cardNumber': 'Required' },
    })
    await expect(buy(orderForm(shop, { password: 'short' }))).rejects.toMatchObject({
      fields: { password: 'Must be at least 6 characters' },
    })
    await expect(buy(orderForm(shop, { password: 'Qwerty' }))).rejects.toMatchObject({
      fields: { password: expect.stringContaining('most common passwords') },
    })
  })

  it('a delivery address that is missing, with all its fields and those of a gift, unless nothing is posted', async () => {
    const shop = await makeShop(services)
    const elsewhere = { isDeliveredToBilling: false, shipping: undefined }
    const address = { 'shipping.addressOne': 'Required', 'shipping.city': 'Required', 'shipping.postCode': 'Required' }
    const fieldsOf = (form: Record<string, unknown>) => buy(orderForm(shop, form)).then(String, ({ fields }) => fields)
    expect(await fieldsOf(elsewhere)).toEqual(address)
    const name = { 'shipping.firstName': 'Required', 'shipping.lastName': 'Required' }
    const unnamed = { ...elsewhere, isGift: true, firstName: undefined }
    expect(await fieldsOf(unnamed)).toEqual({ firstName: 'Required', ...address, ...name })
    expect(await buy(orderForm(shop, { ...elsewhere, plan: '2DN2.99' }))).toMatchObject({ state: 'paid' })
  })
})
