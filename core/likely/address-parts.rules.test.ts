import { expect, it } from 'vitest'
import { addressParts } from './address-parts.rules.ts'
import { normalizedCompanyName } from './company-name.rules.ts'

const parts = (...lines: string[]) => addressParts(lines, '')

it('a bare number before the house is the flat, and a name before it is not the street', () => {
  expect(parts('2, 14 High Street')).toMatchObject({ flat: '2', number: '14', street: 'high street' })
  expect(parts('Rose Cottage', '14 High Street')).toMatchObject({
    number: '14',
    street: 'high street',
    rest: 'rose cottage',
  })
})

it('a company is the same with its legal form, abbreviated or left out', () => {
  const names = ['Smith & Co', 'Smith and Company', 'The Smith Company Ltd.', 'Smith & Co. Limited']
  expect(new Set(names.map(normalizedCompanyName))).toEqual(new Set(['smith']))
})
