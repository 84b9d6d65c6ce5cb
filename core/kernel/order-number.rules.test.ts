import { expect, it } from 'vitest'
import { isOrderNumber, mayBeOrderNumber } from './order-number.rules.ts'

it.each(['OD-7KQ2MXA', 'od-7kq', 'd-7', '-7KQ', 'kq2', '7KQ2MXA', 'adams'])(
  '%s may be part of an order number',
  (word) => {
    expect(mayBeOrderNumber(word)).toBe(true)
  },
)

it.each([
  ['print', 'an I'],
  ['harbour', 'an O'],
  ['OD7', 'the hyphen left out'],
  ['7KQ-2', 'a hyphen further on'],
  ['100', 'a zero'],
  ['müller', 'a letter beyond A to Z'],
  ['kq', 'too short to say anything'],
  ['', 'nothing'],
])('%s is no part of one: %s', (word) => {
  expect(mayBeOrderNumber(word)).toBe(false)
})

it('a whole number is known from a part of one', () => {
  expect(['OD-7KQ2MXA', 'od-7kq2mxa', 'OD-7KQ2MX', '7KQ2MXA', 'OD-7KQ2MXAB'].filter(isOrderNumber)).toEqual([
    'OD-7KQ2MXA',
    'od-7kq2mxa',
  ])
})
