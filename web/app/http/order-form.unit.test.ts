import { describe, expect, it } from 'vitest'
import { PlaceOrderInput } from '#core/orders/place-order.input.ts'
import { keptValues, orderInput } from './order-form.ts'

const posted = {
  plan: '1PN29.99',
  country: 'GB',
  currency: 'GBP',
  idempotencyKey: '0123456789abcdef',
  firstName: 'Ann',
  lastName: 'Lee',
  email: 'ann@example.test',
  confirmEmail: 'ann@example.test',
  password: 'masthead',
  'billing.addressOne': '1 Quay',
  'billing.city': 'London',
  'billing.postCode': 'SW1A 1AA',
  isDeliveredToBilling: 'true',
  'shipping.addressOne': 'left over',
  'optOuts.pubOffers': 'false',
  'optOuts.pubOffersPost': 'true',
  'payment.cardNumber': '4242',
}

describe('the order form', () => {
  it('becomes an order that the core takes', () => {
    const order = PlaceOrderInput.parse(orderInput('harbour-light', posted))
    expect(order).toMatchObject({
      billing: { addressOne: '1 Quay', city: 'London', companyName: '' },
      shipping: null,
      optOuts: { pubOffers: false, pubOffersPost: true, partnerOffers: true },
      payment: { details: { cardNumber: '4242' } },
    })
  })

  it('sends the delivery address only when it is another one', () => {
    expect(orderInput('x', { ...posted, isDeliveredToBilling: 'false' })).toMatchObject({
      isDeliveredToBilling: false,
      shipping: { addressOne: 'left over' },
    })
  })

  it('asks for the confirmed email where it is missing', () => {
    const { confirmEmail: _, ...without } = posted
    expect(PlaceOrderInput.safeParse(orderInput('x', without)).error?.issues).toMatchObject([
      { path: ['confirmEmail'], message: 'Required' },
    ])
  })

  it('gives everything back but passwords and cards', () => {
    const kept = keptValues(posted)
    expect(kept).not.toHaveProperty('password')
    expect(kept).not.toHaveProperty(['payment.cardNumber'])
    expect(kept).toHaveProperty(['billing.city'], 'London')
  })
})
