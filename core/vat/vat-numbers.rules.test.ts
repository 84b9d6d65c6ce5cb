import { expect, it } from 'vitest'
import { cleanVatNumber, vatNumberProblem } from './vat-numbers.rules.ts'

it.each([
  ['GB', 'gb 123 4567 89'],
  ['GB', 'GBGD123'],
  ['DE', 'DE-123456789'],
  ['FR', 'FR XX 123456789'],
  ['GR', 'EL123456789'],
  ['NL', 'NL123456789B01'],
  ['IE', 'IE1234567WA'],
  ['AT', 'ATU12345678'],
])('accepts a number of %s: %s', (country, typed) => {
  expect(vatNumberProblem(cleanVatNumber(typed), country)).toBeUndefined()
})

it.each([
  ['DE', 'DE12345678', 'That is not a VAT number of this country: check its digits after DE'],
  ['DE', 'FR12123456789', 'A VAT number of this country begins with DE'],
  ['GR', 'GR123456789', 'A VAT number of this country begins with EL'],
  ['GB', '123456789', 'A VAT number of this country begins with GB'],
  ['US', 'US123456789', 'Leave blank: only UK and EU VAT numbers affect the VAT charged'],
])('reports what is wrong with a number of %s: %s', (country, typed, problem) => {
  expect(vatNumberProblem(cleanVatNumber(typed), country)).toBe(problem)
})
