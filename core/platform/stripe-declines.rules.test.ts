import { describe, expect, it } from 'vitest'
import { finalDeclineCodes, readDecline, requiresBuyer } from './stripe-declines.rules.ts'

describe('a Stripe decline', () => {
  it.each(finalDeclineCodes)('%s is final, by the bank’s or Stripe’s code', (code) => {
    expect(readDecline({ code: 'card_declined', decline_code: code })).toMatchObject({ code, isFinal: true })
    expect(readDecline({ code })).toMatchObject({ code, isFinal: true })
  })

  it.each([
    ['insufficient_funds', undefined, false],
    ['generic_decline', 'try_again_later', false],
    ['do_not_honor', undefined, false],
    ['processing_error', undefined, false],
    ['generic_decline', 'do_not_try_again', true],
  ])('%s with the advice %s: final is %s', (code, advice, isFinal) => {
    const error = { code: 'card_declined', decline_code: code, advice_code: advice, message: 'Your card was declined.' }
    expect(readDecline(error)).toEqual({ code, reason: 'Your card was declined.', isFinal })
  })

  it('that requires authentication is not a decline', () => {
    expect(requiresBuyer({ code: 'authentication_required', decline_code: 'authentication_required' })).toBe(true)
    expect(requiresBuyer({ code: 'card_declined', decline_code: 'authentication_required' })).toBe(true)
    expect(requiresBuyer({ code: 'payment_intent_authentication_failure' })).toBe(true)
    expect(requiresBuyer({ code: 'card_declined', decline_code: 'insufficient_funds' })).toBe(false)
    expect(requiresBuyer({})).toBe(false)
  })

  it('without a code is not final', () => {
    expect(readDecline({})).toEqual({ code: 'unknown', reason: 'The payment was declined', isFinal: false })
  })
})
