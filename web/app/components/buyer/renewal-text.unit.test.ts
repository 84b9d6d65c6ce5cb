import { expect, it } from 'vitest'
import { openEnd } from '#core/kernel/dates.ts'
import { languages } from '#core/kernel/languages.ts'
import { loadMessages } from '../../i18n/messages.ts'
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

it('names no day in any language while the subscription runs until further notice', async () => {
  for (const language of languages) {
    await loadMessages(language)
    const text = renewalText(translatorOf(language), { price, oldPrice: null, chargeOn: openEnd, isFailed: false })
    expect(text, language).not.toMatch(/2100|\d/)
  }
  expect(textOf({ chargeOn: openEnd, isFailed: false })).toBe(
    'Your subscription runs until further notice. As long as it does, nothing is charged.',
  )
})
