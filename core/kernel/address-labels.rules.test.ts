import { expect, it } from 'vitest'
import { addressLabels } from './address-labels.rules.ts'

it.each([
  ['GB', 'Postcode', null],
  ['FR', 'Postcode', null],
  ['IE', 'Eircode', null],
  ['US', 'ZIP code', { label: 'State', isRequired: true }],
  ['PR', 'ZIP code', null],
  ['CA', 'Postal code', { label: 'Province', isRequired: false }],
  ['AU', 'Postcode', { label: 'State', isRequired: false }],
  ['JP', 'Postal code', { label: 'Prefecture', isRequired: false }],
])('the postcode in %s is labelled %s', (country, postCode, state) => {
  expect(addressLabels(country)).toEqual({ postCode, state })
})
