import { expect, it } from 'vitest'
import { responseOf } from './mail-faults.rules.ts'

it('a shortened response does not end in half a character, which PostgreSQL refuses to store', () => {
  const response = responseOf({ response: `550 ${'x'.repeat(495)}😀 full` })
  expect(response).toBe(`550 ${'x'.repeat(495)}`)
})
