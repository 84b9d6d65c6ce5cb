import { expect, it } from 'vitest'
import { numberSearch, placesOfPart } from './order-number.rules.ts'

it.each([
  ['OD-7KQ2MXA', 'whole', 'OD-7KQ2MXA'],
  ['od-7kq2mxa', 'whole', 'OD-7KQ2MXA'],
  ['OD-7KQ2MX', 'start', 'OD-7KQ2MX'],
  ['7KQ2MXA', 'part', '7KQ2MXA'],
  ['d-7', 'start', 'OD-7'],
  ['kq2', 'part', 'KQ2'],
  ['adams', 'start', 'OD-ADAMS'],
  ['od-adams', 'start', 'OD-ADAMS'],
  ['d-ann', 'start', 'OD-ANN'],
  ['-ann', 'start', 'OD-ANN'],
  ['od-', 'start', 'OD-'],
] as const)('%s is searched for as the %s of an order number: %s', (word, as, text) => {
  expect(numberSearch(word)).toEqual({ as, text })
})

it.each([
  ['print', 'an I'],
  ['harbour', 'an O'],
  ['OD7', 'the hyphen left out'],
  ['7KQ-2', 'a hyphen further on'],
  ['100', 'a zero'],
  ['müller', 'a letter beyond A to Z'],
  ['kq', 'too short to search for'],
  ['', 'nothing'],
])('%s is in no order number: %s', (word) => {
  expect(numberSearch(word)).toBeNull()
})

it('a part begins at any place that leaves enough characters', () => {
  const places = (text: string) => placesOfPart(text).map((place) => 'OD-7KQ2MXA'.slice(place - 1))
  expect(places('KQ2')).toEqual(['7KQ2MXA', 'KQ2MXA', 'Q2MXA', '2MXA', 'MXA'])
  expect(places('7KQ2MXA')).toEqual(['7KQ2MXA'])
  expect(places('7KQ2MXA2')).toEqual([])
})
