import { describe, expect, it } from 'vitest'
import { inputId, inputText } from './input-values.ts'

const unusableValues = [
  { toString: 1 },
  { valueOf: 1 },
  {},
  [],
  ['1'],
  null,
  undefined,
  () => 1,
  Symbol('x'),
  Object.create(null),
]

describe('a submitted value', () => {
  it('is a text when it is one value', () => {
    expect([inputText('a'), inputText(1.5), inputText(true), inputText('')]).toEqual(['a', '1.5', 'true', ''])
    for (const value of unusableValues) expect(inputText(value)).toBeNull()
  })

  it('is an id when it is a whole number', () => {
    expect([inputId(7), inputId('7'), inputId(' 7 ')]).toEqual([7, 7, 7])
    for (const value of [...unusableValues, '', 'x', 1.5, '1.5', NaN, 2 ** 60, 'NaN', 'Infinity'])
      expect(inputId(value)).toBe(0)
  })
})
