import { expect, it } from 'vitest'
import { postalLines } from './postal-address.ts'

const address = {
  title: '',
  firstName: 'Anna',
  lastName: 'Vogt',
  companyName: '',
  addressOne: '10 Downing Street',
  addressTwo: '',
  addressThree: '',
  city: 'London',
  state: '',
  postCode: 'SW1A 2AA',
  country: 'GB',
}

it('names the country in the requested language and leaves out empty lines', () => {
  expect(postalLines(address, 'de')).toEqual([
    'Anna Vogt',
    '10 Downing Street',
    'London',
    'SW1A 2AA',
    'Vereinigtes Königreich',
  ])
  expect(postalLines(address, 'nl').at(-1)).toBe('Verenigd Koninkrijk')
})
