import { describe, expect, it } from 'vitest'
import { maskSecret, payeeMode, payeeProblems } from './payee-keys.rules.ts'

const publishableKey = 'pk_test_51Abcdefghij'
const secretKey = 'sk_test_51Abcdefghij4242'

describe('what is wrong with Stripe keys', () => {
  const cases: [string, Record<string, string>, boolean, Record<string, RegExp>][] = [
    ['a whole pair', { publishableKey, secretKey }, false, {}],
    ['a restricted key', { publishableKey, secretKey: 'rk_test_51Abcdefghij' }, false, {}],
    ['nothing', {}, false, { publishableKey: /^Required$/, secretKey: /^Required$/ }],
    ['no secret', { publishableKey }, false, { secretKey: /^Required$/ }],
    [
      'the boxes mixed up',
      { publishableKey: secretKey, secretKey: publishableKey },
      false,
      { publishableKey: /This is a secret key/, secretKey: /This is a publishable key/ },
    ],
    ['a key cut short', { publishableKey, secretKey: 'sk_test_5' }, false, { secretKey: /Copy it whole/ }],
    [
      'a webhook secret of another kind',
      { publishableKey, secretKey, webhookSecret: 'sk_x' },
      false,
      { webhookSecret: /whsec_/ },
    ],
    [
      'live keys outside production',
      { publishableKey: 'pk_live_51Abcdefghij', secretKey: 'sk_live_51Abcdefghij' },
      false,
      { publishableKey: /real money/, secretKey: /real money/ },
    ],
    [
      'live keys in production',
      { publishableKey: 'pk_live_51Abcdefghij', secretKey: 'sk_live_51Abcdefghij' },
      true,
      {},
    ],
    ['test keys in production', { publishableKey, secretKey }, true, {}],
    ['one of each mode', { publishableKey: 'pk_live_51Abcdefghij', secretKey }, true, { secretKey: /same mode/ }],
  ]
  for (const [name, values, isProduction, wanted] of cases) {
    it(`${name}: ${Object.keys(wanted).join(' and ') || 'good'}`, () => {
      const problems = payeeProblems('stripeDets', values, values, isProduction)
      expect(Object.keys(problems).sort()).toEqual(
        Object.keys(wanted)
          .map((field) => `stripeDets.${field}`)
          .sort(),
      )
      for (const [field, text] of Object.entries(wanted)) expect(problems[`stripeDets.${field}`]).toMatch(text)
    })
  }

  it('keeps stored keys, and compares their mode with the new ones', () => {
    const stored = { publishableKey: 'pk_live_51Abcdefghij', secretKey: 'sk_live_51Abcdefghij' }
    expect(payeeProblems('stripeDets', {}, stored, false)).toEqual({})
    const typed = { secretKey }
    expect(payeeProblems('stripeDets', typed, { ...stored, ...typed }, true)['stripeDets.secretKey']).toMatch(
      /same mode/,
    )
  })
})

it('accepts a live Secure Trading site only in production, and PayPal keys only in pairs', () => {
  const site = { user: 'ws@example.test', pass: 'secret', ref: 'harbour12345' }
  expect(payeeProblems('secureTradingDets', site, site, false)).toEqual({
    'secureTradingDets.ref': expect.stringMatching(/begins with test_/),
  })
  expect(payeeProblems('secureTradingDets', site, site, true)).toEqual({})
  const test = { ...site, ref: 'test_harbour12345' }
  expect(payeeProblems('secureTradingDets', test, test, false)).toEqual({})
  const half = { payPalString: 'AZ-client_id-1234567890' }
  expect(payeeProblems('payPalDets', half, half, false)).toEqual({ 'payPalDets.secret': 'Required' })
  const colon = { ...test, user: 'a:b\nc' }
  expect(payeeProblems('secureTradingDets', colon, colon, false)).toHaveProperty(['secureTradingDets.user'])
})

it('recognises the mode of a key', () => {
  expect(payeeMode('stripeDets', { publishableKey, secretKey: null }, true)).toBe('test')
  expect(payeeMode('stripeDets', { publishableKey: null, secretKey: 'rk_live_51Abcdefghij' }, true)).toBe('live')
  expect(payeeMode('payPalDets', { payPalString: 'x' }, false)).toBe('test')
  expect(payeeMode('payPalDets', { payPalString: null }, true)).toBeNull()
  expect(payeeMode('secureTradingDets', { ref: 'test_x' }, true)).toBe('test')
})

it('masks a secret: its kind and last four characters, or nothing of a short one', () => {
  expect(maskSecret('sk_live_51Abcdefghij4242')).toBe('sk_live_…4242')
  expect(maskSecret('whsec_9Jk2nQvX7pLr4TzWb8')).toBe('whsec_…zWb8')
  expect(maskSecret('EFgh-paypal-secret-77120')).toBe('…7120')
  expect(maskSecret('Pa55word')).toBe('…')
  expect(maskSecret('sk_test_1234')).toBe('sk_test_…')
})
