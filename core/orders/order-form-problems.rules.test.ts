import { describe, expect, it } from 'vitest'
import { type OrderFormRequirements, orderFormProblems } from './order-form-problems.rules.ts'

const requirements: OrderFormRequirements = {
  isForIssues: false,
  country: 'GB',
  isPosted: false,
  checksPostCode: true,
  needsPassword: true,
  minPasswordLength: 6,
  questions: [],
  methods: ['stripe-card', 'demo'],
  isSecond: false,
}

const complete = {
  firstName: 'Zoë',
  lastName: '李',
  email: 'zoe@example.test',
  confirmEmail: 'zoe@example.test',
  password: 'pass word',
  confirmPassword: 'pass word',
  'billing.addressOne': '1 Quay',
  'billing.city': 'Falmouth',
  'billing.postCode': 'TR11 3LH',
  'payment.provider': 'stripe-card',
}

const problemFields = (typed: Record<string, string>, more: Partial<OrderFormRequirements> = {}) =>
  Object.keys(orderFormProblems({ ...complete, ...typed }, { ...requirements, ...more }))

describe('an order form', () => {
  it('is complete when all required fields are filled in', () => {
    expect(orderFormProblems(complete, requirements)).toEqual({})
  })

  it('that is empty lacks its required fields, in order', () => {
    expect(Object.keys(orderFormProblems({}, { ...requirements, isPosted: true }))).toEqual([
      'firstName',
      'lastName',
      'email',
      'confirmEmail',
      'password',
      'confirmPassword',
      'billing.addressOne',
      'billing.city',
      'billing.postCode',
      'payment',
    ])
  })

  it.each<[string, string[], Record<string, string>, Partial<OrderFormRequirements>]>([
    ['spaces alone are nothing', ['firstName'], { firstName: '   ' }, {}],
    ['a short password', ['password'], { password: 'five5', confirmPassword: 'five5' }, {}],
    [
      'no password of somebody who is logged in',
      [],
      { password: '', confirmPassword: '', confirmEmail: '' },
      { needsPassword: false },
    ],
    ['no town for back issues', [], { 'billing.city': '', backIssues: '3,4' }, { isForIssues: true }],
    ['no state of an American address', ['billing.state'], {}, { country: 'US' }],
    ['no state for back issues', [], { backIssues: '3' }, { country: 'US', isForIssues: true }],
    ['no issue', ['backIssues'], {}, { isForIssues: true }],
    ['nothing to pay, no payment method', [], { 'payment.provider': '' }, { methods: null }],
    ['a payment method that is not offered', ['payment'], { 'payment.provider': 'paypal' }, {}],
    ['a demo card without a number', ['payment.cardNumber'], { 'payment.provider': 'demo' }, {}],
    ['No to a question', ['answers.A'], { 'answers.A': 'No' }, { questions: [{ key: 'A', kind: 'yesNo' }] }],
    ['the same again, unconfirmed', ['isSecondMeant'], {}, { isSecond: true }],
    ['the same again, confirmed', [], { isSecondMeant: 'true' }, { isSecond: true }],
    ['YES to a question', [], { 'answers.A': 'YES' }, { questions: [{ key: 'A', kind: 'yesNo' }] }],
    ['nothing to a question in words', ['answers.C'], {}, { questions: [{ key: 'C', kind: 'text' }] }],
    ['another address of a digital plan', [], { isDeliveredToBilling: 'false' }, {}],
    [
      'another address',
      ['shipping.addressOne', 'shipping.city', 'shipping.postCode'],
      { isDeliveredToBilling: 'false' },
      { isPosted: true },
    ],
    [
      'a gift to nobody, with delivery to the billing address still ticked',
      ['shipping.firstName', 'shipping.lastName', 'shipping.addressOne', 'shipping.city', 'shipping.postCode'],
      { isDeliveredToBilling: 'true', isGift: 'true' },
      { isPosted: true },
    ],
    [
      'a message to the recipient of a gift without an email',
      ['giftEmail'],
      {
        isGift: 'true',
        giftMessage: 'Happy birthday',
        'shipping.firstName': 'Tom',
        'shipping.lastName': 'Reed',
        'shipping.addressOne': '9 Lane',
        'shipping.city': 'Bath',
        'shipping.postCode': 'BA1 1AA',
      },
      { isPosted: true },
    ],
    ['a postcode that no place has', ['billing.postCode'], { 'billing.postCode': 'ABC' }, { isPosted: true }],
    ['such a postcode of a digital plan', [], { 'billing.postCode': 'ABC' }, {}],
    ['such a postcode on file', [], { 'billing.postCode': 'ABC' }, { isPosted: true, checksPostCode: false }],
    ['a well-formed postcode that nobody knows', [], { 'billing.postCode': 'TR99 9ZZ' }, { isPosted: true }],
    ['any postcode where none has a known form', [], { 'billing.postCode': 'ABC' }, { isPosted: true, country: 'PE' }],
    ['any postcode where addresses need none', [], { 'billing.postCode': 'none' }, { isPosted: true, country: 'IE' }],
    [
      'such a postcode where copies do not go',
      [],
      {
        'billing.postCode': 'ABC',
        isDeliveredToBilling: 'false',
        'shipping.addressOne': '9 Lane',
        'shipping.city': 'Bath',
        'shipping.postCode': 'ba11aa',
      },
      { isPosted: true },
    ],
  ])('%s', (_, expected, typed, more) => {
    expect(problemFields(typed, more)).toEqual(expected)
  })

  it.each([
    ['GB', 'Enter a UK postcode, such as SW1A 1AA'],
    ['JE', 'This postcode does not exist in this country. Please check it.'],
    ['DE', 'This postcode does not exist in this country. Please check it.'],
  ])('names the country of a postcode that no place in %s has', (country, message) => {
    const problems = orderFormProblems(
      { ...complete, 'billing.postCode': '1234' },
      { ...requirements, isPosted: true, country },
    )
    expect(problems).toEqual({ 'billing.postCode': message })
  })

  it('refuses the answer No to a question, with the specified wording', () => {
    const problems = orderFormProblems(
      { ...complete, 'answers.B': 'No' },
      { ...requirements, questions: [{ key: 'B', kind: 'yesNo' }] },
    )
    expect(problems).toEqual({ 'answers.B': 'Sorry, you do not qualify for a free subscription' })
  })
})
