import { expect, it } from 'vitest'
import { AppError, invalid } from './errors.ts'
import { english, phraseOf, renderPhrase } from './phrases.ts'

const tooLong = phraseOf('Must be {max} characters or fewer', { max: 30 })

it('an error has its phrases in English, and keeps them for an entry point that translates', () => {
  const error = new AppError('conflict', tooLong, {
    hint: 'Please log in',
    fields: { plan: tooLong, email: 'Required' },
  })
  expect([error.message, error.hint, error.fields]).toEqual([
    'Must be 30 characters or fewer',
    'Please log in',
    { plan: 'Must be 30 characters or fewer', email: 'Required' },
  ])
  expect(error.phrases).toEqual({
    message: tooLong,
    hint: 'Please log in',
    fields: { plan: tooLong, email: 'Required' },
  })
  expect(invalid({ plan: tooLong }).fields).toEqual({ plan: 'Must be 30 characters or fewer' })
})

it('templates are translated, values are not, and a phrase in a slot is', () => {
  const upper = (template: string) => template.replaceAll(/\b[a-z](?![^{]*\})/g, (letter) => letter.toUpperCase())
  const plan = { phrases: ['one', 'two'], by: ', ' }
  const phrase = phraseOf('The price of {plan} is now {price}. Please check it and order again.', {
    plan,
    price: 'a {plan}',
  })
  expect(renderPhrase(phrase, upper)).toBe('The Price Of One, Two Is Now a {plan}. Please Check It And Order Again.')
  expect(english(phrase)).toBe('The price of one, two is now a {plan}. Please check it and order again.')
})

it('an amount is written in English for logs, with the currency code when the phrase asks for it', () => {
  const money = { amount: 900, currency: 'USD' } as const
  const total = (value: { money: typeof money; withCode?: true }) =>
    english(phraseOf('The total is {total}. Please check it and order again.', { total: value }))
  expect(total({ money })).toBe('The total is $9.00. Please check it and order again.')
  expect(total({ money, withCode: true })).toBe('The total is $9.00\u00A0USD. Please check it and order again.')
})

it('a template that is not in the table, and a slot without its value, do not compile', () => {
  // @ts-expect-error: no such template
  phraseOf('Only {count} left', { count: 1 })
  // @ts-expect-error: its value is missing
  expect(english(phraseOf('Choose {max} issues at most', {}))).toBe('Choose {max} issues at most')
})
