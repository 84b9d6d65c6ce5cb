import { expect, it } from 'vitest'
import { jobs, nextTry } from './catalog.ts'

it('a mail outlives a mail server that is down for an hour, and is tried within a minute at first', () => {
  const start = new Date('2026-11-23T10:00:00Z')
  let at = start
  for (let attempt = 1; attempt < jobs['send-mail'].attempts; attempt++) {
    at = nextTry('send-mail', attempt, at)
    if (attempt === 2) expect(at.getTime() - start.getTime()).toBeLessThan(60_000)
  }
  expect(at.getTime() - start.getTime()).toBeGreaterThan(2 * 3_600_000)
})
