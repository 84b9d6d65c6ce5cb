import { expect, it } from 'vitest'
import { responseOf } from './mail-faults.rules.ts'

it('an answer that is cut contains no half of a character, which PostgreSQL refuses to store', () => {
  const answer = responseOf({ response: `550 ${'x'.repeat(495)}😀 full` })
  expect(answer).toBe(`550 ${'x'.repeat(495)}`)
})
