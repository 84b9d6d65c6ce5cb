import { describe, expect, it } from 'vitest'
import { english } from '#core/kernel/phrases.ts'
import { type OrderFormRequirements, orderFormProblems } from '#core/orders/order-form-problems.rules.ts'
import { PlaceOrderInput } from '#core/orders/place-order.input.ts'
import { orderInput, refillValues } from './order-form.ts'

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
  it('becomes input that the core accepts', () => {
    const order = PlaceOrderInput.parse(orderInput('harbour-light', posted))
    expect(order).toMatchObject({
      billing: { addressOne: '1 Quay', city: 'London', companyName: '' },
      shipping: null,
      optOuts: { pubOffers: false, pubOffersPost: true, partnerOffers: true },
      payment: { details: { cardNumber: '4242' } },
    })
  })

  it('sends the delivery address only when it differs from the billing address', () => {
    expect(orderInput('x', { ...posted, isDeliveredToBilling: 'false' })).toMatchObject({
      isDeliveredToBilling: false,
      shipping: { addressOne: 'left over' },
    })
  })

  it('requires the confirmation of the email', () => {
    const { confirmEmail: _, ...unconfirmed } = posted
    expect(PlaceOrderInput.safeParse(orderInput('x', unconfirmed)).error?.issues).toMatchObject([
      { path: ['confirmEmail'], message: 'Required' },
    ])
  })

  it('is a gift only for a plan that is delivered, and a gift is not delivered to the buyer', () => {
    const gift = { ...posted, isGift: 'true', giftEmail: 'x@example.test', 'shipping.firstName': 'Tom' }
    expect(orderInput('x', gift)).toMatchObject({
      isGift: true,
      giftEmail: 'x@example.test',
      isDeliveredToBilling: false,
      shipping: { firstName: 'Tom' },
    })
    const digital = orderInput('x', { ...gift, plan: '1DN29.99' })
    expect(digital).toMatchObject({ isGift: false, isDeliveredToBilling: true, shipping: null })
    expect(digital).not.toHaveProperty('giftEmail')
  })

  it('passes the payment method on', () => {
    expect(orderInput('x', { ...posted, 'payment.provider': 'stripe-card' })).toMatchObject({
      payment: { provider: 'stripe-card', details: { cardNumber: '4242' } },
    })
  })

  const requirements: OrderFormRequirements = {
    isForIssues: false,
    country: 'GB',
    isPosted: true,
    checksPostCode: true,
    needsPassword: true,
    minPasswordLength: 6,
    questions: [],
    methods: ['demo'],
    isSecond: false,
  }
  const complete = { ...posted, confirmPassword: 'masthead', 'payment.provider': 'demo' }
  it.each<[string, Record<string, string>]>([
    ['everything', {}],
    ['no name', { firstName: ' ', lastName: '' }],
    ['half an address', { 'billing.city': '', 'billing.postCode': '' }],
    ['an invalid email', { email: 'ann@' }],
    ['two different emails', { confirmEmail: 'bob@example.test' }],
    ['two emails that differ in case', { confirmEmail: 'ANN@example.test ' }],
    ['two different passwords', { confirmPassword: 'masthaed' }],
    ['an incomplete delivery address', { isDeliveredToBilling: 'false', 'shipping.addressOne': '' }],
    ['a postcode that no place has', { firstName: '', 'billing.postCode': 'ABC' }],
    [
      'such a postcode of the delivery address',
      {
        isDeliveredToBilling: 'false',
        'billing.postCode': 'ABC',
        'shipping.addressOne': '9 Lane',
        'shipping.city': 'Bath',
        'shipping.postCode': 'BA1',
      },
    ],
    ['a gift without a recipient', { isGift: 'true', 'shipping.city': 'Bath', 'shipping.postCode': 'BA1 1AA' }],
    [
      'a gift with a wrong email and too many words',
      {
        isGift: 'true',
        'shipping.firstName': 'Tom',
        'shipping.lastName': 'Lee',
        'shipping.city': 'Bath',
        'shipping.postCode': 'BA1 1AA',
        giftEmail: 'tom',
        giftMessage: 'x'.repeat(501),
      },
    ],
    ['texts that are too long', { firstName: 'x'.repeat(10_000), mobile: '0'.repeat(41), title: 'x'.repeat(31) }],
  ])('with %s has the same problems on the page as on the server', (_, typed) => {
    const values = { ...complete, ...typed }
    const issues = PlaceOrderInput.safeParse(orderInput('x', values)).error?.issues ?? []
    const byServer = issues.map(({ path, message }) => [path.join('.'), message])
    const byPage = Object.entries(orderFormProblems(values, requirements)).map(([name, phrase]) => [
      name,
      english(phrase),
    ])
    expect(Object.fromEntries(byPage)).toEqual(Object.fromEntries(byServer))
  })

  it('returns all values except passwords and cards', () => {
    const refill = refillValues(posted)
    expect(refill).not.toHaveProperty('password')
    expect(refill).not.toHaveProperty(['payment.cardNumber'])
    expect(refill).toHaveProperty(['billing.city'], 'London')
  })
})
