import { expect, it } from 'vitest'
import { settlementKind } from './line-kinds.rules.ts'

it.each([
  ['T0006', 2999, 'charge'],
  ['T0400', -3864, 'payout'],
  ['T1503', -500, 'moved'],
  ['T1105', 500, 'moved'],
  ['T1110', -500, 'moved'],
  ['T1111', 500, 'moved'],
  ['T1107', -2999, 'refund'],
  ['T1109', 117, 'fee'],
  ['T1114', 500, 'other'],
] as const)('a line of PayPal with the code %s and the amount %i is %s', (code, gross, kind) => {
  expect(settlementKind(code, gross)).toBe(kind)
})
