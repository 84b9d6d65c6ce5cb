import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseInput, withoutNulls } from './parse-input.ts'

const Order = z.object({
  id: z.coerce.number('Required').int(),
  name: z.string('Required').max(5),
  nickname: z.string().nullish(),
  isGift: z.boolean().default(false),
  issues: z.array(z.coerce.number().int()).min(1).optional(),
  kind: z.enum(['print', 'digital']).optional(),
  price: z.union([z.string(), z.number()]).optional(),
  when: z.iso.date().optional(),
  size: z.preprocess((value) => (value === '' ? undefined : value), z.coerce.number('Enter a number').optional()),
  billing: z.object({ city: z.string('Required'), state: z.string().default('') }),
})
const validOrder = { id: 1, name: 'Ann', billing: { city: 'Bath' } }

function problems(input: object): unknown {
  const parsed = parseInput(Order, withoutNulls(Order, input))
  return 'fields' in parsed ? parsed.fields : {}
}

describe('input errors', () => {
  it.each([
    [{ id: undefined }, { id: 'Required' }],
    [{ id: null }, { id: 'Required' }],
    [{ id: 'ten' }, { id: 'Must be a number' }],
    [{ id: true }, { id: 'Must be a number' }],
    [{ id: [1] }, { id: 'Must be a number' }],
    [{ id: ['1'] }, { id: 'Must be a number' }],
    [{ id: {} }, { id: 'Must be a number' }],
    [{ id: 1.5 }, { id: 'Must be a whole number' }],
    [{ name: undefined }, { name: 'Required' }],
    [{ name: 7 }, { name: 'Must be text' }],
    [{ name: 'Annabel' }, { name: 'Must be 5 characters or fewer' }],
    [{ isGift: 'perhaps' }, { isGift: 'Must be true or false' }],
    [{ issues: 'all' }, { issues: 'Must be a list' }],
    [{ issues: [] }, { issues: 'Must have at least one entry' }],
    [{ issues: ['x'] }, { 'issues.0': 'Must be a number' }],
    [{ issues: [1, true, null] }, { 'issues.1': 'Must be a number', 'issues.2': 'Must be a number' }],
    [{ size: false }, { size: 'Enter a number' }],
    [{ kind: 'paper' }, { kind: 'Must be print or digital' }],
    [{ price: {} }, { price: 'Must be text or a number' }],
    [{ when: 'soon' }, { when: 'Must be a date such as 2026-12-31' }],
    [{ billing: undefined }, { 'billing.city': 'Required' }],
    [{ billing: null }, { 'billing.city': 'Required' }],
    [{ billing: 'Bath' }, { billing: 'Must be an object with fields' }],
    [{ billing: { city: 5 } }, { 'billing.city': 'Must be text' }],
  ])('%j: %j', (changes, expected) => expect(problems({ ...validOrder, ...changes })).toEqual(expected))
})

it('accepts null for a field that was not sent, unless null has a meaning', () => {
  const nulls = { nickname: null, isGift: null, issues: null, kind: null, price: null, when: null }
  const sent = { ...validOrder, ...nulls, billing: { city: 'Bath', state: null } }
  expect(withoutNulls(Order, sent)).toEqual({ ...validOrder, nickname: null })
  expect(parseInput(Order, withoutNulls(Order, sent))).toEqual({
    data: { ...validOrder, nickname: null, isGift: false, billing: { city: 'Bath', state: '' } },
  })
})
