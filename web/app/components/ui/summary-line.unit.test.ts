import { describe, expect, it } from 'vitest'
import { makeTranslator } from '#core/kernel/translator.ts'
import { summaryLine } from './summary-line.ts'

const t = makeTranslator('en', {})

describe('a line of the error summary', () => {
  it.each([
    ['First name', 'Required', 'First name: enter a value'],
    ['Postcode', 'Must be 20 characters or fewer', 'Postcode: Must be 20 characters or fewer'],
    ['End date', 'Must be after the start', 'End date: Must be after the start'],
    ['Name', 'The nickname is taken', 'Name: The nickname is taken'],
    ['Amount paid', 'Must be an amount such as 12.50', 'Amount paid: Must be an amount such as 12.50'],
  ])('names the field: %s', (label, problem, line) => {
    expect(summaryLine(t, label, problem)).toBe(line)
  })

  it('is the problem alone if it belongs to no field', () => {
    expect(summaryLine(t, undefined, 'Choose a subscription')).toBe('Choose a subscription')
  })

  it.each([
    ['Your current password', 'Enter your current password'],
    ['Your current password', 'The current password is wrong'],
    ['Email', 'This email already has an account here.'],
    ['Ihr derzeitiges Passwort', 'Geben Sie Ihr derzeitiges Passwort ein'],
    ['Name', 'Enter a name'],
  ])('does not name the field twice: %s', (label, problem) => {
    expect(summaryLine(t, label, problem)).toBe(problem)
  })

  it('says what to do if a translated field is empty', () => {
    const german = makeTranslator('de', {
      Required: 'Pflichtfeld',
      '{field}: enter a value': '{field}: bitte ausfüllen',
    })
    expect(summaryLine(german, 'Vorname', 'Pflichtfeld')).toBe('Vorname: bitte ausfüllen')
  })

  it('joins label and message by the rules of the language', () => {
    const french = makeTranslator('fr', { '{field}: {problem}': '{field}\u00A0: {problem}' })
    expect(summaryLine(french, 'Prénom', 'Trop long')).toBe('Prénom\u00A0: Trop long')
  })
})
