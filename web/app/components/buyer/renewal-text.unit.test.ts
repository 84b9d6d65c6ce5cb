import { expect, it } from 'vitest'
import { translatorOf } from '../../i18n/translator-of.ts'
import { renewalText } from './renewal-text.ts'

const price = { amount: 2500, currency: 'GBP' } as const

const textOf = (agreement: { chargeOn: string | null; isFailed: boolean }) =>
  renewalText(translatorOf('en'), { price, oldPrice: null, ...agreement })

it('names the day of the next charge, or of the next attempt', () => {
  expect(textOf({ chargeOn: '2027-11-22', isFailed: false })).toBe('Renews automatically on 22/11/2027 for £25.00.')
  expect(textOf({ chargeOn: '2027-11-23', isFailed: true })).toBe(
    'The renewal for £25.00 could not be paid. We will try again on 23/11/2027.',
  )
})

it('says that a renewal failed only if it did, not while it is being charged', () => {
  expect(textOf({ chargeOn: null, isFailed: true })).toBe('The renewal for £25.00 could not be paid.')
  expect(textOf({ chargeOn: null, isFailed: false })).toBe(
    'The bank has not responded yet. You will hear from us by email.',
  )
})
