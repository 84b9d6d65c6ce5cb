import { describe, expect, it } from 'vitest'
import { makeTranslator } from './translator.ts'

const french = makeTranslator('fr', {
  '{field}: {problem}': '{field} : {problem}',
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
  it('says a text by its English words, and English where it knows no other', () => {
    expect(french('Log in')).toBe('Se connecter')
    expect(french('Pay {amount}', { amount: '5 €' })).toBe('Payer 5 €')
    expect(french('Log out')).toBe('Log out')
    expect(french('{count} left', { other: 1 })).toBe('{count} left')
  })

  it('counts as the language does: nought is one in French and many in English', () => {
    const english = makeTranslator('en', {})
    const issues = (t: typeof english, count: number) => t.count(count, '{count} issue', '{count} issues')
    expect([0, 1, 2].map((count) => issues(english, count))).toEqual(['0 issues', '1 issue', '2 issues'])
    expect([0, 1, 2].map((count) => issues(french, count))).toEqual(['0 numéro', '1 numéro', '2 numéros'])
  })

  it("says the core's finished sentences, with their values kept as they are", () => {
    expect(french.sentence('Log in')).toBe('Se connecter')
    expect(french.sentence('The price of Print (1+1) is now £9.99. Please check it.')).toBe(
      'Le prix de Print (1+1) est de £9.99. Vérifiez-le.',
    )
    expect(french.sentence('Nobody knows this')).toBe('Nobody knows this')
    expect(french.sentence('Print, one year')).toBe('Papier, un an')
    expect(french.sentence('The price of Print, one year is now £9.99. Please check it.')).toBe(
      'Le prix de Papier, un an est de £9.99. Vérifiez-le.',
    )
    expect(french.sentence('“May, 9” is out of stock. “June” is out of stock. Log in')).toBe(
      '« May, 9 » est épuisé. « June » est épuisé. Se connecter',
    )
    // "{field}: {problem}" would be found in anything.
    expect(french.sentence('Boats: an atlas')).toBe('Boats: an atlas')
  })

  it('writes money and days as the language does', () => {
    expect(french.money({ amount: 123456, currency: 'EUR' })).toBe('1\u00A0234,56\u00A0€')
    expect(french.day('2026-11-21')).toBe('21 novembre 2026')
  })
})
