import { describe, expect, it } from 'vitest'
import { makeTranslator } from './translator.ts'

const french = makeTranslator('fr', {
  'Log in': 'Se connecter',
  '“{volume}” is out of stock.': '« {volume} » est épuisé.',
  Print: 'Papier',
  'one year': 'un an',
  'Pay {amount}': 'Payer {amount}',
  '{count} issue': '{count} numéro',
  '{count} issues': '{count} numéros',
  'The price of {plan} is now {price}. Please check it.': 'Le prix de {plan} est de {price}. Vérifiez-le.',
})

describe('a translator', () => {
  it('translates a text by its English words, and falls back to English', () => {
    expect(french('Log in')).toBe('Se connecter')
    expect(french('Pay {amount}', { amount: '5 €' })).toBe('Payer 5 €')
    expect(french('Log out')).toBe('Log out')
    expect(french('{count} left', { other: 1 })).toBe('{count} left')
  })

  it('forms plurals as the language does: zero is one in French and many in English', () => {
    const english = makeTranslator('en', {})
    const issues = (translate: typeof english, count: number) =>
      translate.count(count, '{count} issue', '{count} issues')
    expect([0, 1, 2].map((count) => issues(english, count))).toEqual(['0 issues', '1 issue', '2 issues'])
    expect([0, 1, 2].map((count) => issues(french, count))).toEqual(['0 numéro', '1 numéro', '2 numéros'])
  })

  it('translates the core’s phrases: a template, one with values, several in a row', () => {
    expect(french.phrase('Log in')).toBe('Se connecter')
    expect(french.phrase('Nobody knows this')).toBe('Nobody knows this')
    const plan = { phrases: ['Print', 'one year'], by: ', ' }
    expect(french.phrase(plan)).toBe('Papier, un an')
    // A value is never treated as a template, whatever its text; a phrase in a slot is.
    expect(french.phrase({ template: 'Pay {amount}', values: { amount: 'Print' } })).toBe('Payer Print')
    const template = 'The price of {plan} is now {price}. Please check it.'
    expect(french.phrase({ template, values: { plan, price: '£9.99' } })).toBe(
      'Le prix de Papier, un an est de £9.99. Vérifiez-le.',
    )
    const soldOut = (volume: string) => ({ template: '“{volume}” is out of stock.', values: { volume } })
    expect(french.phrase({ phrases: [soldOut('May, 9'), soldOut('{x}'), 'Log in'], by: ' ' })).toBe(
      '« May, 9 » est épuisé. « {x} » est épuisé. Se connecter',
    )
  })

  it('writes the amounts in a phrase as the language does, in English with the currency code when the phrase asks for it', () => {
    const phrase = {
      template: 'Pay {amount}',
      values: { amount: { money: { amount: 2999, currency: 'GBP' } } },
    } as const
    const total = { money: { amount: 900, currency: 'USD' }, withCode: true } as const
    const english = makeTranslator('en', {})
    expect(french.phrase(phrase)).toBe('Payer 29,99\u00A0£')
    expect(french.phrase({ ...phrase, values: { amount: total } })).toBe('Payer 9,00\u00A0$')
    expect(english.phrase(phrase)).toBe('Pay £29.99')
    expect(english.phrase({ ...phrase, values: { amount: total } })).toBe('Pay $9.00\u00A0USD')
  })

  it('writes money and days as the language does', () => {
    expect(french.money({ amount: 123456, currency: 'EUR' })).toBe('1\u00A0234,56\u00A0€')
    expect(french.day('2026-11-21')).toBe('21/11/2026')
    expect(makeTranslator('en', {}, 'MM/DD/YYYY').day('2026-11-21')).toBe('11/21/2026')
  })
})
